/** Fetches logs from an ordinary L2 node: as many blocks at a time as it answers. */

import { createNode } from '../../follow/node/node.js';
import { createPatientClient, type Patience } from '../../follow/node/patience.js';
import { readSafeNumber } from '../../follow/node/read.js';
import type { Transport } from '../../rpc/index.js';
import { wait } from '../../rpc/retry.js';
import { Changes } from '../layout/changes.js';
import { type BlockSource, type FetchedRange, manyRecords } from './blockSource.js';
import { createCompleteness, mayLack } from './completeness.js';
import { createLogFetch } from './fetchLogs.js';
import { createWidth } from './width.js';

/** Answers after which changes are applied in any case: a killed process would lose its work on blocks without events. */
const manyAnswers = 16;

/** @param patience with a node that does not answer; one that refuses a range is asked for a shorter one at once */
export function createLogSource(
  l2: Transport,
  patience: Patience,
  signal: AbortSignal | undefined,
): BlockSource {
  const patient = createPatientClient('the L2 node', l2, patience, signal);
  const hasty = createPatientClient('the L2 node', l2, { ...patience, tries: 1 }, signal);
  const node = createNode(patient);
  const { addLogs, addReceipts } = createLogFetch({ patient, hasty, node, patience, signal });
  const { addWhole, firstLeftOut } = createCompleteness({ node, addReceipts });
  const width = createWidth();

  /** Adds the logs of as many blocks as the node answers. @returns the last one */
  async function addRange(changes: Changes, from: number, limit: number): Promise<number> {
    const before = changes.mark();
    for (let last = limit; last >= from; ) {
      const to = Math.min(last, from + width.get() - 1);
      const logs = await addLogs(changes, { from, to });
      if (logs === undefined && to > from) {
        width.refused(to - from + 1);
        await wait(patience.delay, signal);
        continue;
      }
      if (logs === undefined) break;
      const leftOut = await firstLeftOut(logs, { from, to });
      if (leftOut === undefined) {
        width.answered(to - from + 1, logs.count);
        return to;
      }
      // The logs of later blocks must not stand before those of this one.
      changes.backTo(before);
      last = leftOut - 1;
    }
    const { count } = await addWhole(from, changes);
    width.answered(1, count);
    return from;
  }

  async function fetchRange(from: number, limit: number): Promise<FetchedRange | undefined> {
    const changes = new Changes();
    let to = from - 1;
    for (let i = 0; i < manyAnswers && to < limit && changes.size < manyRecords; i++) {
      to = await addRange(changes, to + 1, limit);
    }
    // Asked after the logs: a node that is behind answers a range with the logs that it has.
    const header = await node.header(to);
    return header && { to, mark: header, changes };
  }

  let ahead: { from: number; fetched: ReturnType<typeof fetchRange> } | undefined;
  return {
    node,
    hasty: createNode(hasty),
    chainId: () => patient.chainId(readSafeNumber),
    async range(from, limit) {
      const fetched = await (ahead?.from === from ? ahead.fetched : fetchRange(from, limit));
      ahead = undefined;
      if (fetched !== undefined && fetched.to < limit) {
        ahead = { from: fetched.to + 1, fetched: fetchRange(fetched.to + 1, limit) };
        // It may fail before it is awaited, and its error is reported only then.
        ahead.fetched.catch(() => {});
      }
      return fetched;
    },
    async block(number) {
      const header = await node.header(number);
      if (header === undefined) return undefined;
      const { hash, parentHash } = header;
      const changes = new Changes();
      const fetched = { to: number, mark: header, parentHash, changes };
      const logs = await addLogs(changes, { from: number, to: number, hash });
      const came = new Set([...(logs?.topics ?? [])].map((topic) => topic.toLowerCase()));
      const hasCome = (topic: string) => came.has(topic);
      if (logs !== undefined && !mayLack(header, hasCome)) return fetched;
      const whole = new Changes();
      if ((await addReceipts(header, whole)) === undefined) return undefined;
      return { ...fetched, changes: whole };
    },
  };
}
