import type { JSX } from 'preact';
import type { SessionProperties } from './sessionProperties.ts';

/** Says what the eye sees: that the agent is done, or has a problem. An approval says so itself. */
export function NewsLine({ session, listed }: Pick<SessionProperties, 'session' | 'listed'>): JSX.Element {
  const news = session.news.value;
  const agent = session.conversation.value.summary?.agent_name ?? listed?.agent_name ?? 'The agent';
  const text =
    news?.kind === 'done' ? `${agent} is done.` : news?.kind === 'error' ? `${agent} has a problem.` : '';
  return (
    <p class="sr-only" role="status">
      {/* The same words again are said only when they are put there anew. */}
      {text !== '' && <span key={news?.key}>{text}</span>}
    </p>
  );
}
