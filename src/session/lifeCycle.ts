import { fail, ok, type Result } from '../../core/base/result.ts';

/** What a conversation's agent is doing (requirement C20). `streaming` and `waiting_for_approval` are what executing means. */
export const lifeStates = [
  'uninitialized',
  'initializing',
  'ready',
  'streaming',
  'waiting_for_approval',
  'interrupting',
  'failed',
  'terminating',
  'terminated',
] as const;
export type LifeState = (typeof lifeStates)[number];

export const lifeEvents = [
  /** An agent is being started. */
  'start',
  'started',
  'start_failed',
  /** A turn begins. */
  'prompt',
  /** The agent asks for permission, and nothing else was asked. */
  'ask',
  /** Nothing is asked any more: it was allowed, denied or withdrawn. */
  'answer',
  'interrupt',
  'turn_end',
  /** The agent's process ended, and nobody told it to. */
  'crash',
  /** The agent's process ended as it should. */
  'exit',
  /** The conversation is to end. */
  'end',
] as const;
export type LifeEvent = (typeof lifeEvents)[number];

/** Why an event is refused: what the conversation is instead. */
export type LifeRefusal =
  | 'not_started'
  | 'starting'
  | 'no_turn_runs'
  | 'turn_runs'
  | 'answer_awaited'
  | 'being_interrupted'
  | 'agent_failed'
  | 'ending'
  | 'ended';

interface Row {
  readonly refusal: LifeRefusal;
  readonly on: Readonly<Partial<Record<LifeEvent, LifeState>>>;
}

/** Every transition that there is; what is not here is refused. */
const table: Readonly<Record<LifeState, Row>> = {
  uninitialized: { refusal: 'not_started', on: { start: 'initializing', end: 'terminating' } },
  initializing: {
    refusal: 'starting',
    on: { started: 'ready', start_failed: 'failed', end: 'terminating' },
  },
  ready: {
    refusal: 'no_turn_runs',
    on: { prompt: 'streaming', crash: 'failed', exit: 'uninitialized', end: 'terminating' },
  },
  streaming: {
    refusal: 'turn_runs',
    on: {
      ask: 'waiting_for_approval',
      interrupt: 'interrupting',
      turn_end: 'ready',
      crash: 'failed',
      exit: 'uninitialized',
      end: 'terminating',
    },
  },
  waiting_for_approval: {
    refusal: 'answer_awaited',
    on: {
      answer: 'streaming',
      interrupt: 'interrupting',
      turn_end: 'ready',
      crash: 'failed',
      exit: 'uninitialized',
      end: 'terminating',
    },
  },
  interrupting: {
    refusal: 'being_interrupted',
    on: {
      // Asked for again, it is passed on again: the first one may have been lost on an agent that hangs.
      interrupt: 'interrupting',
      turn_end: 'ready',
      crash: 'failed',
      exit: 'uninitialized',
      end: 'terminating',
    },
  },
  failed: { refusal: 'agent_failed', on: { start: 'initializing', end: 'terminating' } },
  terminating: {
    refusal: 'ending',
    // However its process ends now, it was told to.
    on: { turn_end: 'terminating', crash: 'terminated', exit: 'terminated' },
  },
  terminated: { refusal: 'ended', on: {} },
};

/** The state after an event; or why there is no such step. Nothing is ever passed over in silence. */
export function reduceLife(state: LifeState, event: LifeEvent): Result<LifeState, LifeRefusal> {
  const { on, refusal } = table[state];
  const next = on[event];
  return next === undefined ? fail(refusal) : ok(next);
}

/** What one conversation's agent is doing now. */
export class LifeCycle {
  #state: LifeState;

  constructor(state: LifeState) {
    this.#state = state;
  }

  get state(): LifeState {
    return this.#state;
  }

  /** A turn runs that nobody has stopped. */
  get isExecuting(): boolean {
    return this.#state === 'streaming' || this.#state === 'waiting_for_approval';
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting_for_approval';
  }

  get isStopping(): boolean {
    return this.#state === 'interrupting';
  }

  /** A turn runs, or an agent is being started for one. */
  get isBusy(): boolean {
    return this.isExecuting || this.isStopping || this.#state === 'initializing';
  }

  /** Nothing is taken any more. */
  get isOver(): boolean {
    return this.#state === 'terminating' || this.#state === 'terminated';
  }

  /** @returns the new state, or why there is no such step: then nothing has changed */
  advance(event: LifeEvent): Result<LifeState, LifeRefusal> {
    const next = reduceLife(this.#state, event);
    if (next.ok) this.#state = next.value;
    return next;
  }
}
