/**
 * What the measures are held against, and why. Times are limits for a person who looks at the table: no test asserts them,
 * since they depend on the machine and what else it does.
 */
export const limits = {
  /** An empty extension takes 1 to 9 ms; above 15 the work belongs after activation. */
  activateCallMs: 15,
  /** Also asserted by the tests of what is shipped: it is read and compiled at every start of an editor window. */
  extensionKiB: 600,
  /** One runs for every agent, and its start delays the agent's. Some 30 are its own, 200 a terminal's screen. */
  keeperKiB: 320,
  /** Server packages that it has or may get (ws, hono, kysely, pino, a database, a bus, metrics) sum up to about 700. */
  relayKiB: 1024,
  /** Also asserted by the tests of what is shipped: the sum of the packages that the phone needs to show its first screen. */
  phoneFirstLoadKiB: 95,
  /** Terminal binaries for every platform are 1,600 compressed; all the rest is 350 now. */
  vsixKiB: 2560,
  /**
   * A prompt's way to the answer, in times of a bare message's way through as many processes: measured 1.7 to 3.0 on two busy
   * cores, at the 5th as at the 50th percentile, and a third on top. At 4 our own work (keys, journal, JSON) would take three
   * times what processes and sockets cost anyway.
   */
  timesBareChain: 4,
  /** Measured 3.3: what is written of 1.5 KB is made as JSON first, which takes twice the write. Half as much on top. */
  timesBareAppend: 5,
  /** Measured 1.3: a sealed file and its checkpoint are waited for, too. Half as much on top. */
  timesBareFlush: 2,
  /** Measured 2.8: every block is checked against its schema. Half as much on top. */
  timesBareReplay: 4,
  /** The newest file (4 MiB and a line of up to 5), a checkpoint, and here also the foreign line, which is passed over twice. */
  openReadMiB: 32,
  /** Sessions are brought back in the editor's extension host, one after the other. */
  openMemoryMiB: 64,
  /** A keeper is a Node that loads its program, starts its agent and listens. Measured 2.1 to 3.9 on two busy cores; twice that. */
  timesBareStart: 8,
  /** One runs for every agent. Measured 50, of which a bare Node takes 40. */
  pipeKeeperMiB: 80,
  /** A screen on top: measured 57, and up to 10 more with 1,000 lines above it. */
  terminalKeeperMiB: 100,
  /** Measured 50. */
  attachMiB: 80,
} as const;
