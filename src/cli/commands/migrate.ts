/** `l2proof migrate`: converts a store of an older format. */
import { migrateStore } from '../../tree/index.js';
import { UsageError } from '../exit/exit.js';
import { flag, option, readArgs } from '../flags/args.js';
import { startShareProgress } from '../print/progress.js';
import { storeNeeds, withStore } from '../store/openStore.js';

/** Runs `l2proof migrate`. @returns what to print @throws UsageError, TreeError */
export async function runMigrate(args: readonly string[]): Promise<string> {
  const { values } = readArgs(args, { store: option, 'keep-state': flag }, 0);
  const { store: path, 'keep-state': keepState = false } = values;
  if (path === undefined) throw new UsageError(storeNeeds);
  // To write, a store that is not there would be created.
  await withStore(path, { readOnly: true }, async () => {});
  await withStore(path, {}, async (store) => {
    const progress = await startShareProgress();
    try {
      await migrateStore(store, { keepState, onProgress: progress.update });
    } finally {
      progress.stop();
    }
  });
  return 'the store has the format of this release';
}
