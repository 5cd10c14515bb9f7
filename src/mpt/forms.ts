/**
 * How the members of transactions, receipts and withdrawals are written: as JSON-RPC answers them, and as items of RLP. A
 * member has one item only, so what was rebuilt can be shown again without the server's text.
 */
import { ShapeError } from '../errors.js';
import type { Source } from '../foreign/members.js';
import { createReader, type ValueReader } from '../foreign/reader.js';
import { type Item, isList } from './encode.js';
import * as texts from './text.js';
import { fitsText, parseText, type Text, textToJson } from './text.js';

/** Reads members. @throws ShapeError */
export const { read, readObject, readMember, openArray, asList, as } = createReader(
  (at, reason, options) => new ShapeError(at, reason, options),
);

/** One way to write a member. */
export interface Form<T extends Item = Item> {
  /** The item that JSON stands for. @throws ShapeError */
  readonly parse: ValueReader<T>;
  /** Whether an item that came as RLP is of this form. */
  fits(item: Item): item is T;
  /** The JSON of an item of this form, as nodes write it. */
  toJson(item: Item): unknown;
}

const textForm = (text: Text): Form<Uint8Array> => ({
  parse: (value, at) => parseText(text, value, at),
  fits: (item): item is Uint8Array => fitsText(text, item),
  toJson: (item) => textToJson(text, item as Uint8Array),
});

export const hashForm: Form<Uint8Array> = textForm(texts.hashString);
export const addressForm: Form<Uint8Array> = textForm(texts.addressString);
export const integer64Form: Form<Uint8Array> = textForm(texts.integer64String);
export const integer256Form: Form<Uint8Array> = textForm(texts.integer256String);
export const byteForm: Form<Uint8Array> = textForm(['integer', 1]);
/** 256 bytes. */
export const bloomForm: Form<Uint8Array> = textForm(['exact', 256]);
/** A point of a curve, compressed. */
export const pointForm: Form<Uint8Array> = textForm(['exact', 48]);
/** As long as the answer that holds it. */
export const dataForm: Form<Uint8Array> = textForm(['data', 2 ** 30]);

/** 0 or 1. */
export const bitForm: Form<Uint8Array> = {
  parse(value, at) {
    const bytes = integer256Form.parse(value, at);
    if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 1)) return bytes;
    throw new ShapeError(at, 'expected 0x0 or 0x1');
  },
  fits: (item): item is Uint8Array =>
    integer256Form.fits(item) && (item.length === 0 || (item.length === 1 && item[0] === 1)),
  toJson: integer256Form.toJson,
};

/** Each of one form. What the list came in bounds its length. */
export const listOf = (form: Form): Form => ({
  parse: asList<Item>(form.parse),
  fits: (item): item is readonly Item[] => isList(item) && item.every((one) => form.fits(one)),
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

/** Whether items that came as RLP are these members, each of its form. */
export const fitMembers = (items: Item, members: readonly Member[]): items is readonly Item[] =>
  isList(items) &&
  items.length === members.length &&
  members.every(([, form], i) => form.fits(items[i] as Item));

/** The members in the forms of JSON-RPC. */
export const membersToJson = (
  items: readonly Item[],
  members: readonly Member[],
): Record<string, unknown> =>
  Object.fromEntries(members.map(([name, form], i) => [name, form.toJson(items[i] as Item)]));

/** An object whose members stand in this order in RLP. */
export const recordOf = (members: readonly Member[]): Form<readonly Item[]> => ({
  parse: (value, at) => parseMembers(readObject(value, at), members),
  fits: (item): item is readonly Item[] => fitMembers(item, members),
  toJson: (item) => membersToJson(item as readonly Item[], members),
});
