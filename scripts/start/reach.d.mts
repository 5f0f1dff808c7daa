import type { NetworkInterfaceInfo } from 'node:os';

export interface Reach {
  readonly kind: 'local' | 'lan' | 'public';
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}
export function lanAddress(interfaces?: NodeJS.Dict<NetworkInterfaceInfo[]>): string | undefined;
export function reachOf(
  wanted: { readonly lan: boolean; readonly publicUrl: string | undefined },
  port: number,
): Reach;
