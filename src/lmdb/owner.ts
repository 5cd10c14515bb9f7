/**
 * One writer at a time. LMDB only takes turns between writers, and two state trees that write in turns would each undo
 * what the other has written. So a writer puts its name and a new number into the store. Each of its batches takes
 * effect only while that number stands there; LMDB checks this in the transaction that writes the batch. The name
 * serves to refuse a second writer early, while the process that the name stands for runs. A process that was killed
 * leaves its name behind, and the next writer takes its place.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { type StoreWriter, TreeError } from '../tree/index.js';
import type { Files } from './files.js';

/** The one key. */
const writerKey = 'writer';

/** Tells a process from all others, before and after it. */
interface Owner {
  readonly pid: number;
  /** The machine's run and the name space that `pid` counts in, if the platform tells. */
  readonly place: string;
  /** When the process began, if the platform tells: process ids are used again. */
  readonly start: string;
}

/** A writer as the store names it. */
interface NotedOwner extends Owner {
  /** When it opened the store, in ms since 1970; releases before 0.2 did not say. */
  readonly since?: number;
}

/** The text of a file of /proc; empty if there is no such file. */
function proc(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}

/** Words of a process's line, from the third on: the second may hold spaces. */
const statOf = (pid: number): string[] =>
  proc(() => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '')).split(' ');

/** Clock ticks from the machine's start to the process's: the 22nd word. */
const startOf = (stat: readonly string[]): string => stat[19] ?? '';

const self = (): Owner => ({
  pid: process.pid,
  place: `${proc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))} ${proc(() => readlinkSync('/proc/self/ns/pid'))}`,
  start: startOf(statOf(process.pid)),
});

/** Whether the process runs. A process elsewhere cannot be probed; only the fencing number stops it. */
function stateOf({ pid, place, start }: Owner): StoreWriter['state'] {
  if (place !== self().place) return 'unknown';
  try {
    // Signal 0 only asks whether the process is there.
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return 'ended';
  }
  const stat = statOf(pid);
  // A process that has ended keeps its id until its parent asks for it.
  return stat[0] !== 'Z' && startOf(stat) === start ? 'running' : 'ended';
}

const parseOwner = (text: string | undefined): NotedOwner | undefined =>
  text ? JSON.parse(text) : undefined;

/** The writer that the store names; undefined if it has left. @throws any error of LMDB, and SyntaxError */
export function findLmdbWriter({ writers }: Files): StoreWriter | undefined {
  // LMDB reads on for a turn in what it has read from.
  writers.resetReadTxn();
  const owner = parseOwner(writers.get(writerKey));
  if (owner === undefined) return undefined;
  const { pid, since } = owner;
  return { name: `process ${pid}`, pid, since, state: stateOf(owner) };
}

/** Names of this process's own that it could not take back: the store, and the writer's number. */
const abandoned = new Set<string>();

const nameOf = (store: string, number: number): string => `${number} ${store}`;

/** The error of a batch that comes after another writer's opening. */
export const lmdbFencedError = (): TreeError =>
  new TreeError('OTHER_WRITER', 'another writer has taken the store over; this one must be closed');

/**
 * Becomes the writer.
 *
 * @param store the path of its folder
 * @returns the number that this writer's batches ask for
 * @throws TreeError `OTHER_WRITER` while another writer runs
 */
export function becomeWriter({ writers }: Files, store: string): number {
  return writers.transactionSync(() => {
    const last = writers.getEntry(writerKey);
    const owner = parseOwner(last?.value);
    const isLeft = owner?.pid === process.pid && abandoned.has(nameOf(store, last?.version ?? 0));
    if (owner && !isLeft && stateOf(owner) === 'running') {
      const who = owner.pid === process.pid ? 'this process' : `process ${owner.pid}`;
      throw new TreeError('OTHER_WRITER', `${who} has the store open to write to it`);
    }
    const number = (last?.version ?? 0) + 1;
    const noted: NotedOwner = { ...self(), since: Date.now() };
    writers.put(writerKey, JSON.stringify(noted), number);
    return number;
  });
}

/** Makes a batch depend on being the writer. @returns false if another writer has come */
export const asWriter = (
  { writers }: Files,
  number: number,
  action: () => void,
): Promise<boolean> => writers.ifVersion(writerKey, number, action);

/** Leaves the store to the next writer. @throws any error of LMDB */
const takeBack = (files: Files, number: number): Promise<boolean> =>
  asWriter(files, number, () => void files.writers.put(writerKey, '', number));

/**
 * Leaves the store to the next writer. If its disk takes no writes, the name stays: another process finds that this one
 * has ended, and this one knows that it has let go.
 *
 * @param options.store the path of its folder
 * @param options.canWrite false: LMDB would not say that it takes no further writes
 */
export async function release(
  files: Files,
  number: number,
  { store, canWrite }: { store: string; canWrite: boolean },
): Promise<void> {
  abandoned.add(nameOf(store, number));
  if (!canWrite) return;
  await takeBack(files, number).then(
    () => abandoned.delete(nameOf(store, number)),
    () => {},
  );
}
