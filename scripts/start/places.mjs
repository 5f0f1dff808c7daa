import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { homeFolder } from '../editorHost/cacheFolder.mjs';
import { layOutEditor } from '../editorHost/editorRoot.mjs';
import { projectRoot } from '../projectRoot.mjs';
import { readSetting, setSetting } from './setSetting.mjs';

/** What the demo's editor starts with; a person's own changes are kept. */
const firstSettings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'workbench.startupEditor': 'readme',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
};

function ownFolder(env) {
  const wanted = path.resolve(env.TERMINULL_HOME || path.join(homeFolder(env), '.terminull'));
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    accessSync(wanted, constants.W_OK);
    return { folder: wanted, isTemporary: false };
  } catch {
    return { folder: mkdtempSync(path.join(os.tmpdir(), 'terminull-')), isTemporary: true };
  }
}

/**
 * The folders that `npm start` uses: below ~/.terminull (or TERMINULL_HOME), or in a temporary folder when that cannot be
 * written. The editor's are its own, never those of an editor the person has.
 */
export function makePlaces(env = process.env) {
  const { folder, isTemporary } = ownFolder(env);
  const inFolder = (...names) => path.join(folder, ...names);
  const workspace = inFolder('demo-workspace');
  if (!existsSync(workspace))
    cpSync(path.join(projectRoot, 'media', 'demo-workspace'), workspace, { recursive: true });
  const editor = {
    config: inFolder('editor', 'config.yaml'),
    data: inFolder('editor', 'data'),
    extensions: inFolder('editor', 'extensions'),
  };
  layOutEditor(editor, firstSettings);
  const relayData = inFolder('relay');
  mkdirSync(relayData, { recursive: true, mode: 0o700 });
  const dispose = () => isTemporary && rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { folder, isTemporary, workspace, editor, relayData, dispose };
}

/**
 * Points the demo editor's Terminull to this relay, unless the person has set another address of their own. What an
 * earlier start set is not theirs.
 *
 * @returns {string} the address it has now
 */
export function setRelayUrl(places, url) {
  const settingsFile = path.join(places.editor.data, 'User', 'settings.json');
  const oursFile = path.join(places.folder, 'start-relay-url');
  const text = readFileSync(settingsFile, 'utf8');
  const present = readSetting(text, 'terminull.relayUrl') ?? '';
  const ours = existsSync(oursFile) ? readFileSync(oursFile, 'utf8') : '';
  const isLoopback = /^(http|ws):\/\/(127\.0\.0\.1|localhost)\b/.test(present);
  if (present !== '' && present !== ours && !isLoopback) return present;
  writeFileSync(settingsFile, setSetting(text, 'terminull.relayUrl', url));
  writeFileSync(oursFile, url);
  return url;
}
