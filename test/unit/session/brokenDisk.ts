import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';

/** Of writes, counted from 1. */
type Which = (count: number) => boolean;
const all: Which = () => true;

/** Runs `run` while nothing can be written, or not those writes: the disk is full. */
export async function withFullDisk(run: () => unknown, fails = all): Promise<void> {
  await withFailing('writeSync', 'ENOSPC', fails, run);
}

/** Runs `run` while nothing reaches the disk for good, or not those times. */
export async function withoutSync(run: () => unknown, fails = all): Promise<void> {
  await withFailing('fsyncSync', 'EIO', fails, run);
}

async function withFailing(
  name: 'writeSync' | 'fsyncSync',
  code: string,
  fails: Which,
  run: () => unknown,
): Promise<void> {
  const real = fs[name];
  let count = 0;
  const failing = mock.method(fs, name, (...args: readonly unknown[]): unknown => {
    count += 1;
    if (fails(count)) throw Object.assign(new Error(code), { code });
    return Reflect.apply(real, fs, args);
  });
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    failing.mock.restore();
    syncBuiltinESMExports();
  }
}

/** What was thrown meanwhile and nobody took. */
export async function unhandledDuring(run: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  try {
    await run();
    await new Promise(resolve => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
  }
  return unhandled;
}
