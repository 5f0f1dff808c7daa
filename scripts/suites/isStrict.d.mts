export function isStrict(env?: NodeJS.ProcessEnv): boolean;
