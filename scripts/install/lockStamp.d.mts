export function lockStamp(lockText: string, platform?: string, arch?: string): string;
export function isInstalled(lockText: string, installedText: string): boolean;
