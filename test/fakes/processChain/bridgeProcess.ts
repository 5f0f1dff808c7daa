import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AgentId, SessionId } from '../../../core/protocol/ids.ts';
import { Emitter } from '../../../core/base/emitter.ts';
import { untilChange } from '../until.ts';
import { bridgeAnswer, type BridgeAnswer, type BridgeOrder, type BridgeSetup } from './bridgeOrder.ts';

type Order = BridgeOrder extends infer O ? (O extends BridgeOrder ? Omit<O, 'number'> : never) : never;

/** A bridge that can be killed. */
export class BridgeProcess {
  readonly #process: ChildProcess;
  readonly #answers: BridgeAnswer[] = [];
  readonly #answered = new Emitter<void>();
  #number = 0;

  constructor(setup: BridgeSetup) {
    this.#process = fork(join(import.meta.dirname, 'bridgeMain.ts'), {
      env: { ...process.env, TERMINULL_DEMO_PACE_MS: '4', TERMINULL_TEST_BRIDGE: JSON.stringify(setup) },
      execArgv: [],
    });
    this.#process.on('message', message => {
      this.#answers.push(bridgeAnswer.parse(message));
      this.#answered.fire();
    });
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error('the bridge did not start');
    return pid;
  }

  async online(): Promise<void> {
    await this.#hear('online', ({ said }) => said === 'online');
  }

  /** @returns the link that the desk's QR code holds */
  async invite(): Promise<string> {
    const answer = await this.#ask({ do: 'invite' });
    if (answer.said !== 'invitation') throw new Error(answer.said);
    return answer.link;
  }

  async submitCode(code: string): Promise<void> {
    await this.#ask({ do: 'submit code', code });
  }

  async read(session: SessionId): Promise<Extract<BridgeAnswer, { said: 'record' }>> {
    const answer = await this.#ask({ do: 'read', session });
    if (answer.said !== 'record') throw new Error(answer.said);
    return answer;
  }

  /** A new session whose agent is in its terminal. */
  async openTerminal(agent: AgentId): Promise<SessionId> {
    const answer = await this.#ask({ do: 'open terminal', agent });
    if (answer.said !== 'opened') throw new Error(answer.said);
    return answer.session;
  }

  /** `kill -9`, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }

  #ask(order: Order): Promise<BridgeAnswer> {
    this.#number += 1;
    const number = this.#number;
    this.#process.send({ ...order, number });
    return this.#hear(order.do, answer => answer.said !== 'online' && answer.number === number);
  }

  #hear(what: string, fits: (answer: BridgeAnswer) => boolean): Promise<BridgeAnswer> {
    return untilChange(
      what,
      () => this.#answers.find(fits),
      listener => this.#answered.event(listener),
      30_000,
    );
  }
}
