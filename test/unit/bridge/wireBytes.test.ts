import assert from 'node:assert/strict';
import { TextPatcher } from '../../../core/channel/textPatcher.ts';
import { encodeBinaryEnvelope } from '../../../core/protocol/envelope/binaryEnvelope.ts';
import { blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import type { BridgeMessage } from '../../../core/protocol/message.ts';
import { nodeSha256 } from '../../../platform/node/nodeHash.ts';
import { LiveText, type GrowingBlock } from '../../../src/session/liveText.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';
import { DEVICE, livePair } from '../crypto/channelPair.ts';

const tokens = 8_000;
const tokensPerSecond = 50;
const words = [
  'answer',
  ' the',
  ' of',
  ' to',
  '\n',
  ' function',
  ' it',
  ', and',
  ' "quoted"',
  ' größer',
  ' 漢字',
];

describe('what a growing answer costs on the wire [T26]', () => {
  it('is little more than its text, at ten updates a second at most, however long it is', async () => {
    const clock = new StoppedClock();
    const { bridge } = await livePair({ clock });
    const session = sessionId.parse('0123456789abcdef0123456789abcdef');
    const patcher = new TextPatcher(text => Buffer.from(nodeSha256(Buffer.from(text))).toString('hex'));
    const messages: { readonly told: BridgeMessage; readonly whole: BridgeMessage }[] = [];
    const tell = (block: GrowingBlock, seq: number | undefined): void => {
      const patch = patcher.next(block);
      messages.push(
        seq === undefined
          ? {
              told: { kind: 'patch', generation: 0, patch },
              whole: { kind: 'live', generation: 0, block },
            }
          : {
              told: { kind: 'event_patch', seq, generation: 0, patch },
              whole: { kind: 'event', seq, generation: 0, block },
            },
      );
    };
    let seq = 0;
    const live = new LiveText(
      clock,
      block => tell(block, undefined),
      block => tell(block, (seq += 1)),
    );
    const block = {
      type: 'text' as const,
      ts: 1_800_000_000.123,
      turn_id: turnId.parse(`turn_${'a'.repeat(32)}`),
      id: blockId.parse('msg_01XFDUDYJgAACzvnptvVoYEL.0'),
    };
    let text = '';
    for (let token = 0; token < tokens; token += 1) {
      text += words[token % words.length] ?? '';
      live.update({ ...block, text, done: false });
      clock.pass(1_000 / tokensPerSecond);
    }
    live.close(block.id);
    tell({ ...block, text, done: true }, (seq += 1));

    let bytes = 0;
    let wholeBytes = 0;
    for (const { told, whole } of messages) {
      const sizes = [];
      for (const message of [told, whole]) {
        const timeMs = clock.now();
        const sealed = await bridge.seal(
          { blockType: 'text', replay: false, serverTsMs: timeMs },
          Buffer.from(JSON.stringify(message)),
        );
        assert.ok(sealed.ok);
        const enc = sealed.value;
        sizes.push(
          encodeBinaryEnvelope({
            type: 'block',
            sessionId: session,
            timeMs,
            enc,
            hint: 'text',
            replay: false,
            dest: DEVICE,
            sig: new Uint8Array(16),
          }).length,
        );
      }
      bytes += sizes[0] ?? 0;
      wholeBytes += sizes[1] ?? 0;
    }
    const textBytes = Buffer.byteLength(text);
    const updates = messages.length;
    const seconds = tokens / tokensPerSecond;
    const overhead = (bytes - textBytes) / updates;
    console.log(
      `      ${String(tokens)} tokens, ${String(textBytes)} B of text, ${String(updates)} updates: ${String(bytes)} B, ` +
        `${overhead.toFixed(0)} B an update above the text; each time whole: ${String(wholeBytes)} B (${(wholeBytes / bytes).toFixed(0)} times)`,
    );
    assert.ok(updates <= seconds * 10, `${String(updates)} updates in ${String(seconds)} s`);
    assert.ok(bytes <= 1.3 * textBytes + 400 * updates, `${String(bytes)} B`);
    assert.ok(bytes <= wholeBytes / 20, `${String(wholeBytes / bytes)} times`);
  });
});
