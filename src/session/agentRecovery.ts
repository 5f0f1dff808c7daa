import type { Disposable } from '../../core/base/disposable.ts';
import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';
import type { AgentStartFailure } from '../adapters/agent.ts';
import { crashText, startFailureText } from './agentText.ts';
import type { OwedWrites } from './owedWrites.ts';
import type { PromptDesk } from './promptDesk.ts';
import { Respawn } from './respawn.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { tellError } from './tellError.ts';

/** What becomes of an agent that is gone: why is told, and it is started again, or what waits is held for a person. */
export class AgentRecovery implements Disposable {
  readonly #record: SessionRecord;
  readonly #prompts: PromptDesk;
  readonly #ports: Pick<SessionPorts, 'uniqueId' | 'endLeft'>;
  readonly #owed: OwedWrites;
  readonly #respawn: Respawn;
  readonly #start: () => void;
  #isOfOtherVersion = false;

  constructor(
    record: SessionRecord,
    prompts: PromptDesk,
    owed: OwedWrites,
    ports: Pick<SessionPorts, 'uniqueId' | 'clock' | 'unit' | 'endLeft'>,
    start: () => void,
  ) {
    this.#record = record;
    this.#prompts = prompts;
    this.#owed = owed;
    this.#ports = ports;
    this.#respawn = new Respawn(ports.clock, ports.unit);
    this.#start = start;
  }

  /** One runs under another version's keeper, and is left alone. */
  get isOfOtherVersion(): boolean {
    return this.#isOfOtherVersion;
  }

  /** It was started, and follows on whatever ran under another version before. */
  started(): void {
    this.#isOfOtherVersion = false;
  }

  /** The conversation is to end, and whatever still runs of it. Where that fails, the next start of a window ends it. */
  end(): void {
    this.cancel();
    if (this.#isOfOtherVersion) void this.#ports.endLeft().catch(() => undefined);
  }

  crashed(detail: string): void {
    this.#lose({ code: 'agent_crashed', message: crashText(detail) }, true);
  }

  notStarted(code: AgentStartFailure): void {
    this.#isOfOtherVersion = code === 'other_version';
    // What a person has to mend first is not tried again.
    const isRetried = code === 'agent_failed' && this.#respawn.isTried;
    this.#lose({ code, message: startFailureText(code) }, isRetried);
  }

  /** Somebody else starts it, or nobody does any more. */
  cancel(): void {
    this.#respawn.cancel();
  }

  /** It works. */
  reset(): void {
    this.#respawn.reset();
  }

  dispose(): void {
    this.#respawn.dispose();
  }

  #lose(error: Pick<ErrorBlock, 'code' | 'message'>, isRetried: boolean): void {
    const planned = isRetried ? this.#respawn.plan() : undefined;
    if (planned !== undefined) this.#respawn.schedule(planned, this.#start);
    this.#owed.owe(() => tellError(this.#record, this.#ports, error, planned));
    if (planned === undefined) this.#owed.owe(() => this.#prompts.hold());
  }
}
