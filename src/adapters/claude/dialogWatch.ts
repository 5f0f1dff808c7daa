import type { DialogStatus } from './dialogStatus.ts';

/** A dialog that no hook tells of is one when it has stayed for so long; a hook's process takes its time to start. */
const unexplainedMs = 2_000;
/** How long after a hook has asked the note of its dialog may come. One that never comes was decided by another hook. */
const noteMs = 3_000;

interface Watched {
  /** Unix milliseconds, as all times here. */
  readonly askedAt: number;
  /** Since when Claude Code waited when the dialog was first seen; undefined before it was. */
  readonly since: number | undefined;
}

/** What is known of the dialogs of one Claude Code, and of who answers them. */
export interface DialogWatch {
  readonly open: ReadonlyMap<string, Watched>;
  /** When the last hook was done with. */
  readonly closedAt: number;
  readonly needsDesk: boolean;
}

export const noDialogs: DialogWatch = { open: new Map(), closedAt: 0, needsDesk: false };

/** Takes over which hooks ask now. */
export function watchAsks(watch: DialogWatch, ids: readonly string[], now: number): DialogWatch {
  const open = new Map(ids.map(id => [id, watch.open.get(id) ?? { askedAt: now, since: undefined }]));
  const isFewer = [...watch.open.keys()].some(id => !open.has(id));
  return { open, closedAt: isFewer ? now : watch.closedAt, needsDesk: watch.needsDesk && open.size === 0 };
}

/**
 * Looks at what Claude Code notes of itself: a hook is not told when its dialog is answered at the desk.
 *
 * @returns also the hooks whose dialogs are gone: somebody at the desk, or another hook, has answered them
 */
export function lookAtDialogs(
  watch: DialogWatch,
  status: DialogStatus | undefined,
  now: number,
): { readonly watch: DialogWatch; readonly settled: readonly string[] } {
  if (status === undefined) return { watch: { ...watch, needsDesk: false }, settled: [] };
  const { isWaiting, since } = status;
  const dialogs = [...watch.open];
  const earlier = dialogs.filter(([, each]) => each.since !== undefined && each.since !== since);
  const settled = isWaiting
    ? // It has waited, gone on, and waits again. Which one of several is meant, the conversation's record says.
      earlier.slice(0, earlier.length === 1 ? 1 : 0)
    : dialogs.filter(([, each]) => each.since !== undefined || wasMissed(each, since, now));
  const seen = dialogs.map(
    ([id, each]) => [id, isWaiting && each.since === undefined ? { ...each, since } : each] as const,
  );
  const isUnexplained =
    isWaiting && seen.length === 0 && now - Math.max(since, watch.closedAt) > unexplainedMs;
  return {
    watch: { ...watch, open: new Map(seen), needsDesk: isUnexplained },
    settled: settled.map(([id]) => id),
  };
}

/** It has waited and gone on between two looks; or no dialog has come. */
function wasMissed({ askedAt }: Watched, goesOnSince: number, now: number): boolean {
  return goesOnSince > askedAt || now - askedAt > noteMs;
}
