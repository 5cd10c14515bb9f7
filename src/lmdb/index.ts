/** `l2proof/lmdb`: keeps a state tree in LMDB, an embedded database. */
export { type LmdbOptions, lmdbStore } from './store.js';
