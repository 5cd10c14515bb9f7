/** Members of logs and receipts, one by one. Most are valid, so the path of one is built only if it is refused. */
import { addressWidth } from '../../bytes.js';
import { FormatError, readArray, readSafeNumber } from '../../follow/node/read.js';
import { ownMember } from '../../foreign/members.js';
import { hexText, parseQuantity } from '../../foreign/values.js';
import type { Changes } from '../layout/changes.js';
import { maxPlace } from '../layout/layout.js';

/** Most topics of a log, by the EVM. */
const maxTopics = 4;

const addressLength = 42;
const topicLength = 66;

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

/** Numbers of contracts among changes, by their addresses as the node writes them. */
export class ContractNames {
  readonly #changes: Changes;
  readonly #numbers = new Map<string, number>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** @param fields of the log whose member `address` it is @throws FormatError */
  number(address: string, fields: Fields): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    // In lower case: some nodes write a checksum.
    const lower = hexText(address, addressWidth);
    if (lower === undefined) throw fields.fault('address', 'expected hex digits');
    const number = this.#changes.contract(lower);
    this.#numbers.set(address, number);
    return number;
  }
}
