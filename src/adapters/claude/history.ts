import { followFile } from '../followFile.ts';
import { Branches, type Branch, type Place } from './branches.ts';
import { chainRecord } from './chainRecord.ts';
import { ParentsFirst } from './parentsFirst.ts';

/** What a conversation's file had when reading it began: the way to its newest record, and branches that were left. */
export class History {
  readonly #until: number;
  /** How far each branch leads to the newest record. */
  readonly #steps = new Map<string, number>();

  /**
   * @param newest the branch of the newest record
   * @param until offset after the last line, in bytes
   */
  constructor(newest: Branch, until: number) {
    this.#until = until;
    this.#steps.set(newest.id, Infinity);
    for (let { from } = newest; from !== undefined; { from } = from.branch)
      this.#steps.set(from.branch.id, from.step);
  }

  /** A record is of a branch that does not lead to the newest one. @param end offset after its line, in bytes */
  isLeft({ branch, step }: Place, end: number): boolean {
    return end <= this.#until && !this.#isOnWay({ branch, step });
  }

  /** Its branch begins on the way to the newest record. */
  leadsTo({ branch }: Place): boolean {
    return branch.from === undefined || this.#isOnWay(branch.from);
  }

  #isOnWay({ branch, step }: Omit<Place, 'isSaid'>): boolean {
    return step <= (this.#steps.get(branch.id) ?? -1);
  }
}

/** Looks through a file once. @param from where reading begins, in bytes @returns undefined when there are no branches */
export async function readHistory(
  locate: () => string | undefined,
  from: number,
): Promise<History | undefined> {
  const order = new ParentsFirst(from > 0);
  const branches = new Branches();
  const found: { newest: Branch | undefined; isForked: boolean } = { newest: undefined, isForked: false };
  let until = from;
  const place = (records: ReturnType<ParentsFirst['add']>): void => {
    for (const record of records) {
      if (record.isSidechain) continue;
      const { branch } = branches.place(record);
      found.newest = branch;
      found.isForked ||= branch.from !== undefined;
    }
  };
  for await (const line of followFile({ locate, from, finished: AbortSignal.abort() })) {
    if (line === 'quiet') continue;
    until = line.end;
    const record = chainRecord(line);
    if (record !== undefined) place(order.add(record));
  }
  place(order.release());
  const { newest, isForked } = found;
  return newest === undefined || !isForked ? undefined : new History(newest, until);
}
