import type { Event } from '../../core/base/emitter.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import type { PermissionRequest } from '../../core/protocol/block/approvalBlocks.ts';
import type { ModelList, SettingsChanged, SlashCommand } from '../../core/protocol/block/agentBlocks.ts';
import { blockId, type SessionId, type TurnId } from '../../core/protocol/ids.ts';
import { bridgeCommands } from './bridgeCommands.ts';
import type { JournalEntry } from './journalEntry.ts';
import type { JournalHeader } from './journalHeader.ts';
import type { GrowingBlock } from './liveText.ts';
import { offeredPrompt, waitingPrompts } from './promptQueue.ts';
import type { SessionRecord, SessionUpdate } from './sessionRecord.ts';

/** What can be read of a session, by whoever follows it. */
export class SessionReader {
  protected readonly record: SessionRecord;
  readonly onDidUpdate: Event<SessionUpdate>;
  /** The summary may have changed. */
  readonly onDidChange: Event<void>;

  constructor(record: SessionRecord) {
    this.record = record;
    this.onDidUpdate = record.onDidUpdate;
    this.onDidChange = record.onDidChange;
  }

  get id(): SessionId {
    return this.header.session_id;
  }

  get header(): JournalHeader {
    return this.record.journal.header;
  }

  get lastSeq(): number {
    return this.record.journal.lastSeq;
  }

  /** The agent's own id of this conversation, once it is known. */
  get nativeId(): string | undefined {
    return this.record.state.agent?.native_id;
  }

  /** The models that the agent offers, once it has said so. */
  get models(): ModelList | undefined {
    return this.record.state.models;
  }

  /** How the agent is to work, as was chosen. */
  get chosen(): Pick<SettingsChanged, 'model' | 'effort' | 'agent_mode'> {
    return this.record.state.chosen;
  }

  /** Commands that can be given here. */
  get commands(): readonly SlashCommand[] {
    return this.record.state.agent?.slash_commands ?? bridgeCommands;
  }

  /** The turn that runs. */
  get turn(): TurnId | undefined {
    return this.record.state.turn;
  }

  /** Requests that wait, oldest first. */
  get pending(): readonly PermissionRequest[] {
    return this.record.state.pending;
  }

  /** Older blocks that still matter: who works here, what is asked, what runs, what waits. For a reader of the newest ones. */
  get carried(): readonly Block[] {
    const { agent, pending, questions, openCalls, openAgents, plan, usage, models, mode, updatedAt } =
      this.record.state;
    const offered = offeredPrompt(this.record.state);
    const waiting = [...(offered === undefined ? [] : [offered]), ...waitingPrompts(this.record.state)];
    const modes: Block[] =
      mode === 'ask' ? [] : [{ type: 'mode_changed', ts: updatedAt, id: blockId.parse('mode'), mode }];
    const choice = this.chosen;
    const chosen: Block[] =
      Object.keys(choice).length === 0
        ? []
        : [{ type: 'settings_changed', ts: updatedAt, id: blockId.parse('settings'), ...choice }];
    return [
      ...(agent === undefined ? [] : [agent]),
      ...modes,
      ...(plan === undefined ? [] : [plan]),
      ...(usage === undefined ? [] : [usage]),
      ...(models === undefined ? [] : [models]),
      ...chosen,
      ...openCalls.values(),
      ...openAgents.values(),
      ...pending,
      ...questions,
      ...waiting,
    ];
  }

  /** Texts that still grow, for a reader that joins. */
  get growing(): readonly GrowingBlock[] {
    return this.record.live.blocks;
  }

  history(sinceSeq: number): Iterable<JournalEntry> {
    return this.record.journal.since(sinceSeq);
  }
}
