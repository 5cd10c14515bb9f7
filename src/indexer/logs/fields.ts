/** Members of logs and receipts, one by one. Most are valid, so the path of one is built only if it is refused. */
import { addressWidth, type Hex } from '../../bytes.js';
import { FormatError, readArray, readSafeNumber } from '../../follow/node/read.js';
import { ownMember } from '../../foreign/members.js';
import { hexText, parseQuantity } from '../../foreign/values.js';
import type { Changes } from '../layout/changes.js';
import { maxPlace } from '../layout/layout.js';

/** Most topics of a log, by the EVM. */
const maxTopics = 4;

const addressLength = 42;
const topicLength = 66;
const topicWidth = 32;

/** Text that begins as hex does. Its digits are read if they are needed. */
const isHexText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0;

/** Most digits of a short number: it then is a safe one. */
const shortDigits = 12;

/** A number in a log. Most are short: a regular expression and a bigint would cost several times as much. */
function shortNumber(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 2 + shortDigits || !value.startsWith('0x')) {
    return undefined;
  }
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

/** Reads members of one element of a list after the other. */
export class Fields {
  /** Where the list stands, and the element in it. */
  path = '';
  place = 0;
  readonly #outer: Fields | undefined;

  /** @param outer if given, the list is a member of its element, and `path` the name of the member */
  constructor(outer?: Fields) {
    this.#outer = outer;
  }

  /** The error of a member, or of the element itself. */
  fault(name: string, reason: string): FormatError {
    return new FormatError(`${this.#at}${name === '' ? '' : `.${name}`}`, reason);
  }

  get #at(): string {
    const list = this.#outer === undefined ? this.path : `${this.#outer.#at}.${this.path}`;
    return `${list}[${this.place}]`;
  }

  /** A member that is a list. */
  list(of: object, name: string): readonly unknown[] {
    const value = ownMember(of, name);
    return Array.isArray(value) ? value : readArray(value, `${this.#at}.${name}`);
  }

  /** An element of the list. */
  open(list: object, place: number): object {
    this.place = place;
    const value = ownMember(list, place);
    if (typeof value === 'object' && value !== null) return value;
    throw this.fault('', 'expected an object');
  }

  number(of: object, name: string): number {
    const value = ownMember(of, name);
    return shortNumber(value) ?? readSafeNumber(value, `${this.#at}.${name}`);
  }

  /** A number that may be long; undefined if it is none below 2^`bits`. */
  amount(of: object, name: string, bits: number): number | bigint | undefined {
    const value = ownMember(of, name);
    const number = bits > 4 * shortDigits ? shortNumber(value) : undefined;
    return number ?? parseQuantity(value, bits);
  }

  /** The place of a transaction or a log inside its block. */
  inBlock(of: object, name: string): number {
    const place = this.number(of, name);
    if (place > maxPlace) throw this.fault(name, 'expected a place inside a block');
    return place;
  }

  text(of: object, name: string): string {
    const value = ownMember(of, name);
    if (isHexText(value)) return value;
    throw this.fault(name, 'expected 0x and hex digits');
  }

  address(of: object, name: string): string {
    const value = this.text(of, name);
    if (value.length !== addressLength) throw this.fault(name, 'expected 20 bytes');
    return value;
  }

  topics(log: object): readonly string[] {
    const list = ownMember(log, 'topics');
    if (!Array.isArray(list) || list.length > maxTopics) {
      throw this.fault('topics', `expected a list of at most ${maxTopics} topics`);
    }
    for (const topic of list) {
      if (typeof topic !== 'string' || topic.length !== topicLength || !topic.startsWith('0x')) {
        throw this.fault('topics', 'expected topics of 32 bytes');
      }
    }
    return list;
  }
}

/** Numbers among changes, of contracts or of topics, by their texts as the node writes them. */
export class NumberedTexts {
  readonly #member: 'address' | 'topics';
  readonly #width: number;
  readonly #toNumber: (lower: Hex) => number;
  readonly #numbers = new Map<string, number>();

  /** @param member of a log that has the texts @param width of a text, in bytes */
  constructor(member: 'address' | 'topics', width: number, toNumber: (lower: Hex) => number) {
    this.#member = member;
    this.#width = width;
    this.#toNumber = toNumber;
  }

  /** @param fields of the log whose member it is @throws FormatError */
  number(text: string, fields: Fields): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    // In lower case: some nodes write a checksum.
    const lower = hexText(text, this.#width);
    if (lower === undefined) throw fields.fault(this.#member, 'expected hex digits');
    const number = this.#toNumber(lower);
    this.#numbers.set(text, number);
    return number;
  }
}

/** The numbers of contracts among changes. */
export const numberContracts = (changes: Changes): NumberedTexts =>
  new NumberedTexts('address', addressWidth, (address) => changes.contract(address));

/** The numbers of topics among changes. */
export const numberTopics = (changes: Changes): NumberedTexts =>
  new NumberedTexts('topics', topicWidth, (topic) => changes.topic(topic));
