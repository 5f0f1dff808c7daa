import * as z from 'zod/mini';

const phone = z.object({ id: z.string(), name: z.string(), connected: z.boolean() });

/** Why a pairing ended without a phone; the webview has the words. */
export const panelFailure = z.enum([
  'expired',
  'wrong_code',
  'phone_left',
  'too_many_devices',
  'rate_limited',
  'relay_offline',
  'relay_refused',
]);
export type PanelFailure = z.infer<typeof panelFailure>;

export const panelPairing = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('idle') }),
  z.object({ phase: z.literal('starting') }),
  z.object({
    phase: z.literal('waiting'),
    link: z.string(),
    /** The QR code as an SVG path over a square of `size` modules, quiet zone included. */
    qr: z.object({ path: z.string(), size: z.int() }),
    remainingMs: z.number(),
    refused: z.int(),
  }),
  z.object({ phase: z.literal('code'), phoneName: z.string(), refused: z.int() }),
  z.object({ phase: z.literal('registering'), phoneName: z.string() }),
  z.object({ phase: z.literal('paired'), phoneName: z.string() }),
  z.object({ phase: z.literal('failed'), reason: panelFailure }),
]);
export type PanelPairing = z.infer<typeof panelPairing>;

export const panelState = z.object({
  relay: z.string(),
  connection: z.enum(['online', 'connecting', 'refused', 'off']),
  phones: z.array(phone),
  pairing: panelPairing,
});
/** All that the panel shows. The host owns it and sends it whole. */
export type PanelState = z.infer<typeof panelState>;

export const toWebview = z.object({ type: z.literal('state'), state: panelState });
export type ToWebview = z.infer<typeof toWebview>;

export const fromWebview = z.discriminatedUnion('type', [
  /** The page has loaded, or has become visible again. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('pair') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('copyLink') }),
  z.object({ type: z.literal('openLink') }),
  z.object({ type: z.literal('code'), code: z.string().check(z.maxLength(32)) }),
]);
export type FromWebview = z.infer<typeof fromWebview>;
