import assert from 'node:assert/strict';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import { errorFrame, relayStatus, sessionRequest, sessionResume } from '../../../core/protocol/relayFrame.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('relay: the phone app comes back by resume tokens', () => {
  let chain: Chain;
  let session: PhoneSession;
  beforeEach(async () => {
    chain = await startChain({ proxied: true });
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'write a note');
    await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
  });
  afterEach(() => chain.dispose());

  /** How the session was asked for so far, and what was refused of it. */
  function asked(): readonly string[] {
    return (chain.proxy?.seen ?? []).flatMap(({ side, text }) => {
      const value = jsonValue(text);
      const refused = errorFrame.safeParse(value);
      if (side === 'fromRelay')
        return refused.success && refused.data.session_id === session.id ? [refused.data.code] : [];
      const frames = [sessionRequest.safeParse(value), sessionResume.safeParse(value)];
      return frames.flatMap(frame =>
        // What the relay says to the window goes by the other side.
        frame.success && frame.data.session_id === session.id ? [frame.data.type] : [],
      );
    });
  }

  async function cut(): Promise<void> {
    chain.cutPhone();
    await untilSignal('offline', session.channel, channel => channel.phase !== 'open');
    await untilSignal('the present', session.isCurrent, current => current);
  }

  /** Every status reaches the phone with its tokens changed. */
  function tamper(change: (token: string) => string): void {
    assert.ok(chain.proxy);
    chain.proxy.meddle = (side, text) => {
      const status = relayStatus.safeParse(jsonValue(text));
      if (side === 'toRelay' || !status.success) return text;
      const resume_tokens: Record<string, string> = {};
      for (const [id, token] of Object.entries(status.data.resume_tokens)) resume_tokens[id] = change(token);
      return JSON.stringify({ ...status.data, resume_tokens });
    };
  }

  it('opens with session_request, and after each cut with session_resume [T45] [T47]', async () => {
    assert.deepEqual(asked(), ['session_request']);
    await cut();
    await cut();
    assert.deepEqual(asked(), ['session_request', 'session_resume', 'session_resume']);
    await chain.restartRelay();
    await untilSignal('offline', session.channel, channel => channel.phase !== 'open');
    await untilSignal('the present', session.isCurrent, current => current);
    assert.equal(asked().includes('unauthorized'), false);
  });

  it('shows a token that is no good once, then asks without it: no loop, and the same session [T48]', async () => {
    tamper(token => `${token.slice(0, -4)}AAAA`);
    await cut();
    assert.deepEqual(asked(), ['session_request', 'session_resume', 'unauthorized', 'session_request']);
    const desk = chain.bridge.sessions.find(session.id);
    assert.equal(session.conversation.value.seq, desk?.lastSeq);
    assert.equal(session.pending.value.length, 1);
  });

  it('gives the machine no reason to trust: a permit alone opens no channel [T48]', async () => {
    // Routed by a token that holds, with a handshake of nobody: the machine answers as it does to any stranger.
    assert.ok(chain.proxy);
    let isSpoiled = false;
    chain.proxy.meddle = (side, text) => {
      const frame = sessionResume.safeParse(jsonValue(text));
      if (side === 'fromRelay' || isSpoiled || !frame.success) return text;
      isSpoiled = true;
      return JSON.stringify({ ...frame.data, ios_epk: Buffer.alloc(96, 9).toString('base64') });
    };
    await cut();
    assert.deepEqual(asked().slice(0, 4), [
      'session_request',
      'session_resume',
      'unauthorized',
      'session_request',
    ]);
    const refusals = chain.logger.lines.filter(line => line.startsWith('handshake.refused'));
    assert.equal(refusals.length, 1);
  });
});
