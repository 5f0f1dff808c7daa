import type { Block } from '../../core/protocol/block/block.ts';
import { blockHintOf } from '../../core/protocol/blockHintOf.ts';
import type { ToldMessage } from '../../core/protocol/toldMessage.ts';
import type { DeviceChannel, SendOptions } from './deviceChannel.ts';
import { placeholderOf, shortenBlock, toldBlock } from './shortenBlock.ts';

/**
 * Tells a block in the longest form that goes out: whole, shortened, or as an error in its place. Its place is never left
 * out, for a reader that misses a `seq` starts over.
 *
 * @param messageOf the message that carries a form of it
 * @returns false once the channel is closed
 */
export async function tellBlock(
  channel: Pick<DeviceChannel, 'send'>,
  written: Block,
  messageOf: (form: Block) => ToldMessage,
  options: SendOptions = {},
): Promise<boolean> {
  const block = toldBlock(written);
  for (const formOf of [() => block, () => shortenBlock(block), () => placeholderOf(block)]) {
    const form = formOf();
    const sent = await channel.send(messageOf(form), blockHintOf(form), options);
    if (sent.ok) return true;
    if (sent.code === 'closed') return false;
  }
  return true;
}
