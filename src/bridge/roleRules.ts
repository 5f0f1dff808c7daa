import type { ControlType } from '../../core/protocol/control/control.ts';
import type { PairedDevice } from './pairedDevice.ts';

type Role = PairedDevice['role'];

/** Only reads: it changes nothing, and nobody who is paired is kept from it. */
export type ReadType = 'list_sessions' | 'request_status' | 'history_request' | 'get_content';

/** Looks at what its user says to agents elsewhere: nobody has shared that yet. */
export type ExternalType = 'list_external_sessions';

/** Looks at a terminal: no change either, but a screen shows more than was said and done, such as what is typed before it is said. */
export type ScreenType = 'screen_look' | 'screen_page';

/** From the one who may least: a role may do what is meant for it and for those before it. */
const ranks = ['viewer', 'co_driver', 'owner'] as const satisfies readonly Role[];

/**
 * The least role that may ask for a control (architecture D11, requirement C52). A viewer reads; a co-driver also tells the
 * agent what to do and stops it; what is approved, opened, ended or set is the owner's alone, and so is what is not done yet.
 * A new control has no rule until it is given one here.
 */
const rules: { readonly [T in ControlType]: T extends ReadType ? 'viewer' : Role } = {
  list_sessions: 'viewer',
  request_status: 'viewer',
  history_request: 'viewer',
  get_content: 'viewer',
  resume: 'viewer',
  detach: 'viewer',
  ping: 'viewer',
  // Its own key, and no other's.
  rotate_key: 'viewer',
  screen_look: 'co_driver',
  screen_page: 'co_driver',
  user_message: 'co_driver',
  suggest_prompt: 'co_driver',
  interrupt: 'co_driver',
  permission_response: 'owner',
  question_response: 'owner',
  suggestion_decision: 'owner',
  open: 'owner',
  end_session: 'owner',
  set_mode: 'owner',
  set_model: 'owner',
  set_effort: 'owner',
  slash_command: 'owner',
  release_to_terminal: 'owner',
  // What waits may be another's.
  cancel_queued: 'owner',
  edit_queued: 'owner',
  send_queued: 'owner',
  rename: 'owner',
  list_external_sessions: 'owner',
  bind_external: 'owner',
  list_models: 'owner',
  get_usage: 'owner',
  get_settings: 'owner',
  set_settings: 'owner',
  pin_thread: 'owner',
  unpin_thread: 'owner',
  settle_thread: 'owner',
  unsettle_thread: 'owner',
  upload: 'owner',
  stt_chunk: 'owner',
  stt_end: 'owner',
  type_text: 'owner',
  press_key: 'owner',
  terminal_input: 'owner',
  terminal_resize: 'owner',
};

/** Whether a phone of this role may ask for it. */
export function mayAsk(role: Role, control: ControlType): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(rules[control]);
}
