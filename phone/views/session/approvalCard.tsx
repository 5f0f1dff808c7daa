import { useComputed } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PermissionOption, PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { useShell } from '../../app/shell.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { answerFailureText } from './answerFailureText.ts';
import { ApprovalAction } from './approvalAction.tsx';
import { expiryText } from './expiryText.ts';
import { LongInputNote } from './longInputNote.tsx';
import { isTitleOfCommand } from './isTitleOfCommand.ts';
import { optionText, splitOptions } from './optionText.ts';
import { ReadToEnd } from './readToEnd.tsx';
import { riskText } from './riskText.ts';
import type { SessionProperties } from './sessionProperties.ts';
import { useArmed } from './useArmed.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly request: PermissionRequest;
  readonly count: number;
}

/** Exactly one action, in full, with its risk; and the answer. */
export function ApprovalCard({ request, count, session }: Properties): JSX.Element {
  const kind = useComputed(() => {
    const { entries } = session.conversation.value;
    const call = request.tool_call_id === undefined ? undefined : entries.get(request.tool_call_id);
    return call?.type === 'tool_call' ? call.kind : undefined;
  }).value;
  return (
    <section class="approval measure" role="group" aria-label="Approval" tabIndex={-1}>
      <ReadToEnd label="Action">
        <header class="approval-head">
          <p class="approval-tool">
            <VisibleText text={request.tool} />
            {count > 1 && <span class="approval-count">1 of {count}</span>}
          </p>
          <h2>{isTitleOfCommand(request) ? 'Run this command' : <VisibleText text={request.title} />}</h2>
          <p class={`risk ${request.risk}`}>
            <Icon name="warning" />
            {riskText(request.risk, kind)}
          </p>
        </header>
        <ApprovalAction request={request} input={session.longInputs.of(request)} />
        <LongInputNote request={request} session={session} />
      </ReadToEnd>
      <Answer request={request} session={session} />
    </section>
  );
}

function Answer({ request, session }: Omit<Properties, 'count'>): JSX.Element {
  const { now } = useShell();
  const reason = useId();
  const armed = useArmed();
  const answer = session.answers.value.get(request.id);
  const isCurrent = session.isCurrent.value;
  const { allow, deny, others } = splitOptions(request.options);
  const isShown = session.longInputs.of(request) !== undefined;
  const isSending = answer?.phase === 'sending';
  const button = (option: PermissionOption, style: string, icon: 'check' | 'cross' | undefined) => (
    <button
      key={option.id}
      type="button"
      class={`button wide ${style}`}
      disabled={!armed || !isCurrent || isSending || (!isShown && option.kind !== 'deny')}
      aria-describedby={reason}
      onClick={() => {
        void session.answer(request, option);
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {isSending && answer.optionId === option.id ? 'Sending…' : optionText(option, request.options)}
    </button>
  );
  return (
    <div class="approval-answer">
      <p id={reason} class={answer?.phase === 'failed' ? 'problem' : 'quiet-text'} role="status">
        {answer?.phase === 'failed'
          ? answerFailureText(answer.code)
          : isCurrent
            ? expiryText(request.expires_at, now.value)
            : 'Connection is not live: answers are off until it is back.'}
      </p>
      {others.map(option => button(option, '', undefined))}
      <div class="approval-buttons">
        {allow !== undefined && button(allow, 'primary allow', 'check')}
        {deny !== undefined && button(deny, 'deny', 'cross')}
      </div>
    </div>
  );
}
