import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { negativeSchema } from './negativeSchema.ts';
import { base64, frame, hex, registerFrame } from './vectorParts.ts';

const prologueFields = {
  kind: z.enum(['pair', 'session']),
  bridge_id: z.string(),
  instance_id: z.string(),
  session_id: z.string(),
  prologue: hex,
};

const handshake = z.object({
  ...prologueFields,
  S_b_priv: hex,
  S_b_pub: hex,
  S_d_priv: hex,
  S_d_pub: hex,
  e_app_priv: hex,
  e_app_pub: hex,
  e_bridge_priv: hex,
  e_bridge_pub: hex,
  psk: hex,
  message_1: hex,
  message_1_ios_epk: base64,
  h_after_message_1: hex,
  ck_after_message_1: hex,
  message_2: hex,
  message_2_bridge_epk: base64,
  h: hex,
  ck: hex,
  key_app_to_bridge_epoch_0: hex,
  key_bridge_to_app_epoch_0: hex,
  ch: z.string(),
  trace: z.array(z.object({ after: z.string(), h: z.string(), ck: z.string(), k: z.nullable(z.string()) })),
  sas_code: z.optional(z.string()),
  session_psk: z.optional(hex),
  device_id: z.string(),
});

const envelopeParts = {
  label: z.string(),
  channel: z.string(),
  dir: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  epoch: z.number(),
  counter: z.number(),
  server_ts_ms: z.number(),
  aad_dest: z.string(),
  key: hex,
  nonce: hex,
  aad: hex,
};

const envelope = z.object({
  ...envelopeParts,
  frame,
  plaintext: hex,
  padded_plaintext: hex,
  padded_len: z.number(),
  ciphertext_and_tag: hex,
});

/** The largest frame is given by a rule and a hash. */
const hashedEnvelope = z.object({
  ...envelopeParts,
  frame: z.omit(frame, { enc: true }),
  plaintext_len: z.number(),
  plaintext_rule: z.literal('the byte 61 x 192511'),
  raw_enc_sha256: hex,
  enc_base64_len: z.number(),
});

const relayLink = z.object({
  relay_origin: z.string(),
  challenge_nonce: hex,
  e_r_priv: hex,
  e_r_pub: hex,
  e_b_priv: hex,
  e_b_pub: hex,
  K_b_seed: hex,
  K_b_pub: hex,
  register_mac: z.object({ frame: registerFrame, signed_bytes: hex }),
  register_ed25519: z.object({ frame: registerFrame, signed_bytes: hex }),
  register_empty_lists: z.object({ frame: registerFrame, signed_bytes: hex }),
  shared_secret: hex,
  mac_key: hex,
  sig_mac: z.array(z.object({ label: z.string(), conn_seq: z.number(), frame, aad: hex, sig: hex })),
  sig_ed25519: z.array(z.object({ label: z.string(), frame, signed_bytes: hex, sig: hex })),
});

const group = z.object({
  dest: z.string(),
  session_id: z.string(),
  K_b_pub: hex,
  key_epoch_0: hex,
  ch_epoch_0: hex,
  key_after_join: hex,
  ch_after_join: hex,
  second_join_ratchet_out: hex,
  key_after_leave_given: hex,
  ch_after_leave: hex,
  frames: z.array(
    z.object({
      label: z.string(),
      epoch: z.number(),
      counter: z.number(),
      key: hex,
      ch: hex,
      frame,
      nonce: hex,
      aad: hex,
      body: hex,
      inner_signed_bytes: hex,
      inner_sig: hex,
      padded_plaintext: hex,
      ciphertext_and_tag: hex,
      relay_sig_example: z.optional(z.object({ conn_seq: z.number(), sig: hex })),
    }),
  ),
});

const profile = z.object({
  prologues: z.array(z.object(prologueFields)),
  pairing: handshake,
  session: handshake,
  session_ctl: handshake,
  session_second_device: handshake,
  server_ts_rounding: z.array(z.object({ server_ts_json: z.string(), ms: z.number() })),
  padded_lengths: z.array(z.object({ plaintext_len: z.number(), padded_len: z.number() })),
  pairing_frames: z.array(envelope),
  envelopes: z.array(envelope),
  padding: z.array(z.union([envelope, hashedEnvelope])),
  rekey: z.object({
    key_epoch_0: hex,
    key_epoch_1: hex,
    key_epoch_2: hex,
    frames: z.array(envelope),
  }),
  relay_link: relayLink,
  device_hello: z.object({
    K_d_priv: hex,
    K_d_pub_uncompressed: hex,
    relay_origin: z.string(),
    challenge_nonce: hex,
    device_id: z.string(),
    signed_bytes: hex,
    proof: hex,
  }),
  group,
  approval_digest: z.object({
    cases: z.array(
      z.object({
        action: z.object({
          agent_id: z.string(),
          session_id: z.string(),
          turn_id: z.string(),
          tool: z.string(),
          input: z.unknown(),
          cwd: z.string(),
        }),
        canonical_utf8: z.string(),
        digest: z.string(),
      }),
    ),
  }),
  negatives: z.array(negativeSchema),
});

export type HandshakeVector = z.infer<typeof handshake>;
export type EnvelopeVector = z.infer<typeof envelope>;

const text = readFileSync(new URL('../../vectors/profile-v1.json', import.meta.url), 'utf8');

/** The vectors of the profile, minted by a second implementation. */
export const profileVectors = profile.parse(JSON.parse(text));
