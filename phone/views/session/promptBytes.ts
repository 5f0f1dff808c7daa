const encoder = new TextEncoder();

/** Size of a prompt as the machine counts it. */
export function promptBytes(text: string): number {
  return encoder.encode(text).length;
}
