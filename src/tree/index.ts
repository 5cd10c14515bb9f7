/** The trees that make proofs: one tree in memory, and a whole state on a store. */
export type { Hex } from '../bytes.js';
export type { Engine } from '../hash/engine.js';
export type { HashFamily } from '../hash/family.js';
export { type Accumulator, createAccumulator } from './accumulator.js';
export type { AccountBefore, AccountChange, AccountState, Block } from './changes.js';
export { TreeError, type TreeErrorCode } from './errors.js';
export { memoryStore } from './memory.js';
export type { ProofWork, TextWork } from './meter.js';
export { openStateTree } from './openStateTree.js';
export type { StateValues } from './read.js';
export type { BlockNumber, StateTree } from './stateTree.js';
export type {
  Batch,
  Entry,
  Range,
  Read,
  ReadAnswer,
  ReadRequest,
  Store,
  StoreReader,
  StoreSnapshot,
} from './store.js';
export { storeLaws } from './storeLaws.js';
export type {
  ProofResult,
  WireExistence,
  WireLeafProof,
  WireNonExistence,
  WireProof,
} from './wireProof.js';
