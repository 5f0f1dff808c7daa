/** What a key press tells. */
export interface KeyPress {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** `keyCode` of a press that an input method takes for itself; some browsers tell only this of a composition's end. */
const takenByInputMethod = 229;

/**
 * Whether a key press sends the prompt. Enter that ends a composition is the input method's; on a keyboard on the screen
 * Enter makes a line, since there is no other key for it.
 *
 * @param hardware whether a pointer says that there is a real keyboard
 */
export function sendsPrompt(press: KeyPress, hardware: boolean): boolean {
  if (press.key !== 'Enter' || press.isComposing || press.keyCode === takenByInputMethod) return false;
  if (press.ctrlKey || press.metaKey) return true;
  return hardware && !press.shiftKey && !press.altKey;
}
