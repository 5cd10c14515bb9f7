/** Reads a snapshot: into a store, or only to check it. */
import { encodeHex, equalBytes, type Hex, isZero } from '../../bytes.js';
import { checkHex, ownOptions } from '../../codec/argument.js';
import { defaultFamily } from '../../codec/spec.js';
import { blockWidth, type HashFamily } from '../../hash/family.js';
import { type BlockNumber, checkBlockNumber } from '../apply/changes.js';
import { checkOpens, claimStore } from '../layout/format.js';
import { checkEmpty } from '../load/stateLoad.js';
import { StateSpills } from '../load/stateSpills.js';
import { type BulkWork, leavesPerTurn, Stage } from '../load/work.js';
import { writeState } from '../load/writeState.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { sharedEmptyTree } from '../nodes/sharedTree.js';
import { TreeError } from '../store/errors.js';
import { memoryScratch, type Scratch } from '../store/scratch.js';
import type { Store } from '../store/store.js';
import { BodyReader } from './bodyReader.js';
import { readSnapshotChunks } from './chunks.js';
import {
  decodeSnapshotHeader,
  headerWidth,
  type SnapshotClaim,
  type SnapshotHeader,
  toSnapshotClaim,
} from './header.js';
import { LinkCheck } from './links.js';
import { SnapshotBody } from './readBody.js';

/** The bytes of a snapshot, cut in any way. */
export type SnapshotBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The caller's requirements of a snapshot. */
export interface SnapshotChecks extends BulkWork {
  /** The state root that the caller trusts, 32 bytes; or a function that finds it, given what the file claims. */
  stateRoot: Hex | ((claim: SnapshotClaim) => Hex | Promise<Hex>);
  /** Family of that root; default `poseidon2`. */
  hash?: HashFamily | undefined;
  /** The number that the file must name; default any. Neither it nor the hash is proven. */
  block?: BlockNumber;
  /** The block's hash that the file must name, 32 bytes; default any. */
  blockHash?: Hex;
  /** The id of the L2 chain that the file must name; default any. */
  chainId?: number;
}

/** The content of a snapshot whose leaves have the root that the caller trusts. */
export interface SnapshotSummary extends SnapshotClaim {
  /** Slots of all accounts. */
  readonly slots: number;
}

/** The members that the file must name, if the caller gives them. */
const expected = ['block', 'blockHash', 'chainId'] as const;
const checkNames = ['stateRoot', 'hash', ...expected, 'onProgress', 'signal'] as const;

const mismatch = (what: string, found: unknown, expected: unknown) =>
  new TreeError('ROOT_MISMATCH', `the snapshot is of ${what} ${found}, not ${expected}`);

/** @throws TreeError `ROOT_MISMATCH` */
function checkClaim(claim: SnapshotClaim, checks: SnapshotChecks): void {
  const { hash = defaultFamily, block, blockHash, chainId } = checks;
  const compare = (what: string, found: unknown, expected: unknown) => {
    if (expected === undefined || found === expected) return;
    throw mismatch(what, found ?? 'that it does not say', expected);
  };
  compare('the hash family', claim.hash, hash);
  compare('chain', claim.chainId, chainId);
  compare('block', claim.block, block === undefined ? undefined : checkBlockNumber(block, 'block'));
  const given = blockHash && encodeHex(checkHex(blockHash, blockWidth, 'blockHash'));
  compare('the block with hash', claim.blockHash, given);
}

/** A snapshot whose leaves were read, linked as they should be, with the root that was trusted. */
interface Checked {
  readonly header: SnapshotHeader;
  readonly slots: number;
}

/** The means to read a snapshot, and the place of its entries. */
interface Target {
  readonly empty: EmptyTree;
  readonly scratch: Scratch;
  /** Takes the entries of the state; undefined: nobody wants them. */
  readonly openSpills: (block: number) => StateSpills | undefined;
}

async function readSnapshot(
  file: SnapshotBytes,
  checks: SnapshotChecks,
  { empty, scratch, openSpills }: Target,
): Promise<Checked & { spills: StateSpills | undefined }> {
  const reader = new BodyReader(readSnapshotChunks(file));
  try {
    await reader.fill();
    const header = decodeSnapshotHeader(reader.take(headerWidth));
    const claim = toSnapshotClaim(header);
    checkClaim(claim, checks);
    const { stateRoot: trusted } = checks;
    const word = typeof trusted === 'function' ? await trusted(claim) : trusted;
    const expected = checkHex(word, blockWidth, 'stateRoot');
    if (!equalBytes(header.stateRoot, expected)) {
      throw mismatch('the state root', claim.stateRoot, word);
    }
    const spills = openSpills(header.block);
    const links = new LinkCheck(empty.spec, scratch);
    const stage = new Stage(checks, 'read', header.places);
    const body = new SnapshotBody(reader, header, empty, { links, spills, stage });
    const stateRoot = await body.read(empty);
    if (!equalBytes(stateRoot, expected)) {
      throw mismatch('leaves with the state root', encodeHex(stateRoot), word);
    }
    await checkLinks(links, { spills, stage: new Stage(checks, 'build', header.places) });
    return { header, slots: body.slots, spills };
  } finally {
    await reader.close();
  }
}

async function checkLinks(
  links: LinkCheck,
  { spills, stage }: { spills: StateSpills | undefined; stage: Stage },
): Promise<void> {
  let done = 0;
  const turn = async () => {
    await spills?.drain();
    await stage.turn(done);
  };
  await links.check((tree, hKey, index) => {
    spills?.addOrder(tree, hKey, index);
    done++;
    return done % leavesPerTurn === 0 ? turn() : undefined;
  });
}

/**
 * Reads a snapshot and checks all of it: its checksums, that its leaves have the root that the
 * caller trusts, and that their lists are in order.
 *
 * @param checks.scratch room for temporary files, 56 bytes a leaf; default memory
 * @returns what it holds; block number, hash and chain are only claimed unless the caller gave them
 * @throws TreeError `BAD_SNAPSHOT`, `ROOT_MISMATCH`; TypeError or RangeError for a wrong argument
 */
export async function verifySnapshot(
  file: SnapshotBytes,
  checks: SnapshotChecks & { scratch?: Scratch },
): Promise<SnapshotSummary> {
  const given: typeof checks = ownOptions(checks, [...checkNames, 'scratch'], 'checks', expected);
  const { scratch = memoryScratch() } = given;
  const empty = sharedEmptyTree(given.hash);
  const target = { empty, scratch, openSpills: () => undefined };
  const { header, slots } = await readSnapshot(file, given, target);
  return { ...toSnapshotClaim(header), slots };
}

/**
 * Imports a snapshot, checked as by {@link verifySnapshot}, into a store without a state. The block is then the first
 * and final one of the state tree that is opened on the store. Nothing is written before all was checked.
 *
 * @param options.store stays open; its temporary files take about as much room as the state
 * @throws TreeError `BAD_SNAPSHOT`, `ROOT_MISMATCH`, `WRONG_STORE`; `BLOCK_ORDER` if the store holds a state;
 *   `STORE_FULL`, `STORE_FAILED`. What a write that fails has left is cleared when the store is next opened, or
 *   imported into
 */
export async function importSnapshot(
  file: SnapshotBytes,
  options: SnapshotChecks & { store: Store },
): Promise<SnapshotSummary> {
  const given: typeof options = ownOptions(options, [...checkNames, 'store'], 'options', expected);
  const { store } = given;
  const empty = sharedEmptyTree(given.hash);
  const hash = empty.spec.hasher.family;
  await checkOpens(store, hash);
  await checkEmpty(store, 'import into a new folder or database');
  const scratch = (await store.scratch?.()) ?? memoryScratch();
  try {
    const openSpills = (block: number) => new StateSpills(scratch, block);
    const target = { empty, scratch, openSpills };
    const { header, slots, spills } = await readSnapshot(file, given, target);
    const blockHash = isZero(header.blockHash) ? undefined : header.blockHash;
    const { stateRoot } = header;
    const block = { number: header.block, stateRoot, hash: blockHash, headerRoot: undefined };
    // Only now: until it has its mark, nobody serves the store.
    await claimStore(store, hash);
    await writeState(store, { hash, block, spills: spills as StateSpills }, given);
    return { ...toSnapshotClaim(header), slots };
  } finally {
    await scratch.close();
  }
}
