/**
 * Headers of L1: the answer of `eth_getBlockByHash` or `eth_getBlockByNumber`, held against the block's hash. The hash
 * covers the RLP of all fields in the order of the tables below.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, equalBytes, integerToBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { nameOf, openObject, readMember } from '../foreign/shape.js';
import { dataBytes, hexBytes, parseQuantity } from '../foreign/values.js';
import { encodeRlp, trim } from './encode.js';
import { TrieError } from './errors.js';

/** The members of a header that are used here; the header proves more. */
interface L1Header {
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
  readonly number: bigint;
  /** Seconds. */
  readonly timestamp: bigint;
}

/** How a field is written: exactly so many bytes, an integer of up to so many, or any bytes up to so many. */
type Form = readonly [kind: 'exact' | 'integer' | 'data', width: number];

const hash: Form = ['exact', 32];
const integer64: Form = ['integer', 8];
const integer256: Form = ['integer', 32];

/** Every header has these. */
const fields: readonly (readonly [name: string, form: Form])[] = [
  ['parentHash', hash],
  ['sha3Uncles', hash],
  ['miner', ['exact', 20]],
  ['stateRoot', hash],
  ['transactionsRoot', hash],
  ['receiptsRoot', hash],
  ['logsBloom', ['exact', 256]],
  ['difficulty', integer256],
  ['number', integer64],
  ['gasLimit', integer64],
  ['gasUsed', integer64],
  ['timestamp', integer64],
  // 32 bytes at most on the public networks; chains with signed blocks keep more in it.
  ['extraData', ['data', 4096]],
  ['mixHash', hash],
  ['nonce', ['exact', 8]],
];

/**
 * Added by London, Shanghai, Cancun (three), Prague and Amsterdam (two: EIP-7928 and EIP-7843); Osaka added none. A header
 * has a prefix of this list; headers of test chains may lack a field in between. The fields that are present are hashed in
 * this order.
 */
const laterFields: typeof fields = [
  ['baseFeePerGas', integer256],
  ['withdrawalsRoot', hash],
  ['blobGasUsed', integer64],
  ['excessBlobGas', integer64],
  ['parentBeaconBlockRoot', hash],
  ['requestsHash', hash],
  ['blockAccessListHash', hash],
  ['slotNumber', integer64],
];

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

/** The hash does not match, and the header has members that may be fields of a fork that this version does not know. */
export class UnknownFieldError extends TrieError {}

/**
 * Verifies a header.
 *
 * @param header of unknown origin: a block as JSON-RPC answers it
 * @param blockHash 32 bytes, trusted
 * @throws ShapeError if a field is missing or malformed; TrieError if the header is another block's;
 *   UnknownFieldError if it may also be one of a later fork
 */
export function verifyHeader(header: unknown, blockHash: Uint8Array): L1Header {
  const source = openObject(header, '');
  const read = (name: string) => {
    const value = readMember(source, name);
    // Some servers answer null for a field that the block's fork does not have.
    return value === null ? undefined : value;
  };
  const values = new Map<string, Uint8Array>();
  for (const [name, form] of fields) values.set(name, readField(read(name), form, name));
  for (const [name, form] of laterFields) {
    // One server called it so.
    const isOther = name === 'blockAccessListHash' && read(name) === undefined;
    const written = isOther ? 'balHash' : name;
    const value = read(written);
    if (value !== undefined) values.set(name, readField(value, form, written));
  }
  if (!equalBytes(keccak_256(encodeRlp([...values.values()])), blockHash)) {
    throw mismatch(source.target);
  }
  const integerOf = (name: string) =>
    BigInt(`0x0${encodeHex(values.get(name) as Uint8Array).slice(2)}`);
  return {
    stateRoot: values.get('stateRoot') as Uint8Array,
    number: integerOf('number'),
    timestamp: integerOf('timestamp'),
  };
}

/** Bytes of a field as RLP holds it: an integer without leading zeros, however many the server wrote. */
function readField(value: unknown, [kind, width]: Form, name: string): Uint8Array {
  const bytes = typeof value === 'string' ? fieldBytes(value, kind, width) : undefined;
  if (bytes) return bytes;
  const digits = `${kind === 'exact' ? '' : 'up to '}${2 * width} hex digits`;
  throw new ShapeError(name, `expected 0x and ${digits}, got ${nameOf(value, name)}`);
}

function fieldBytes(value: string, kind: Form[0], width: number): Uint8Array | undefined {
  if (kind === 'exact') return hexBytes(value, width);
  if (kind === 'data') return dataBytes(value, width);
  const number = parseQuantity(value, 8 * width);
  return number === undefined ? undefined : trim(integerToBytes(number, width));
}

function mismatch(members: object): TrieError {
  const known = [...fields, ...laterFields].map(([name]) => name).concat(otherMembers);
  const unknown = memberNames(members).filter((name) => !known.includes(name));
  if (unknown.length === 0) return new TrieError('', 'the header does not hash to the block hash');
  // Foreign text: cut, and only what a name of a field can look like.
  const shown = unknown.slice(0, 4).map((name) => name.slice(0, 40).replace(/[^\w]/g, '?'));
  return new UnknownFieldError(
    '',
    `the header does not hash to the block hash; a newer version may know its members ${shown.join(', ')}`,
  );
}

function memberNames(members: object): string[] {
  try {
    return Object.keys(members);
  } catch (cause) {
    throw new ShapeError('', 'expected plain data, but reading it threw', { cause });
  }
}
