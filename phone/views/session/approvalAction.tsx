import type { JSX } from 'preact';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { approvalFields, lengthText, type ApprovalField } from './approvalFields.ts';

interface Properties {
  readonly request: PermissionRequest;
  /** Undefined while they are fetched. */
  readonly input: ToolInput | undefined;
}

/** Everything that would run: each argument in full, and the folder. */
export function ApprovalAction({ request, input }: Properties): JSX.Element {
  const fields = approvalFields(input ?? {});
  const canAllow = request.options.some(option => option.kind !== 'deny');
  return (
    <div class="action">
      <p class="action-folder">
        in{' '}
        <span class="path">
          <VisibleText text={request.cwd} />
        </span>
      </p>
      {fields.map(field => (
        <Field key={field.name} field={field} />
      ))}
      {input !== undefined && fields.length === 0 && canAllow && (
        <p class="quiet-text">Without any arguments.</p>
      )}
      {fields.length === 0 && !canAllow && (
        <p class="problem">
          The action is too long to be shown here in full, so it can only be allowed at the desk.
        </p>
      )}
    </div>
  );
}

function Field({ field }: { readonly field: ApprovalField }): JSX.Element {
  const length = lengthText(field.value);
  return (
    <div class="argument">
      {(!field.isCommand || length !== undefined) && (
        <p class="argument-name">
          <VisibleText text={field.name} />
          {length !== undefined && <span class="argument-lines">{length}</span>}
        </p>
      )}
      <pre class={field.isCommand ? 'value command' : 'value'} tabIndex={0} aria-label={field.name}>
        <VisibleText text={field.value} />
      </pre>
    </div>
  );
}
