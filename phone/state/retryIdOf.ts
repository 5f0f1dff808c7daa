/** Of the first prompt's id: keeps the whole within what an id may have. */
const rootChars = 88;

/**
 * The id under which a prompt that was not delivered is sent again. Made of the first one's, not drawn: two taps, two phones
 * and a reload in between all mean the same second prompt, which is taken once.
 */
export function retryIdOf(clientMsgId: string): string {
  const [, count = '0', root = clientMsgId] = /^retry(\d{1,6})\.(.+)$/.exec(clientMsgId) ?? [];
  return `retry${String(Number(count) + 1)}.${root.slice(-rootChars)}`;
}
