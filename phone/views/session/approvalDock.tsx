import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { ApprovalCard } from './approvalCard.tsx';
import { QuestionCard } from './questionCard.tsx';
import type { SessionProperties } from './sessionProperties.ts';

/**
 * The oldest request that waits, then the oldest question: one at a time, so that no answer falls on another
 * (requirement M45).
 */
export function ApprovalDock({ session }: Pick<SessionProperties, 'session'>): JSX.Element {
  const pending = session.pending.value;
  const [request] = pending;
  const questions = session.questions.value;
  const [question] = request === undefined ? questions : [];
  const count = pending.length + questions.length;
  const dock = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const id = request?.id ?? question?.id;
  // The buttons of an answered request are gone: the focus goes to the next one, else to what happens next.
  useEffect(() => {
    if (!hadFocus.current) return;
    hadFocus.current = false;
    const next = dock.current?.querySelector<HTMLElement>('.approval');
    (next ?? document.querySelector<HTMLElement>('.transcript'))?.focus({ preventScroll: true });
  }, [id]);
  return (
    <div
      ref={dock}
      class="approval-dock"
      onFocusIn={() => {
        hadFocus.current = true;
      }}
      onFocusOut={event => {
        // Focus that goes nowhere was lost with its button.
        hadFocus.current = event.relatedTarget === null;
      }}
    >
      <p class="sr-only" role="status">
        {request !== undefined && `${request.tool} asks for approval: ${request.title}`}
        {question !== undefined && `A question: ${question.text}`}
      </p>
      {request !== undefined && (
        <ApprovalCard key={request.id} request={request} count={count} session={session} />
      )}
      {question !== undefined && (
        <QuestionCard key={question.id} question={question} count={count} session={session} />
      )}
    </div>
  );
}
