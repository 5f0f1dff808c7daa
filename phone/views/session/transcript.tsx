import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ChannelState } from '../../net/channelState.ts';
import { Icon } from '../parts/icon.tsx';
import { EntryView } from './entryView.tsx';
import { OutgoingView } from './outgoingView.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import { isWaiting, transcriptOrder } from './transcriptOrder.ts';
import { worksInSilence } from './worksInSilence.ts';
import { useFollow } from './useFollow.ts';

/** Entries drawn at first, and more at each step back. */
const page = 120;

/** What was said and done, oldest first. */
export function Transcript({
  machine,
  session,
}: Pick<SessionProperties, 'machine' | 'session'>): JSX.Element {
  const conversation = session.conversation.value;
  const { complete } = conversation;
  const order = transcriptOrder(conversation);
  const outbox = session.outbox.value;
  const { box, content, hasNews, toEnd, onScroll } = useFollow(conversation.entries);
  const [shown, setShown] = useState(page);
  const fromEnd = useRef<number | undefined>(undefined);
  // What was in sight stays in sight when older entries come in above it.
  useLayoutEffect(() => {
    if (box.current === null || fromEnd.current === undefined) return;
    box.current.scrollTop = box.current.scrollHeight - fromEnd.current;
    fromEnd.current = undefined;
  }, [shown, order.length, box]);
  const showEarlier = (): void => {
    if (box.current !== null) fromEnd.current = box.current.scrollHeight - box.current.scrollTop;
    setShown(shown + page);
    if (order.length <= shown + page) void session.loadEarlier();
  };
  const drawn = order.slice(-shown);
  // What waits is last. One list for all: what is being edited stays the same when it goes.
  const entries = drawn.map(id => <EntryView key={id} id={id} machine={machine} session={session} />);
  const readCount = drawn.filter(id => !isWaiting(conversation.entries.get(id))).length;
  const isEmpty = order.length === 0 && outbox.length === 0;
  return (
    <main class="transcript-frame">
      <div
        ref={box}
        class="scroll transcript"
        role="log"
        aria-label="Transcript"
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content} class="measure entries">
          {(order.length > shown || conversation.oldest > 1) && (
            <button
              type="button"
              class="button quiet"
              disabled={session.loadingEarlier.value}
              onClick={showEarlier}
            >
              {session.loadingEarlier.value ? 'Fetching what was before…' : 'Show earlier'}
            </button>
          )}
          {entries.toSpliced(readCount, 0, <Working key="working" session={session} />)}
          {outbox.map(prompt => (
            <OutgoingView key={prompt.clientMsgId} prompt={prompt} session={session} />
          ))}
          {isEmpty && <p class="empty-line">{emptyText(complete, session.channel.value)}</p>}
        </div>
      </div>
      {hasNews && (
        <button type="button" class="latest" onClick={toEnd}>
          <Icon name="down" />
          Latest
        </button>
      )}
    </main>
  );
}

function emptyText(complete: boolean, channel: ChannelState): string {
  if (complete) return 'Nothing was said yet.';
  return channel.phase === 'open' || channel.phase === 'opening' ? 'Fetching the transcript…' : '';
}

/** The agent works and nothing of it is to be seen yet. */
function Working({ session }: Pick<SessionProperties, 'session'>): JSX.Element | null {
  const isSilent = useComputed(() => worksInSilence(session.conversation.value));
  if (!isSilent.value) return null;
  return <p class="working">{session.conversation.value.summary?.agent_name ?? 'The agent'} is working…</p>;
}
