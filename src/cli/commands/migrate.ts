/** `l2proof migrate`: converts a store of an older format. */
import { migrateStore, TreeError } from '../../tree/index.js';
import { CliError, UsageError } from '../exit/exit.js';
import { storeExitCode } from '../exit/storeErrors.js';
import { flag, option, readArgs } from '../flags/args.js';
import { startShareProgress } from '../print/progress.js';
import { storeNeeds, withStore } from '../store/openStore.js';

/** Runs `l2proof migrate`. @returns what to print @throws CliError */
export async function runMigrate(args: readonly string[]): Promise<string> {
  const { values } = readArgs(args, { store: option, 'keep-state': flag }, 0);
  const { store: path, 'keep-state': keepState = false } = values;
  if (path === undefined) throw new UsageError(storeNeeds);
  try {
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
  } catch (cause) {
    if (!(cause instanceof TreeError)) throw cause;
    throw new CliError(storeExitCode(cause), cause.message, { cause });
  }
  return 'the store has the format of this release';
}
