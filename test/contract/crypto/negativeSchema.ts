import * as z from 'zod/mini';
import { base64, frame, hex, registerFrame } from './vectorParts.ts';

const receiver = z.object({
  recv_dir: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  ch: hex,
  session_id: z.string(),
  dest: z.string(),
  epoch: z.number(),
  expected_counter: z.number(),
  key: hex,
});

/** One refused input: who receives it, what comes in, and the outcome. */
export const negativeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('channel'),
    case: z.string(),
    expected: z.enum(['drop', 'resync', 'bad_padding']),
    receiver,
    frame,
  }),
  z.object({
    kind: z.literal('group'),
    case: z.string(),
    expected: z.enum(['drop', 'resync']),
    receiver: z.extend(receiver, { K_b_pub: hex }),
    frame,
  }),
  z.object({
    kind: z.literal('handshake_message_1'),
    case: z.string(),
    expected: z.enum(['unauthorized', 'refused_key']),
    responder: z.object({
      prologue: hex,
      S_b_priv: hex,
      psk: z.nullable(hex),
      allow_list: z.nullable(z.array(z.object({ S_d_pub: hex, psk: hex }))),
    }),
    ios_epk: base64,
  }),
  z.object({
    kind: z.literal('handshake_message_2'),
    case: z.string(),
    expected: z.enum(['unauthorized', 'refused_key']),
    initiator: z.object({
      prologue: hex,
      S_d_priv: hex,
      e_app_priv: hex,
      S_b_pub: hex,
      psk: hex,
      message_1: hex,
    }),
    bridge_epk: base64,
  }),
  z.object({
    kind: z.literal('initiator_static'),
    case: z.string(),
    expected: z.literal('refused_key'),
    S_b_pub: hex,
    e_app_priv: hex,
  }),
  z.object({
    kind: z.literal('relay_register'),
    case: z.string(),
    expected: z.enum(['unauthorized', 'refused_key']),
    relay: z.object({ relay_origin: z.string(), challenge_nonce: hex, e_r_priv: hex, K_b_pub: hex }),
    frame: registerFrame,
  }),
  z.object({
    kind: z.literal('bridge_challenge'),
    case: z.string(),
    expected: z.literal('refused_key'),
    e_b_priv: hex,
    e_r: hex,
  }),
  z.object({
    kind: z.literal('relay_sig'),
    case: z.string(),
    expected: z.literal('bad_mac'),
    relay: z.object({
      sig_mode: z.enum(['mac', 'ed25519']),
      conn_seq: z.number(),
      mac_key: z.nullable(hex),
      K_b_pub: hex,
    }),
    frame,
  }),
]);

export type NegativeVector = z.infer<typeof negativeSchema>;
