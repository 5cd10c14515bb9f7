/** Writes a snapshot as docs/snapshot.md says, and from that page alone: nothing of the library is used. */
import { crc32 } from 'node:zlib';

export interface WrittenLeaf {
  index: number;
  prev: number;
  next: number;
  /** 64 hex digits. */
  hKey: string;
}

export interface WrittenTree<L> {
  nextFreeNode: number;
  first: number;
  last: number;
  /** Ascending. */
  leaves: L[];
}

export interface WrittenSlot extends WrittenLeaf {
  value: bigint;
}

export interface WrittenAccount extends WrittenLeaf {
  nonce: bigint;
  balance: bigint;
  /** 0, 1 or 2. */
  kind: number;
  snarkCodeHash: string;
  keccakCodeHash: string;
  codeSize: bigint;
  storage: WrittenTree<WrittenSlot> | undefined;
}

export interface WrittenState {
  family: number;
  chainId: number;
  block: number;
  blockHash: string;
  stateRoot: string;
  accounts: WrittenTree<WrittenAccount>;
}

const fixed = (value: number | bigint, width: number): Buffer =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(2 * width, '0'),
    'hex',
  );

const word = (digits: string): Buffer => Buffer.from(digits.replace(/^0x/, ''), 'hex');

function number(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function integer(value: bigint): Buffer {
  if (value === 0n) return Buffer.of(0);
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function tree<L extends WrittenLeaf>(
  { nextFreeNode, first, last, leaves }: WrittenTree<L>,
  write: (leaf: L) => Buffer[],
): Buffer[] {
  const parts = [number(nextFreeNode), number(first), number(last)];
  let place = 2;
  for (const leaf of leaves) {
    parts.push(number(leaf.index - place), ...write(leaf));
    place = leaf.index + 1;
  }
  if (place < nextFreeNode) parts.push(number(nextFreeNode - place));
  return parts;
}

const links = ({ prev, next, hKey }: WrittenLeaf) => [number(prev), number(next), word(hKey)];

const slot = (leaf: WrittenSlot) => [...links(leaf), integer(leaf.value)];

const account = (leaf: WrittenAccount): Buffer[] => [
  Buffer.of(leaf.kind + (leaf.storage ? 4 : 0)),
  ...(leaf.storage ? tree(leaf.storage, slot) : []),
  ...links(leaf),
  integer(leaf.nonce),
  integer(leaf.balance),
  ...(leaf.kind === 2
    ? [word(leaf.snarkCodeHash), word(leaf.keccakCodeHash), integer(leaf.codeSize)]
    : []),
];

/** The content, without checksums. */
export function contentOf(state: WrittenState): Buffer {
  const { accounts } = state;
  const storages = accounts.leaves.flatMap(({ storage }) => (storage ? [storage] : []));
  const places = [accounts, ...storages].reduce((sum, { nextFreeNode }) => sum + nextFreeNode, 0);
  return Buffer.concat([
    Buffer.from('l2snap\r\n'),
    Buffer.of(1, state.family),
    fixed(state.chainId, 8),
    fixed(state.block, 6),
    word(state.blockHash),
    word(state.stateRoot),
    fixed(accounts.leaves.length, 6),
    fixed(storages.length, 6),
    fixed(places, 6),
    ...tree(accounts, account),
  ]);
}

/** A file of some content. */
export function fileOf(content: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0, i = 0; at < content.length; at += 2 ** 20, i++) {
    const chunk = content.subarray(at, at + 2 ** 20);
    parts.push(chunk, fixed(crc32(Buffer.concat([fixed(i, 8), chunk])), 4));
  }
  return Buffer.concat(parts);
}
