/**
 * `l2proof/lmdb`: keeps a state tree in LMDB, an embedded database.
 *
 * @example
 * ```ts
 * import { lmdbStore } from 'l2proof/lmdb';
 * import { openStateTree } from 'l2proof/tree';
 *
 * const tree = await openStateTree({ store: lmdbStore({ path: 'state' }) });
 * console.log(await tree.newestBlock());
 * await tree.close();
 * ```
 *
 * @module l2proof/lmdb
 */
export { folderScratch } from '../disk/scratch.js';
export { type LmdbOptions, lmdbStore } from './store.js';
