/** `l2proof migrate`: converts a store of an older format. */
import { migrateStore } from '../../tree/index.js';
import { readArgs } from '../flags/args.js';
import { migrateFlags } from '../flags/feedFlags.js';
import { startProgress } from '../print/progress.js';
import type { Result } from '../print/result.js';
import { withStore } from '../store/openStore.js';

/** Runs `l2proof migrate`. @throws UsageError, TreeError */
export async function runMigrate(args: readonly string[]): Promise<Result> {
  const { values } = readArgs(args, migrateFlags, 0);
  const { store: path, 'keep-state': keepState } = values;
  // To write, a store that is not there would be created.
  await withStore(path, { readOnly: true }, async () => {});
  await withStore(path, {}, async (store) => {
    const progress = startProgress();
    try {
      const onProgress = (share: number) => progress.update({ phase: 'converting', share });
      await migrateStore(store, { keepState, onProgress });
    } finally {
      progress.stop();
    }
  });
  return { text: 'the store has the format of this release', value: { store: path } };
}
