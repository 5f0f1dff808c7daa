import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const longestTemp = 24;

/** The folder for temporary things whose path must be short (a Unix socket's has about 100 bytes) and plain (for make). */
export function shortTempFolder(folder = os.tmpdir()) {
  if (process.platform === 'win32') return folder;
  return folder.length <= longestTemp && /^[\w./-]+$/.test(folder) ? folder : '/tmp';
}

/** Settings that keep a test's editor still: no network, no tips, terminal text in the page's DOM. */
export const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'security.workspace.trust.enabled': false,
  'terminal.integrated.gpuAcceleration': 'off',
};

/** Writes what code-server wants to read before it starts; it leaves settings alone that are there already. */
export function layOutEditor({ config, data, extensions }, settings) {
  mkdirSync(path.join(data, 'User'), { recursive: true });
  mkdirSync(extensions, { recursive: true });
  writeFileSync(config, 'auth: none\ncert: false\n');
  try {
    writeFileSync(path.join(data, 'User', 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`, {
      flag: 'wx',
    });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folders of one throw-away editor: its data, extensions, home, temporary files, workspace and browser profile.
 *
 * @param {{ settings?: Record<string, unknown> }} options settings on top of the quiet ones
 */
export function makeEditorRoot({ settings = {} } = {}) {
  const folder = mkdtempSync(path.join(shortTempFolder(), 'tn-'));
  const root = {
    folder,
    config: path.join(folder, 'config.yaml'),
    data: path.join(folder, 'data'),
    extensions: path.join(folder, 'ext'),
    home: path.join(folder, 'home'),
    temp: path.join(folder, 'tmp'),
    workspace: path.join(folder, 'ws'),
    browserProfile: path.join(folder, 'chrome'),
  };
  for (const place of [root.home, root.temp, root.workspace, root.browserProfile]) mkdirSync(place);
  layOutEditor(root, { ...quietSettings, ...settings });
  writeFileSync(path.join(root.workspace, 'a.txt'), 'hello\n');
  return { ...root, dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
