import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { makeEditorRoot, type EditorRoot } from '../../scripts/editorHost/editorRoot.mjs';
import { installVsix, openBrowser, startEditor, type Editor } from '../../scripts/editorHost/host.mjs';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { processesOf } from './processes.ts';

const root = join(import.meta.dirname, '..', '..');
const listening = z.object({ event: z.literal('listening'), url: z.string() });

/** Where screenshots go, to be looked at; not part of the repository. */
export const screenshots = join(root, 'out', 'screenshots');

/** Editor, relay and phone as real processes and browsers. */
export interface RealChain {
  readonly relayUrl: string;
  readonly editor: Page;
  readonly workspace: string;
  /** Where this editor's Terminull keeps its state. */
  readonly state: string;
  /** Another phone: an own browser profile, 390x844, touch. */
  openPhone(colorScheme?: 'light' | 'dark'): Promise<{ context: BrowserContext; page: Page }>;
  panel(): FrameLocator;
  runCommand(title: string): Promise<void>;
  /** Shows the workspace anew, as after a reload, and waits until the extension is there. */
  openEditor(): Promise<void>;
  /** Closes the tab of the browser, as by its cross; `openEditor` opens another. */
  closeEditor(): Promise<void>;
  /** Another window on the same folder; close the page to close it. */
  openWindow(): Promise<Page>;
  /** Ends the editor's server, as a service manager or (`killed`) as a power failure does, and starts it in the same place. */
  restartServer(how: 'ended' | 'killed'): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * @param settings of the editor; with workspace trust among them, its workspace is restricted until it is trusted
 * @param env on top of the editor's own environment, which its agents inherit
 */
export async function startRealChain(
  settings: Record<string, unknown> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<RealChain> {
  mkdirSync(screenshots, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'te-'));
  const { process: relay, url: relayUrl } = await startRelayProcess(join(folder, 'relay'));
  const editorRoot: EditorRoot = makeEditorRoot({
    settings: { 'terminull.relayUrl': relayUrl, ...settings },
  });
  await installVsix(editorRoot, join(root, 'dist', 'terminull.vsix'));
  const state = join(editorRoot.home, '.terminull');
  const start = (port: number): Promise<Editor> =>
    startEditor(editorRoot, {
      port,
      asksForTrust: settings['security.workspace.trust.enabled'] === true,
      env: { ...env, TERMINULL_HOME: state },
    });
  let server = await start(0);
  const servers = [server];
  const context = await openBrowser(editorRoot.browserProfile, { viewport: { width: 1280, height: 820 } });
  const contexts = [context];
  let editor = context.pages()[0] ?? (await context.newPage());
  const show = async (page: Page): Promise<void> => {
    await page.goto(server.openUrl(editorRoot.workspace));
    await page.locator('#terminull\\.terminull\\.terminull\\.status').waitFor({ timeout: 60_000 });
  };
  const openEditor = (): Promise<void> => show(editor);
  await openEditor();
  let phones = 0;
  return {
    relayUrl,
    get editor() {
      return editor;
    },
    workspace: editorRoot.workspace,
    state,
    openEditor,
    async closeEditor() {
      const closing = editor;
      // A browser without any tab would end.
      editor = await context.newPage();
      closing.on('dialog', dialog => void dialog.accept());
      const closed = closing.waitForEvent('close');
      await closing.close({ runBeforeUnload: true });
      await closed;
    },
    async openWindow() {
      const page = await context.newPage();
      await show(page);
      return page;
    },
    async restartServer(how) {
      if (how === 'killed') {
        // What the tests run it under stays, and tells when nothing of it is left that holds its port.
        const guards = processesOf(editorRoot.data, 'guard.mjs').map(({ pid }) => pid);
        for (const { pid } of processesOf(editorRoot.data, 'entry.js'))
          if (!guards.includes(pid)) process.kill(pid, 'SIGKILL');
        await server.exited;
      }
      await server.stop({ leaveDetached: true });
      server = await start(server.port);
      servers.push(server);
    },
    async openPhone(colorScheme = 'light') {
      phones += 1;
      const phone = await openBrowser(join(folder, `phone${String(phones)}`), {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 2,
        colorScheme,
      });
      contexts.push(phone);
      return { context: phone, page: phone.pages()[0] ?? (await phone.newPage()) };
    },
    panel: () =>
      editor
        .frameLocator('iframe.webview.ready[src*="extensionId=terminull.terminull"]')
        .frameLocator('#active-frame'),
    async runCommand(title) {
      await editor.keyboard.press('F1');
      const input = editor.locator('.quick-input-widget input[type="text"]').first();
      await input.waitFor();
      await input.fill(`>${title}`);
      await editor.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
      await editor.keyboard.press('Enter');
    },
    async dispose() {
      for (const each of contexts) await each.close();
      for (const each of servers) await each.stop();
      const gone = new Promise(resolve => relay.once('exit', resolve));
      relay.kill('SIGTERM');
      await gone;
      editorRoot.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startRelayProcess(dataDirectory: string): Promise<{ process: ChildProcess; url: string }> {
  const relay = spawn(process.execPath, [join(root, 'dist', 'relay.mjs')], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: relay.stdout })) {
    const said = listening.safeParse(jsonValue(line));
    if (said.success) return { process: relay, url: said.data.url };
  }
  throw new Error('the relay ended before it listened');
}
