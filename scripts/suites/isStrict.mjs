/** Whether a suite that lacks a resource is a failure: wherever CI is set to something but 0, false or nothing. */
export function isStrict(env = process.env) {
  return !['', '0', 'false', undefined].includes(env.CI);
}
