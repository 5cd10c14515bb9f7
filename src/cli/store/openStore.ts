/** Opens the store that `--store` names. */
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lmdbStore } from '../../lmdb/index.js';
import { postgresStore } from '../../postgres/index.js';
import type { Store } from '../../tree/index.js';
import { asUsage, refuseUrl } from '../flags/args.js';
import { quote } from '../print/print.js';

/** Whether a store is one in PostgreSQL. */
const isUrl = (name: string): boolean => /^postgres(ql)?:/.test(name);

/** The package that a store needs. */
export const storePeer = (name: string | undefined): 'lmdb' | 'pg' =>
  name !== undefined && isUrl(name) ? 'pg' : 'lmdb';

/** Refuses a URL that names no store. @throws UsageError */
export function checkStoreName(name: string, flag = '--store'): void {
  if (!isUrl(name)) refuseUrl(name, `${flag}, unless it begins with postgres://,`);
}

/** What messages call an index. A URL is not shown: it may hold a password. */
export const indexName = (store: string): string =>
  isUrl(store) ? 'the index in PostgreSQL' : `the index at ${quote(store)}`;

/** The folder of a store; undefined if it has none. */
export const folderOf = (store: string): string | undefined => (isUrl(store) ? undefined : store);

/**
 * A folder is a store in LMDB, a URL `postgres://` one in PostgreSQL.
 *
 * @param flag that names it
 * @throws TreeError; UsageError for a malformed URL
 */
export async function openStore(name: string, readOnly: boolean, flag = '--store'): Promise<Store> {
  checkStoreName(name, flag);
  if (!isUrl(name)) {
    return lmdbStore({ path: name, readOnly });
  }
  try {
    return await postgresStore({ connectionString: name, readOnly });
  } catch (cause) {
    throw asUsage({ connectionString: flag }, cause);
  }
}

/** Ms that are waited for a store to close, after work that ended well, and after work that failed. */
const closeTime = { done: 3000, failed: 700 };

/** Closes something. Whoever does not answer is not waited for: what it keeps of this process runs out. */
export async function closeSoon(thing: { close(): Promise<void> }, hasFailed: boolean) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, hasFailed ? closeTime.failed : closeTime.done);
  });
  const closing = thing.close();
  closing.catch(() => {});
  await Promise.race([closing, late]).finally(() => clearTimeout(timer));
}

/**
 * Folders on the way to one, itself included, that are not there; the innermost first. A name that the system refuses
 * to look at counts as one: opening the store then says why.
 */
function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder))
    missing.push(folder);
  return missing;
}

/** Whether a store holds at most the mark of its format. */
async function isEmpty(store: Store): Promise<boolean> {
  const all = { from: new Uint8Array(0), to: undefined, limit: 2, reverse: false };
  const { ranges } = await store.read({ keys: [], ranges: [all] });
  return ranges.every((entries) => entries.length < 2);
}

/** Does what can be done: what is left otherwise is an empty folder or store. */
function attempt(remove: () => void): void {
  try {
    remove();
  } catch {
    // Not there, or not empty.
  }
}

/** @param isOurs the files of a store in it, too */
function removeFolders(path: string, folders: readonly string[], isOurs: boolean): void {
  for (const file of isOurs ? ['data.mdb', 'lock.mdb'] : [])
    attempt(() => rmSync(join(path, file), { force: true }));
  // From the inside. One that holds something stays, and so do those around it.
  for (const folder of folders) attempt(() => rmdirSync(folder));
}

/**
 * Opens a store, does something with it, and closes it whatever happens. A folder that was made for work which then
 * failed, and in which nothing was written, is taken away again: its name may be a slip.
 *
 * @throws TreeError, any error of `use`; UsageError for a malformed URL
 */
export async function withStore<T>(
  name: string,
  { readOnly = false }: { readOnly?: boolean },
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const isNew = !readOnly && !isUrl(name) && !existsSync(join(name, 'data.mdb'));
  const made = isNew ? missingFolders(name) : [];
  let store: Store;
  try {
    store = await openStore(name, readOnly);
  } catch (cause) {
    removeFolders(name, made, false);
    throw cause;
  }
  let hasFailed = true;
  try {
    const result = await use(store);
    hasFailed = false;
    return result;
  } catch (cause) {
    // A state that was refused is no slip in the name. Taken away while this process is its writer: no other has begun.
    const isRefused = (cause as { code?: unknown }).code === 'ROOT_MISMATCH';
    if (isNew && !isRefused && (await isEmpty(store).catch(() => false)))
      removeFolders(name, made, true);
    throw cause;
  } finally {
    await closeSoon(store, hasFailed);
  }
}
