// The demo agent: a program of its own, so that the product can be tried with no account. At a terminal it talks with a
// person, otherwise it speaks JSON lines. `--resume ID` goes on with a conversation, `--session-id ID` begins one.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoConversation } from './conversation.ts';
import { runInPipe } from './pipeMode.ts';
import { runInTerminal } from './terminalMode.ts';

const { values } = parseArgs({ options: { resume: { type: 'string' }, 'session-id': { type: 'string' } } });
const directory = process.env.TERMINULL_DEMO_RECORDS ?? join(homedir(), '.terminull', 'demo');
const conversation = new DemoConversation(directory, values.resume ?? values['session-id'] ?? randomUUID());
const settings = { cwd: process.cwd(), paceMs: Number(process.env.TERMINULL_DEMO_PACE_MS ?? '25') };

if (process.stdin.isTTY) void runInTerminal(conversation, settings).then(() => process.exit(0));
else runInPipe(conversation, settings);
