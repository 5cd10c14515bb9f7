/** `l2proof migrate`: converts a store of an older format. */
import { migrateStore, TreeError } from '../tree/index.js';
import { flag, option, readArgs } from './args.js';
import { CliError, UsageError } from './exit.js';
import { storeNeeds, withStore } from './openStore.js';
import { startShareProgress } from './progress.js';
import { storeExitCode } from './storeErrors.js';

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
