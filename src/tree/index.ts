/**
 * `l2proof/tree`: the trees that make proofs, one tree in memory and a whole state on a store.
 *
 * @example
 * ```ts
 * import { openStateTree } from 'l2proof/tree';
 *
 * const tree = await openStateTree(); // in memory
 * const address = '0x1111111111111111111111111111111111111111';
 * const changes = [{ address, account: { nonce: 1n, balance: 10n ** 18n } }] as const;
 * const { stateRoot } = await tree.applyBlock({ number: 1, changes });
 * console.log(stateRoot, await tree.getProof(address));
 * ```
 *
 * @module l2proof/tree
 */
export type { Hex } from '../bytes.js';
export type { Engine } from '../hash/engine.js';
export type { HashFamily } from '../hash/family.js';
export { type Accumulator, createAccumulator } from './accumulator.js';
export type {
  AccountBefore,
  AccountChange,
  AccountState,
  Block,
  BlockNumber,
} from './apply/changes.js';
export { storeLaws } from './laws/storeLaws.js';
export { type HeldBlock, readStateStatus, type StateStatus } from './layout/status.js';
export type { LoadedBlock, StateLoad } from './load/stateLoad.js';
export type { BulkProgress, BulkWork } from './load/work.js';
export { type MigrateOptions, migrateStore } from './migrate/migrate.js';
export { openStateTree } from './openStateTree.js';
export type { StateValues } from './prove/readState.js';
export type {
  ProofResult,
  WireExistence,
  WireLeafProof,
  WireNonExistence,
  WireProof,
} from './prove/wireProof.js';
export { readSnapshotClaim } from './snapshot/claim.js';
export { exportSnapshot, type SnapshotExport } from './snapshot/exportSnapshot.js';
export type { SnapshotClaim } from './snapshot/header.js';
export {
  importSnapshot,
  type SnapshotBytes,
  type SnapshotChecks,
  type SnapshotSummary,
  verifySnapshot,
} from './snapshot/importSnapshot.js';
export type { BlockGroup, StateTree } from './stateTree.js';
export type { Abort } from './store/abort.js';
export { TreeError, type TreeErrorCode } from './store/errors.js';
export { memoryStore } from './store/memory.js';
export type { ProofWork, TextWork } from './store/readBudget.js';
export type { Scratch, ScratchFile } from './store/scratch.js';
export type {
  Batch,
  Entry,
  Look,
  Range,
  Read,
  ReadAnswer,
  ReadRequest,
  Store,
  StoreReader,
  StoreSnapshot,
  StoreUsage,
  StoreWriter,
} from './store/store.js';
