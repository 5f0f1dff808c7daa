import type { ReadonlySignal } from '@preact/signals';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { untilSignal } from '../fakes/until.ts';

/** A real agent takes seconds to start, and more on a busy machine. */
const deadlineMs = 45_000;

type Request = PhoneSession['pending']['value'][number];

/** Waits for something that a phone knows. */
export function untilPhone<V, T>(
  what: string,
  signal: ReadonlySignal<V>,
  check: (value: V) => T | undefined | false,
): Promise<T> {
  return untilSignal(what, signal, check, deadlineMs);
}

async function untilSession<T>(what: string, session: PhoneSession, check: () => T | undefined): Promise<T> {
  try {
    return await untilPhone(what, session.conversation, check);
  } catch (error) {
    throw new Error(`${String(error)}; on the phone:\n${shown(session).join('\n')}`);
  }
}

/** Waits until so many turns have ended, as the phone sees it. @returns how */
export function ended(session: PhoneSession, count = 1): Promise<readonly string[]> {
  return untilSession(`the end of turn ${String(count)}`, session, () => {
    const ends = [...session.conversation.value.entries.values()].flatMap(entry =>
      entry.type === 'session_end' ? [entry.reason] : [],
    );
    return ends.length >= count ? ends : undefined;
  });
}

/** Waits until the phone is asked for something, and may answer. */
export async function asked(session: PhoneSession): Promise<Request> {
  const request = await untilPhone('a request', session.pending, pending => pending[0]);
  await untilPhone('the present', session.isCurrent, current => current);
  return request;
}

/** The phone answers the next request. */
export async function answer(session: PhoneSession, kind: 'allow_once' | 'deny'): Promise<void> {
  const request = await asked(session);
  const option = request.options.find(candidate => candidate.kind === kind);
  if (option === undefined) throw new Error(`there is no ${kind}`);
  await session.answer(request, option);
}

/** The answers that the phone shows, as far as they have grown. */
export function texts(session: PhoneSession): readonly string[] {
  const { order, entries } = session.conversation.value;
  return order.flatMap(id => {
    const entry = entries.get(id);
    return entry?.type === 'text' ? [entry.text.trim()] : [];
  });
}

/** What the phone shows, a line for each thing. */
export function shown(session: PhoneSession): readonly string[] {
  const { order, entries, results } = session.conversation.value;
  return order.flatMap(id => {
    const entry = entries.get(id);
    if (entry?.type === 'user_echo') return [`prompt ${entry.state}: ${entry.text}`];
    if (entry?.type === 'text') return [`text: ${entry.text.trim()}`];
    if (entry?.type === 'session_end') return [`end ${entry.reason}`];
    if (entry?.type === 'handoff_state') return [entry.state];
    if (entry?.type === 'progress') return [`note: ${entry.label}`];
    if (entry?.type !== 'tool_call') return [];
    return [`${entry.name} ${entry.status}: ${results.get(id)?.outcome ?? 'no result'}`];
  });
}

/** Waits until the phone shows a line. */
export function untilShown(session: PhoneSession, line: string | RegExp): Promise<string> {
  return untilSession(`on the phone: ${String(line)}`, session, () =>
    shown(session).find(each => (typeof line === 'string' ? each === line : line.test(each))),
  );
}
