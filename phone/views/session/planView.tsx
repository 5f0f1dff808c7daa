import type { JSX } from 'preact';
import type { PlanBlock, PlanItem } from '../../../core/protocol/block/toolBlocks.ts';
import { VisibleText } from '../parts/visibleTextView.tsx';

/** What the agent means to do, and how far it is. */
export function PlanView({ plan }: { readonly plan: PlanBlock }): JSX.Element | null {
  if (plan.items.length === 0) return null;
  const done = plan.items.filter(item => item.status === 'completed').length;
  return (
    <section class="plan" aria-label="Plan">
      <p class="quiet-text">
        Plan: {done} of {plan.items.length} done
      </p>
      <ul>
        {plan.items.map((item, index) => (
          <li key={item.id ?? index} class={item.status}>
            <span class="plan-status">{statusText(item.status)}</span> <VisibleText text={item.text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function statusText(status: PlanItem['status']): string {
  switch (status) {
    case 'pending':
      return 'To do';
    case 'in_progress':
      return 'Now';
    case 'completed':
      return 'Done';
  }
}
