/** Reads the logs that a node answers: strictly, in the order of the chain, and within what was asked for. */
import { addressWidth, type Hex } from '../../bytes.js';
import { nativeLogAddress } from '../../decode/receipt/nativeLogAddress.js';
import {
  FormatError,
  openArray,
  readMember,
  readObject,
  readSafeNumber,
} from '../../follow/node/read.js';
import { ownMember } from '../../foreign/members.js';
import { hexText } from '../../foreign/values.js';
import type { Changes } from '../layout/changes.js';
import { blockBytes } from '../layout/layout.js';
import { parseTokenEvent } from './events.js';
import { record } from './views.js';

/** Most topics of a log, by the EVM. */
const maxTopics = 4;

const addressLength = 42;
const topicLength = 66;
const hashWidth = 32;

/** The blocks whose logs are asked for. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  /** Hash of the block, if a single one is asked for that may be taken back. */
  readonly hash?: Hex | undefined;
}

/** Text that begins as hex does. Its digits are read if they are needed. */
const isHexText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0;

/** A number in a log. Most are short: a regular expression and a bigint would cost several times as much. */
function shortNumber(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 8 || !value.startsWith('0x')) return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

/** The block whose logs are being read. */
interface CurrentBlock {
  /** Its number as the node writes it, which is read once. */
  readonly text: unknown;
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Whether its time was looked for. */
  isTimed: boolean;
}

/**
 * Reads logs one by one, and adds what they say of tokens to changes. Keeping the logs of a long range would take several
 * times as much memory.
 */
export class LogReader {
  readonly #changes: Changes;
  readonly #asked: Asked;
  /** Where the log that is read stands. */
  #path = '';
  #place = 0;
  /** Blocks with an event, and their times in seconds if the logs say them. */
  readonly times = new Map<number, number | undefined>();
  #block: CurrentBlock = { text: undefined, number: -1, bytes: blockBytes(0), isTimed: false };
  #index = -1;
  /** Numbers of contracts by their addresses, as the node writes them. */
  readonly #contracts = new Map<string, number>();
  /** Blocks with a log of any kind. */
  readonly blocks = new Set<number>();
  /** First topics of the logs, as the node writes them. */
  readonly topics = new Set<string>();
  /** Logs read. */
  count = 0;

  constructor(changes: Changes, asked: Asked) {
    this.#changes = changes;
    this.#asked = asked;
  }

  /** Reads a list of logs, each behind the one before. @throws FormatError */
  readList(value: unknown, path: string): void {
    const { target, length } = openArray(value, path);
    this.#path = path;
    for (let i = 0; i < length; i++) {
      this.#place = i;
      const log = ownMember(target, i);
      if (typeof log !== 'object' || log === null) throw this.#fault('', 'expected an object');
      this.#readBlock(log);
      this.#readEvent(log);
      this.count++;
    }
  }

  /** Reads the logs in a block's receipts. @throws FormatError */
  readReceipts(value: unknown, path: string): void {
    const list = openArray(value, path);
    for (let i = 0; i < list.length; i++) {
      const receipt = readObject(readMember(list, i), `${path}[${i}]`);
      this.readList(readMember(receipt, 'logs'), `${receipt.at}.logs`);
    }
  }

  /** The error of a member, or of the log itself. Its path is built only here: most logs are valid. */
  #fault(name: string, reason: string): FormatError {
    return new FormatError(`${this.#path}[${this.#place}]${name === '' ? '' : `.${name}`}`, reason);
  }

  #readNumber(log: object, name: string): number {
    const value = ownMember(log, name);
    return shortNumber(value) ?? readSafeNumber(value, `${this.#path}[${this.#place}].${name}`);
  }

  #readText(log: object, name: string): string {
    const value = ownMember(log, name);
    if (isHexText(value)) return value;
    throw this.#fault(name, 'expected 0x and hex digits');
  }

  #readTopics(log: object): readonly string[] {
    const list = ownMember(log, 'topics');
    if (!Array.isArray(list) || list.length > maxTopics) {
      throw this.#fault('topics', `expected a list of at most ${maxTopics} topics`);
    }
    for (const topic of list) {
      if (typeof topic !== 'string' || topic.length !== topicLength || !topic.startsWith('0x')) {
        throw this.#fault('topics', 'expected topics of 32 bytes');
      }
    }
    return list;
  }

  #readBlock(log: object): void {
    const text = ownMember(log, 'blockNumber');
    if (text !== this.#block.text) {
      const number = this.#readNumber(log, 'blockNumber');
      this.#checkBlock(number);
      this.#block = { text, number, bytes: blockBytes(number), isTimed: false };
      this.blocks.add(number);
      this.#index = -1;
    }
    const { hash } = this.#asked;
    if (hash !== undefined && hexText(ownMember(log, 'blockHash'), hashWidth) !== hash) {
      throw this.#fault('blockHash', 'expected the block asked for');
    }
    const index = this.#readNumber(log, 'logIndex');
    if (index <= this.#index) throw this.#fault('', 'expected logs in the order of the chain');
    this.#index = index;
  }

  #checkBlock(number: number): void {
    const { from, to } = this.#asked;
    if (number < from || number > to) {
      throw this.#fault('blockNumber', `expected a block from ${from} to ${to}`);
    }
    if (number <= this.#block.number) {
      throw this.#fault('', 'expected logs in the order of the chain');
    }
  }

  #readEvent(log: object): void {
    const address = this.#readText(log, 'address');
    const topics = this.#readTopics(log);
    const data = this.#readText(log, 'data');
    if (address.length !== addressLength) throw this.#fault('address', 'expected 20 bytes');
    if (topics[0] !== undefined) this.topics.add(topics[0]);
    const event = parseTokenEvent({ topics, data });
    // Native value is no token, though its transfers look like one's (EIP-7708).
    if (event === undefined || address.toLowerCase() === nativeLogAddress) return;
    const contract = this.#contracts.get(address) ?? this.#newContract(address);
    record(this.#changes, event, { contract, block: this.#block.bytes });
    if (!this.#block.isTimed) this.#readTime(log);
  }

  #newContract(address: string): number {
    // In lower case: some nodes write a checksum.
    const lower = hexText(address, addressWidth);
    if (lower === undefined) throw this.#fault('address', 'expected hex digits');
    const contract = this.#changes.contract(lower);
    this.#contracts.set(address, contract);
    return contract;
  }

  #readTime(log: object): void {
    this.#block.isTimed = true;
    const isThere = (ownMember(log, 'blockTimestamp') ?? undefined) !== undefined;
    const seconds = isThere ? this.#readNumber(log, 'blockTimestamp') : undefined;
    this.times.set(this.#block.number, seconds);
  }
}
