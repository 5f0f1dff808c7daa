import type { BrowserContext, LaunchOptions, BrowserContextOptions } from 'playwright-core';
import type { EditorFolders } from './editorRoot.mjs';

/** A running code-server. */
export interface Editor {
  /** http://127.0.0.1:PORT, without a final slash. */
  readonly url: string;
  readonly port: number;
  /** The page that shows a folder; `payload` is what a test run passes to the workbench. */
  openUrl(folder: string, payload?: readonly (readonly [string, string])[]): string;
  /** Settles with words when the server ends, for whatever reason. */
  readonly exited: Promise<string>;
  /** Ends the server and all it started; `leaveDetached` spares processes that detached themselves until the next `stop()`. */
  stop(options?: { leaveDetached?: boolean }): Promise<void>;
  /** The end of what it printed. */
  log(): string;
  remoteUri(file: string): string;
}
export function installVsix(
  root: EditorFolders,
  vsix: string,
  options?: { codeServer?: string },
): Promise<void>;
export function startEditor(
  root: EditorFolders,
  options?: {
    codeServer?: string;
    port?: number;
    tests?: boolean;
    asksForTrust?: boolean;
    env?: NodeJS.ProcessEnv;
    deadlineMs?: number;
  },
): Promise<Editor>;
export function openBrowser(
  profile: string,
  options?: BrowserContextOptions & LaunchOptions & { chromium?: string },
): Promise<BrowserContext>;
