import assert from 'node:assert/strict';
import { readActivationRow } from '../../../bench/activation/activationRow.ts';

const view = [
  '## Extension Activation Stats',
  '| Extension           | Eager | Load Code | Call Activate | Finish | Event             | By                  |',
  '| ------------------- | ----- | --------- | ------------- | ------ | ----------------- | ------------------- |',
  '| vscode.git-base     | true  | 12        | 3             | 0      | *                 | vscode.git-base     |',
  '| terminull.terminull | false | 47        | 9             | 1      | onStartupFinished | terminull.terminull |',
].join('\n');

describe('the editor’s start-up performance view', () => {
  it('gives the times of one extension', () => {
    assert.deepEqual(readActivationRow(view, 'terminull.terminull'), { loadCode: 47, callActivate: 9 });
  });

  it('gives nothing while it has no such row, or no times in it', () => {
    assert.equal(readActivationRow(view, 'terminull.other'), undefined);
    assert.equal(readActivationRow('', 'terminull.terminull'), undefined);
    assert.equal(readActivationRow(view.replace('| 9 ', '|   '), 'terminull.terminull'), undefined);
  });
});
