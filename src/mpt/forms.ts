/**
 * How the members of headers, transactions, receipts and withdrawals are written: as JSON-RPC answers them, and as items of
 * RLP. A member has one item only, so what was rebuilt can be shown again without the server's text.
 */
import { encodeHex, type Hex, integerToBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import type { Source } from '../foreign/members.js';
import { createReader, type ValueReader } from '../foreign/reader.js';
import { dataBytes, hexBytes, parseQuantity } from '../foreign/values.js';
import { type Item, isList, trim } from './encode.js';

/** Reads members. @throws ShapeError */
export const { read, readObject, readMember, asList, as, nameOf } = createReader(
  (at, reason, options) => new ShapeError(at, reason, options),
);

/** One way to write a member. */
export interface Form {
  /** The item that JSON stands for. @throws ShapeError */
  readonly parse: ValueReader<Item>;
  /** The JSON of an item of this form, as nodes write it. */
  toJson(item: Item): unknown;
}

/** The same for a single byte string. */
export interface TextForm extends Form {
  readonly parse: ValueReader<Uint8Array>;
  /** Whether an item that came as RLP is of this form. */
  fits(item: Item): item is Uint8Array;
  toJson(item: Item): Hex;
}

/** A text of bytes. @param digits what a message says of their number */
function textForm(
  toBytes: (text: string) => Uint8Array | undefined,
  fits: (bytes: Uint8Array) => boolean,
  { digits, toJson }: { digits: string; toJson(bytes: Uint8Array): Hex },
): TextForm {
  return {
    parse(value, at) {
      const bytes = typeof value === 'string' ? toBytes(value) : undefined;
      if (bytes) return bytes;
      throw new ShapeError(at, `expected 0x and ${digits} hex digits, got ${nameOf(value, at)}`);
    },
    fits: (item): item is Uint8Array => !isList(item) && fits(item),
    toJson: (item) => toJson(item as Uint8Array),
  };
}

/** Exactly so many bytes. */
export const exact = (width: number): TextForm =>
  textForm(
    (text) => hexBytes(text, width),
    ({ length }) => length === width,
    { digits: `${2 * width}`, toJson: encodeHex },
  );

/** Any bytes, up to so many. */
export const data = (width: number): TextForm =>
  textForm(
    (text) => dataBytes(text, width),
    ({ length }) => length <= width,
    { digits: `up to ${2 * width}`, toJson: encodeHex },
  );

/** An integer as JSON-RPC writes it. @param bytes big-endian, without leading zeros */
export function integerToJson(bytes: Uint8Array): Hex {
  if (bytes.length === 0) return '0x0';
  const text = encodeHex(bytes);
  return text[2] === '0' ? `0x${text.slice(3)}` : text;
}

/** An integer of up to so many bytes; its item has no leading zeros, however many the server wrote. */
export const integer = (width: number): TextForm =>
  textForm(
    (text) => {
      const number = parseQuantity(text, 8 * width);
      return number === undefined ? undefined : trim(integerToBytes(number, width));
    },
    (bytes) => bytes.length <= width && bytes[0] !== 0,
    { digits: `up to ${2 * width}`, toJson: integerToJson },
  );

export const hash: TextForm = exact(32);
export const address: TextForm = exact(20);
export const integer64: TextForm = integer(8);
export const integer256: TextForm = integer(32);
/** As long as the answer that holds it. */
export const anyData: TextForm = data(2 ** 30);

/** 0 or 1. */
export const bit: Form = {
  parse(value, at) {
    const bytes = integer256.parse(value, at);
    if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 1)) return bytes;
    throw new ShapeError(at, 'expected 0x0 or 0x1');
  },
  toJson: integer256.toJson,
};

/** Each of one form. What the list came in bounds its length. */
export const listOf = (form: Form): Form => ({
  parse: asList<Item>(form.parse),
  toJson: (item) => (item as readonly Item[]).map(form.toJson),
});

/** A member: its name, its form, and the name that older servers give it. */
export type Member = readonly [name: string, form: Form, before?: string];

/** The items of an object's members, in the order of a table. @throws ShapeError */
export const parseMembers = (source: Source, members: readonly Member[]): Item[] =>
  members.map(([name, form, before]) => {
    const isOlder = before !== undefined && (readMember(source, name) ?? undefined) === undefined;
    return read(source, isOlder ? before : name, form.parse);
  });

/** The members in the forms of JSON-RPC. */
export const membersToJson = (
  items: readonly Item[],
  members: readonly Member[],
): Record<string, unknown> =>
  Object.fromEntries(members.map(([name, form], i) => [name, form.toJson(items[i] as Item)]));

/** An object whose members stand in this order in RLP. */
export const recordOf = (members: readonly Member[]): Form => ({
  parse: (value, at) => parseMembers(readObject(value, at), members),
  toJson: (item) => membersToJson(item as readonly Item[], members),
});
