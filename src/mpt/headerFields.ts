/**
 * The fields of headers, of every fork up to Amsterdam. The hash of a block is that of the RLP of all fields, in the order of
 * the tables below.
 */
import type { Hex } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { memberPath, type Source } from '../foreign/members.js';
import { readMember } from '../foreign/shape.js';
import { encodeRlp, type Item, isList } from './encode.js';
import { decodeRlp } from './rlp.js';
import {
  addressString,
  fitsText,
  hashString,
  integer64String,
  integer256String,
  parseText,
  type Text,
  textToJson,
} from './text.js';

type Row = readonly [name: string, text: Text];

/** Every header has these. */
const fields = [
  ['parentHash', hashString],
  ['sha3Uncles', hashString],
  ['miner', addressString],
  ['stateRoot', hashString],
  ['transactionsRoot', hashString],
  ['receiptsRoot', hashString],
  ['logsBloom', ['exact', 256]],
  ['difficulty', integer256String],
  ['number', integer64String],
  ['gasLimit', integer64String],
  ['gasUsed', integer64String],
  ['timestamp', integer64String],
  // 32 bytes at most on the public networks; chains with signed blocks keep more in it.
  ['extraData', ['data', 4096]],
  ['mixHash', hashString],
  ['nonce', ['exact', 8]],
] as const satisfies readonly Row[];

/**
 * Added by London, Shanghai, Cancun (three), Prague and Amsterdam (two: EIP-7928 and EIP-7843); Osaka added none. A header
 * has a prefix of this list; headers of test chains may lack a field in between. The fields that are present are hashed in
 * this order.
 */
const laterFields = [
  ['baseFeePerGas', integer256String],
  ['withdrawalsRoot', hashString],
  ['blobGasUsed', integer64String],
  ['excessBlobGas', integer64String],
  ['parentBeaconBlockRoot', hashString],
  ['requestsHash', hashString],
  ['blockAccessListHash', hashString],
  ['slotNumber', integer64String],
] as const satisfies readonly Row[];

/** The fields that every header has. */
type HeaderField = (typeof fields)[number][0];
/** The fields of later forks. */
type LaterField = (typeof laterFields)[number][0];

const allFields: readonly (readonly [name: HeaderField | LaterField, text: Text])[] = [
  ...fields,
  ...laterFields,
];

/** Names of all fields. */
export const headerFieldNames: readonly string[] = allFields.map(([name]) => name);

/** The fields of a header that are present, as RLP holds them, in order. */
export type RlpHeader = ReadonlyMap<HeaderField | LaterField, Uint8Array>;

/** A header as JSON-RPC has it: quantities and hex. */
export type HeaderJson = { readonly [name in HeaderField]: Hex } & {
  readonly [name in LaterField]?: Hex;
};

/** Reads the fields of a block as JSON-RPC answers it. @throws ShapeError if one is missing or malformed */
export function parseHeader(source: Source): RlpHeader {
  const read = (name: string) => {
    const value = readMember(source, name);
    // Some servers answer null for a field that the block's fork does not have.
    return value === null ? undefined : value;
  };
  const values = new Map<HeaderField | LaterField, Uint8Array>();
  const parse = (name: string, text: Text) => parseText(text, read(name), memberPath(source, name));
  for (const [name, text] of fields) values.set(name, parse(name, text));
  for (const [name, text] of laterFields) {
    // One server called it so.
    const isOther = name === 'blockAccessListHash' && read(name) === undefined;
    const written = isOther ? 'balHash' : name;
    if (read(written) !== undefined) values.set(name, parse(written, text));
  }
  return values;
}

/** The encoding that hashes to the block's hash. */
export const encodeHeader = (values: RlpHeader): Uint8Array => encodeRlp([...values.values()]);

/**
 * Reads an encoded header.
 *
 * @param present names of its fields; default: as many of the list as it has, as every public network has them
 * @throws ShapeError
 */
export function decodeHeader(
  bytes: Uint8Array,
  at: string,
  present?: readonly string[],
): RlpHeader {
  const items = decodeRlp(bytes, at);
  const wanted = present && allFields.filter(([name]) => present.includes(name));
  const table = wanted ?? allFields;
  const least = wanted?.length ?? fields.length;
  if (!isList(items) || items.length < least || items.length > table.length) {
    throw new ShapeError(at, `expected a header, a list of ${least} to ${table.length} items`);
  }
  return new Map(
    items.map((item: Item, i) => {
      const [name, text] = table[i] as (typeof allFields)[number];
      if (fitsText(text, item)) return [name, item];
      throw new ShapeError(at, `expected another form of the field ${name}`);
    }),
  );
}

/** The fields in the forms of JSON-RPC. */
export const headerToJson = (values: RlpHeader): HeaderJson =>
  Object.fromEntries(
    allFields.flatMap(([name, text]) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, textToJson(text, value)]];
    }),
  ) as HeaderJson;
