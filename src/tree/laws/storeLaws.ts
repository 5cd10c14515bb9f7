/** The laws of the store contract, as checks that need no test framework. */
import { TreeError } from '../store/errors.js';
import type { Entry, Store } from '../store/store.js';
import { type Law, range, Trial } from './lawTrial.js';
import { readLaws } from './readLaws.js';
import { writeLaws } from './writeLaws.js';

/** All entries. */
async function entriesOf(store: Store): Promise<readonly Entry[]> {
  const { ranges } = await store.read({ keys: [], ranges: [range({ limit: 2 ** 31 - 1 })] });
  return ranges.at(0) ?? [];
}

/** Leaves the store as it was: empty. A store that breaks a law may fail here, too, and one may be closed by now. */
async function leave(store: Store): Promise<void> {
  try {
    const deletes = (await entriesOf(store)).map(({ key }) => key);
    await store.write({ puts: [], deletes });
  } catch {
    // The law says what is wrong.
  }
  await store.close().catch(() => {});
}

/** Checks one law in a store of its own. */
async function checkLaw({ name, check }: Law, open: () => Promise<Store>): Promise<void> {
  const store = await open();
  if ((await entriesOf(store)).length > 0) {
    await store.close();
    throw new TreeError(
      'WRONG_STORE',
      'storeLaws needs an empty store of its own, whose entries it may delete',
    );
  }
  const trial = new Trial(store, { open, law: name });
  try {
    await check(trial);
  } catch (cause) {
    if (cause instanceof TreeError && cause.code === 'LAW_BROKEN') throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw trial.broken(`a call fails: ${reason}`, cause);
  } finally {
    await leave(store);
  }
}

/**
 * The laws that a store must keep for a state tree, for the tests of its author. Not checked: that a batch survives the
 * end of the process.
 *
 * @param open opens an empty store to write, the same each time or a new one. If it is the same, the law on writers is
 *   checked, too. It is called once for each law, and for that one a second time
 * @returns checks that run one after the other, each of which rejects with TreeError `LAW_BROKEN` if its law is broken,
 *   with `WRONG_STORE` if the store is not empty, and with any error of `open`
 */
export function storeLaws(
  open: () => Promise<Store>,
): { name: string; check: () => Promise<void> }[] {
  return [...readLaws, ...writeLaws].map((law) => ({
    name: law.name,
    check: () => checkLaw(law, open),
  }));
}
