/**
 * Headers of blocks: the answer of `eth_getBlockByHash` or `eth_getBlockByNumber`, held against the block's hash.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { equalBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import type { Source } from '../foreign/members.js';
import { openObject } from '../foreign/shape.js';
import { dataBytes } from '../foreign/values.js';
import { TrieError, UnknownFieldError } from './errors.js';
import {
  decodeHeader,
  encodeHeader,
  headerFieldNames,
  parseHeader,
  type RlpHeader,
} from './headerFields.js';
import { toInteger } from './text.js';

/** Longest header in RLP, in bytes: its extra data has 4,096 at most. */
const longestHeader = 8192;

/** The members of a header that are used here; the header proves more. */
interface L1Header {
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
  readonly number: bigint;
  /** Seconds. */
  readonly timestamp: bigint;
}

/** Members of a block that are not in its header. */
const otherMembers: readonly string[] = [
  'author',
  'balHash',
  'hash',
  'sealFields',
  'size',
  'totalDifficulty',
  'transactions',
  'uncles',
  'withdrawals',
];

/**
 * Verifies a header.
 *
 * @param header of unknown origin: a block as JSON-RPC answers it
 * @param blockHash 32 bytes, trusted
 * @throws ShapeError if a field is missing or malformed; TrieError if the header is another block's;
 *   UnknownFieldError if it may also be one of a later fork
 */
export function verifyHeader(header: unknown, blockHash: Uint8Array): L1Header {
  const { values } = matchHeader(openObject(header, ''), blockHash);
  const integerOf = (name: 'number' | 'timestamp') => toInteger(values.get(name) as Uint8Array);
  return {
    stateRoot: values.get('stateRoot') as Uint8Array,
    number: integerOf('number'),
    timestamp: integerOf('timestamp'),
  };
}

/** All fields of a header that hashes to the hash, and its encoding. @throws as {@link verifyHeader} */
export function matchHeader(
  source: Source,
  blockHash: Uint8Array,
): { values: RlpHeader; encoded: Uint8Array } {
  const values = parseHeader(source);
  const encoded = encodeHeader(values);
  if (!equalBytes(keccak_256(encoded), blockHash)) throw mismatch(source);
  return { values, encoded };
}

/** The same of a block as JSON-RPC answers it, or of the hex of its header's RLP. @throws as {@link verifyHeader} */
export const matchAnyHeader = (
  header: unknown,
  blockHash: Uint8Array,
  at: string,
): { values: RlpHeader; encoded: Uint8Array } =>
  typeof header === 'string'
    ? matchEncoded(header, blockHash, at)
    : matchHeader(openObject(header, at), blockHash);

function matchEncoded(header: string, hash: Uint8Array, at: string) {
  const encoded = dataBytes(header, longestHeader);
  if (encoded === undefined) {
    throw new ShapeError(at, `expected a header in hex, of at most ${longestHeader} bytes`);
  }
  if (!equalBytes(keccak_256(encoded), hash)) {
    throw new TrieError(at, 'the header does not hash to the block hash');
  }
  return { encoded, values: decodeHeader(encoded, at) };
}

function mismatch({ target, at }: Source): TrieError {
  const known = [...headerFieldNames, ...otherMembers];
  const unknown = memberNames(target, at).filter((name) => !known.includes(name));
  if (unknown.length === 0) return new TrieError(at, 'the header does not hash to the block hash');
  // Foreign text: cut, and only what a name of a field can look like.
  const shown = unknown.slice(0, 4).map((name) => name.slice(0, 40).replace(/[^\w]/g, '?'));
  return new UnknownFieldError(
    at,
    `the header does not hash to the block hash; a newer version may know its members ${shown.join(', ')}`,
  );
}

function memberNames(members: object, at: string): string[] {
  try {
    return Object.keys(members);
  } catch (cause) {
    throw new ShapeError(at, 'expected plain data, but reading it threw', { cause });
  }
}
