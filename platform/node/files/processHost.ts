import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process id means anything: one run of one system, and there one namespace of ids. */
export interface ProcessHost {
  readonly machine: string;
  readonly boot: string;
  readonly namespace: string;
}

/** Empty where the system does not tell. */
export function processHost(): ProcessHost {
  return {
    // Containers made of one image may share the first, and machines the second.
    machine: `${read(() => readFileSync('/etc/machine-id', 'utf8').trim())} ${hostname()}`.trim(),
    boot: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: read(() => readlinkSync('/proc/self/ns/pid')),
  };
}

function read(from: () => string): string {
  try {
    return from();
  } catch {
    // Not on this system.
    return '';
  }
}
