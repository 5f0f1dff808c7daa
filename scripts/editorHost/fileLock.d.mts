export function tryFileLock(
  file: string,
): { readonly release: () => void } | { readonly holder: number | undefined };
export function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  options?: { onWait?: () => void; deadlineMs?: number },
): Promise<T>;
