import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { commandId, settingId, viewId } from '../../../src/host/ids.ts';

const root = join(import.meta.dirname, '../../..');
const manifest = z
  .object({
    dependencies: z.optional(z.record(z.string(), z.string())),
    devDependencies: z.record(z.string(), z.string()),
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() })),
      views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
      configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string() })) }),
      menus: z.record(z.string(), z.array(z.object({ command: z.string() }))),
    }),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const texts = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')));

describe('the manifest', () => {
  it('declares exactly the commands, views and settings that the code knows', () => {
    const { commands, views, configuration } = manifest.contributes;
    assert.deepEqual(commands.map(command => command.command).sort(), Object.values(commandId).sort());
    assert.deepEqual(
      Object.values(views)
        .flat()
        .map(view => view.id)
        .sort(),
      Object.values(viewId).sort(),
    );
    assert.deepEqual(Object.keys(configuration.properties).sort(), Object.values(settingId).sort());
  });

  it('puts every command under Terminull, and in a menu or the palette', () => {
    for (const command of manifest.contributes.commands) assert.equal(command.category, 'Terminull');
    const menus = Object.values(manifest.contributes.menus)
      .flat()
      .map(item => item.command);
    for (const command of menus) assert.ok(Object.values<string>(commandId).includes(command), command);
  });

  it('never lets a workspace choose the relay, or a program to run', () => {
    for (const id of Object.values(settingId))
      assert.equal(manifest.contributes.configuration.properties[id]?.scope, 'application', id);
  });

  it('has a text for every key, and no text without one', () => {
    const used = [...readFileSync(join(root, 'package.json'), 'utf8').matchAll(/"%([\w.]+)%"/g)].map(
      match => match[1],
    );
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
  });

  it('pins every dependency to one version', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  });
});
