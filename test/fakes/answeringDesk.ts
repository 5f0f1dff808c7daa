import { join } from 'node:path';
import * as z from 'zod/mini';
import { approvalDigest } from '../../core/crypto/approvalDigest.ts';
import type { DhKey } from '../../core/crypto/cryptoPort.ts';
import type { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { controlSession } from '../../core/protocol/ids.ts';
import { nodeCrypto } from '../../platform/node/nodeCrypto.ts';
import { createDemoAdapter } from '../../src/adapters/demo/demoAdapter.ts';
import { Dispatcher, type DispatcherPorts } from '../../src/bridge/dispatcher.ts';
import type { PairedDevice } from '../../src/bridge/pairedDevice.ts';
import { rotateDeviceKey } from '../../src/bridge/rotateDeviceKey.ts';
import { SessionStore } from '../../src/session/sessionStore.ts';
import { Desk } from './desk.ts';

const response = z.object({
  kind: z.literal('response'),
  request_id: z.string(),
  result: z.object({ type: z.string(), code: z.optional(z.string()), status: z.optional(z.string()) }),
});

/** What a bridge answered a request with: the code of a refusal, or the type of the answer and its status. */
export function answerIn(message: unknown): string | undefined {
  const parsed = response.safeParse(message);
  if (!parsed.success) return undefined;
  const { type, code, status } = parsed.data.result;
  return code ?? [type, status].filter(Boolean).join(' ');
}

/** A desk that does what its phone says. No agent starts at it. */
export class AnsweringDesk {
  readonly desk: Desk;
  readonly store: SessionStore;
  rotateKey: DispatcherPorts['rotateKey'];

  private constructor(desk: Desk) {
    this.desk = desk;
    let drawn = 0;
    const demo = createDemoAdapter({ argv: [], env: {} }, '/nowhere');
    this.store = new SessionStore({
      clock: desk.clock,
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      directory: join(desk.folder, 'sessions'),
      cwd: () => desk.folder,
      findAgent: id =>
        id === 'demo'
          ? { adapter: demo, detected: { version: '1', command: { argv: [], env: {} } } }
          : undefined,
      logger: desk.logger,
      keepers: {
        open: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
        reopen: () => Promise.resolve({ ok: false, code: 'gone' }),
        openTerminal: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
        reopenTerminal: () => Promise.resolve({ ok: false, code: 'gone' }),
        endOtherVersion: () => Promise.resolve(),
      },
    });
    this.rotateKey = (channel, key) => rotateDeviceKey(channel, key, desk);
    const dispatcher = new Dispatcher({
      clock: desk.clock,
      logger: desk.logger,
      sessions: this.store,
      controlSession: controlSession(desk.instance),
      windowState: () => ({
        machine: 'm',
        workspace: 'w',
        cwd: '/',
        agents: [],
        sessions: [...this.store.summaries],
      }),
      rotateKey: (channel, key) => this.rotateKey(channel, key),
    });
    desk.receive = (channel, text) => dispatcher.receive(channel, text);
  }

  /**
   * @param role what the paired phone may do
   * @param phoneKey its key; one is drawn without
   */
  static async create(role: PairedDevice['role'] = 'owner', phoneKey?: DhKey): Promise<AnsweringDesk> {
    return new AnsweringDesk(await Desk.create({ role, ...(phoneKey && { phoneKey }) }));
  }

  /** The phone asks for something. @returns the answer; undefined when none came */
  async ask(channel: SecureChannel, control: object | string): Promise<string | undefined> {
    await this.desk.say(channel, control);
    return this.heard(channel);
  }

  /** The next answer on a channel; undefined when none comes. */
  async heard(channel: SecureChannel): Promise<string | undefined> {
    for (let round = 0; round < 50; round += 1) {
      const [answer] = (await this.desk.read(channel)).flatMap(message => answerIn(message) ?? []);
      if (answer !== undefined) return answer;
      await new Promise(resolve => setImmediate(resolve));
    }
    return undefined;
  }

  dispose(): void {
    this.store.dispose();
    this.desk.dispose();
  }
}
