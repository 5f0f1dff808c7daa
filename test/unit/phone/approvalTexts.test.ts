import assert from 'node:assert/strict';
import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';
import { approvalFields, lengthText, lineCount } from '../../../phone/views/session/approvalFields.ts';
import { isTitleOfCommand } from '../../../phone/views/session/isTitleOfCommand.ts';
import { optionText, splitOptions } from '../../../phone/views/session/optionText.ts';
import { questionResolutionText } from '../../../phone/views/session/questionResolutionText.ts';
import { resolutionText } from '../../../phone/views/session/resolutionText.ts';
import { riskText } from '../../../phone/views/session/riskText.ts';
import { toolStateText } from '../../../phone/views/session/toolStateText.ts';

const options: readonly PermissionOption[] = [
  { id: 'allow', label: 'Yes', kind: 'allow_once' },
  { id: 'always', label: 'Yes, always', kind: 'allow_always' },
  { id: 'always_here', label: 'Yes, in this folder', kind: 'allow_always' },
  { id: 'deny', label: 'No', kind: 'deny' },
];

describe('an approval in words', () => {
  it('shows every argument, and the command first', () => {
    const fields = approvalFields({ timeout: 5, env: { A: '1' }, command: 'ls\n-l' });
    assert.deepEqual(
      fields.map(({ name, value }) => [name, value]),
      [
        ['command', 'ls\n-l'],
        ['timeout', '5'],
        ['env', '{\n  "A": "1"\n}'],
      ],
    );
    assert.deepEqual(
      fields.map(field => field.isCommand),
      [true, false, false],
    );
  });

  it('does not take an argument for a command line that is none', () => {
    assert.deepEqual(approvalFields({ command: ['rm', '-rf'] }), [
      { name: 'command', value: '[\n  "rm",\n  "-rf"\n]', isCommand: false },
    ]);
  });

  it('counts lines, but not the end of the last one', () => {
    assert.equal(lineCount('a\nb\n'), 2);
    assert.equal(lineCount(''), 1);
  });

  it('says how much there is of what does not show as a whole, also in a single line', () => {
    assert.equal(lengthText('short\n'.repeat(12)), undefined);
    assert.equal(lengthText('short\n'.repeat(13)), '13 lines, scroll to read all');
    assert.equal(lengthText('x'.repeat(480)), undefined);
    assert.equal(lengthText('x'.repeat(1_481)), '1,481 characters, scroll to read all');
  });

  it('leaves a title out only when the command says it in full', () => {
    assert.equal(isTitleOfCommand({ title: 'npm ci', input: { command: 'npm ci && rm -rf /' } }), true);
    assert.equal(isTitleOfCommand({ title: 'npm ci…', input: { command: 'npm ci && ls' } }), true);
    assert.equal(isTitleOfCommand({ title: 'Tidy up', input: { command: 'rm -rf /' } }), false);
    assert.equal(isTitleOfCommand({ title: 'x', input: {} }), false);
  });

  it('names the options by what they do, and by what for where they reach further', () => {
    assert.deepEqual(
      options.map(option => optionText(option, options)),
      ['Allow', 'Always allow: Yes, always', 'Always allow: Yes, in this folder', 'Deny'],
    );
    const { allow, deny, others } = splitOptions(options);
    assert.equal(allow?.id, 'allow');
    assert.equal(deny?.id, 'deny');
    assert.deepEqual(
      others.map(option => option.id),
      ['always', 'always_here'],
    );
  });

  it('says what a question was answered with, and by whom', () => {
    const answers = [{ id: 'tea', label: 'Tea' }];
    const by = { by: 'device', by_name: 'Pixel 8' } as const;
    const text = (outcome: Parameters<typeof questionResolutionText>[0]): string =>
      questionResolutionText(outcome, answers);
    assert.equal(text({ ...by, answered: true, selected: ['tea'] }), 'Answered by Pixel 8: Tea');
    assert.equal(text({ by: 'desktop', answered: true, custom: 'water' }), 'Answered at the desk: water');
    assert.equal(text({ by: 'terminal', answered: false }), 'Answered in the terminal, or taken back');
    assert.equal(text({ by: 'terminal', answered: true }), 'Answered in the terminal');
    assert.equal(text({ by: 'interrupt', answered: false }), 'Withdrawn: the turn was stopped');
  });

  it('says of an answer in the terminal how it was answered only where that is known', () => {
    assert.equal(resolutionText({ by: 'terminal', granted: true }, options), 'Allowed in the terminal');
    assert.equal(resolutionText({ by: 'terminal', granted: false }, options), 'Answered in the terminal');
  });

  it('says who answered, and how far it reaches', () => {
    const by = { by: 'device', by_name: 'Pixel 8' } as const;
    assert.equal(resolutionText({ ...by, granted: true, option_id: 'allow' }, options), 'Allowed by Pixel 8');
    assert.equal(
      resolutionText({ ...by, granted: true, option_id: 'always' }, options),
      'Allowed for good by Pixel 8',
    );
    assert.equal(
      resolutionText({ by: 'desktop', granted: false, option_id: 'deny' }, options),
      'Denied at the desk',
    );
    assert.equal(
      resolutionText({ by: 'policy', granted: true, option_id: 'allow' }, options),
      'Allowed by the session’s rules',
    );
    assert.equal(
      resolutionText({ by: 'timeout', granted: false, option_id: 'deny' }, options),
      'Not answered in time, so denied',
    );
    assert.equal(
      resolutionText({ by: 'interrupt', granted: false }, options),
      'Withdrawn: the turn was stopped',
    );
  });

  it('says the risk and what it is a risk of', () => {
    assert.equal(riskText('high', 'execute'), 'High risk: runs a command on your machine');
    assert.equal(riskText('low', undefined), 'Low risk: uses a tool on your machine');
  });

  it('never calls a tool done whose outcome nobody knows [M71]', () => {
    assert.equal(toolStateText({ status: 'error' }, { outcome: 'unknown' }, false).text, 'Outcome unknown');
    assert.equal(toolStateText({ status: 'done' }, { outcome: 'denied' }, false).text, 'Denied');
    assert.equal(toolStateText({ status: 'running' }, undefined, true).text, 'Asks first');
    assert.equal(toolStateText({ status: 'running' }, undefined, false).text, 'Running…');
  });
});
