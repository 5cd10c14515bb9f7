/** `l2proof status`: what a store holds, and who writes to it. */
import { readIndexStatus } from '../../service/index.js';
import { readStateStatus } from '../../tree/index.js';
import { readArgs } from '../flags/args.js';
import { statusFlags } from '../flags/feedFlags.js';
import type { Result } from '../print/result.js';
import { indexStatus, stateStatus } from '../print/storeStatus.js';
import { indexName, withStore } from '../store/openStore.js';

/** Runs the command. @throws UsageError, TreeError, IndexError */
export async function runStatus(args: readonly string[]): Promise<Result> {
  const { store: path } = readArgs(args, statusFlags, 0).values;
  return withStore(path, { readOnly: true }, async (store) => {
    const state = await readStateStatus(store);
    const usage = (await store.usage?.()) ?? {};
    if (state !== undefined) return stateStatus(state, usage);
    const index = await readIndexStatus(store, indexName(path));
    return indexStatus(index, usage);
  });
}
