import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { PromptPart } from './promptContent.ts';

/** What Claude Code is told with `--input-format stream-json`, one JSON object a line. */
export type ClaudeInput =
  | {
      readonly type: 'user';
      readonly message: { readonly role: 'user'; readonly content: string | readonly PromptPart[] };
    }
  | {
      readonly type: 'control_request';
      readonly request_id: string;
      readonly request: ControlRequest;
    }
  | { readonly type: 'control_response'; readonly response: ControlResponse };

/** What Claude Code is asked to do beside the conversation. */
export type ControlRequest =
  /** What sub-agents say is told, too. */
  | { readonly subtype: 'initialize'; readonly forwardSubagentText: true }
  | { readonly subtype: 'interrupt' }
  | { readonly subtype: 'set_model'; readonly model: string }
  | { readonly subtype: 'set_permission_mode'; readonly mode: string }
  | { readonly subtype: 'apply_flag_settings'; readonly settings: { readonly effortLevel: string } };

type ControlResponse =
  | { readonly subtype: 'success'; readonly request_id: string; readonly response: PermissionAnswer }
  | { readonly subtype: 'error'; readonly request_id: string; readonly error: string };

/** Of a permission request. `updatedPermissions` takes back suggestions of the request, unchanged. */
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput: ToolInput;
      readonly updatedPermissions?: readonly ToolInput[];
    }
  /** `interrupt`: the turn ends with it. */
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: true };

export function userMessage(content: string | readonly PromptPart[]): ClaudeInput {
  return { type: 'user', message: { role: 'user', content } };
}

export function permissionAnswer(request_id: string, response: PermissionAnswer): ClaudeInput {
  return { type: 'control_response', response: { subtype: 'success', request_id, response } };
}

/** For a request that we do not know: without an answer Claude Code would wait for ever. */
export function unsupported(request_id: string): ClaudeInput {
  const error = 'not supported by this client';
  return { type: 'control_response', response: { subtype: 'error', request_id, error } };
}
