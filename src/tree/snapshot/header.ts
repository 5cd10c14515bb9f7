/** The header of a snapshot, before its leaves (docs/snapshot.md). */
import { encodeHex, type Hex, isZero } from '../../bytes.js';
import { familyOfNumber, fileNumberOf } from '../../codec/spec.js';
import { wordFor } from '../../errors.js';
import { blockWidth, type HashFamily } from '../../hash/family.js';
import { TreeError } from '../store/errors.js';
import { maxBlock, numberWidth, readNumber, writeNumber } from '../store/numbers.js';

/** The claims of a snapshot's header. The leaves prove the state root; nothing proves the others. */
export interface SnapshotClaim {
  /** Family of its trees. */
  readonly hash: HashFamily;
  /** Id of the L2 chain; undefined if the file does not say. */
  readonly chainId: number | undefined;
  /** Number of the block whose state it is. */
  readonly block: number;
  /** Hash of that block, 32 bytes; undefined if the file does not say. */
  readonly blockHash: Hex | undefined;
  /** 32 bytes. */
  readonly stateRoot: Hex;
  /** Accounts. */
  readonly accounts: number;
  /** Accounts whose storage tree the file holds. */
  readonly trees: number;
  /** Leaf indices that were ever given out, in all trees of the file together. */
  readonly places: number;
}

/** The header as the file holds it. */
export interface SnapshotHeader {
  readonly hash: HashFamily;
  /** 0: not said. */
  readonly chainId: number;
  readonly block: number;
  /** Zeros: not said. */
  readonly blockHash: Uint8Array;
  readonly stateRoot: Uint8Array;
  readonly accounts: number;
  readonly trees: number;
  readonly places: number;
}

/** "l2snap", then a line end, which a transfer as text would change. */
const magic = new TextEncoder().encode('l2snap\r\n');

const version = 1;

/** Offsets in the header. */
const at = {
  version: 8,
  family: 9,
  chainId: 10,
  block: 18,
  blockHash: 24,
  stateRoot: 56,
  accounts: 88,
  trees: 94,
  places: 100,
};

/** Bytes of the header. */
export const headerWidth: number = at.places + numberWidth;

/** Most leaf indices of a file that is read: this bounds its time and memory. */
const maxPlaces = 2 ** 32;

export function encodeHeader(header: SnapshotHeader): Uint8Array {
  const bytes = new Uint8Array(headerWidth);
  bytes.set(magic);
  bytes[at.version] = version;
  bytes[at.family] = fileNumberOf(header.hash);
  new DataView(bytes.buffer).setBigUint64(at.chainId, BigInt(header.chainId));
  bytes.set(header.blockHash, at.blockHash);
  bytes.set(header.stateRoot, at.stateRoot);
  for (const name of ['block', 'accounts', 'trees', 'places'] as const) {
    writeNumber(bytes, at[name], header[name]);
  }
  return bytes;
}

const bad = (text: string) => new TreeError('BAD_SNAPSHOT', text);

/**
 * @param bytes at least {@link headerWidth}
 * @throws TreeError `BAD_SNAPSHOT`
 */
export function decodeHeader(bytes: Uint8Array): SnapshotHeader {
  if (magic.some((byte, i) => bytes[i] !== byte)) {
    const exporter = wordFor('exportSnapshot', 'exportSnapshot');
    throw bad(`the file is no snapshot; give one that ${exporter} wrote`);
  }
  if (bytes[at.version] !== version) {
    throw bad(`the snapshot has format ${bytes[at.version]}, and this version reads ${version}`);
  }
  const hash = familyOfNumber(bytes[at.family] as number);
  if (hash === undefined) throw bad('the header names no hash family');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const chainId = Number(view.getBigUint64(at.chainId));
  if (!Number.isSafeInteger(chainId)) throw bad('the header names a chain id of 2^53 or more');
  const word = (offset: number) => bytes.slice(offset, offset + blockWidth);
  const header = {
    hash,
    chainId,
    block: readNumber(bytes, at.block),
    blockHash: word(at.blockHash),
    stateRoot: word(at.stateRoot),
    accounts: readNumber(bytes, at.accounts),
    trees: readNumber(bytes, at.trees),
    places: readNumber(bytes, at.places),
  };
  if (header.block > maxBlock) throw bad('the header names a block beyond 2^48 - 2');
  if (header.places > maxPlaces) {
    throw bad(`the header names ${header.places} leaf indices, and ${maxPlaces} are read at most`);
  }
  return header;
}

export const toSnapshotClaim = (header: SnapshotHeader): SnapshotClaim => ({
  hash: header.hash,
  chainId: header.chainId === 0 ? undefined : header.chainId,
  block: header.block,
  blockHash: isZero(header.blockHash) ? undefined : encodeHex(header.blockHash),
  stateRoot: encodeHex(header.stateRoot),
  accounts: header.accounts,
  trees: header.trees,
  places: header.places,
});
