/** Reads the logs that a node answers: strictly, in the order of the chain, and within what was asked for. */
import type { Hex } from '../bytes.js';
import { FormatError, member, readHex, readNumber, readObject } from '../follow/read.js';
import { createMemberReader, type Source } from '../foreign/members.js';
import { hexText } from '../foreign/values.js';
import type { Changes } from './changes.js';
import { eventOf } from './events.js';
import { addressWidth, blockBytes } from './layout.js';
import { record } from './views.js';

const { openArray } = createMemberReader((at, reason) => new FormatError(at, reason));

/** Most topics of a log, by the EVM. */
const maxTopics = 4;

const addressLength = 42;
const topicLength = 66;

/** Whose logs are asked for. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  /** Of the one block asked for, if it is one that may be taken back. */
  readonly hash?: Hex | undefined;
}

/** Text that begins as hex does. Its digits are read if they are needed. */
function readText(value: unknown, length: number | undefined, at: string): string {
  const isText = typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0;
  if (isText && (length === undefined || value.length === length)) return value;
  throw new FormatError(at, 'expected 0x and hex digits of its width');
}

function readTopics(log: Source): string[] {
  const at = `${log.at}.topics`;
  const list = openArray(member(log, 'topics'), at);
  if (list.length > maxTopics) throw new FormatError(at, `expected at most ${maxTopics} topics`);
  const topics: string[] = [];
  for (let i = 0; i < list.length; i++) topics.push(readText(member(list, i), topicLength, at));
  return topics;
}

/** A number of a log, most of which are short: a regular expression and a bigint cost several times as much. */
function readIndex(value: unknown, at: string): number {
  if (typeof value !== 'string' || value.length > 8 || !value.startsWith('0x')) {
    return readNumber(value, at);
  }
  const number = Number(value);
  return Number.isNaN(number) ? readNumber(value, at) : number;
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
 * Reads logs one by one, and adds what they say of tokens to changes: kept as they are, the logs of a long range would
 * take several times as much memory.
 */
export class LogReader {
  readonly #changes: Changes;
  readonly #asked: Asked;
  /** Blocks with an event, and their times in seconds if the logs say them. */
  readonly times = new Map<number, number | undefined>();
  #block: CurrentBlock = { text: undefined, number: -1, bytes: blockBytes(0), isTimed: false };
  #index = -1;
  /** Numbers of contracts by their addresses, as the node writes them. */
  readonly #contracts = new Map<string, number>();
  /** Logs read. */
  count = 0;

  constructor(changes: Changes, asked: Asked) {
    this.#changes = changes;
    this.#asked = asked;
  }

  /** Reads a list of logs, each behind the one before. @throws FormatError */
  readList(value: unknown, path: string): void {
    const list = openArray(value, path);
    for (let i = 0; i < list.length; i++) {
      const log = readObject(member(list, i), `${path}[${i}]`);
      this.#readBlock(log);
      this.#readEvent(log);
      this.count++;
    }
  }

  /** Reads the logs in a block's receipts. @throws FormatError */
  readReceipts(value: unknown, path: string): void {
    const list = openArray(value, path);
    for (let i = 0; i < list.length; i++) {
      const receipt = readObject(member(list, i), `${path}[${i}]`);
      this.readList(member(receipt, 'logs'), `${receipt.at}.logs`);
    }
  }

  #readBlock(log: Source): void {
    const text = member(log, 'blockNumber');
    if (text !== this.#block.text) {
      const number = readNumber(text, `${log.at}.blockNumber`);
      this.#checkBlock(log, number);
      this.#block = { text, number, bytes: blockBytes(number), isTimed: false };
      this.#index = -1;
    }
    const { hash } = this.#asked;
    if (
      hash !== undefined &&
      readHex(member(log, 'blockHash'), 32, `${log.at}.blockHash`) !== hash
    ) {
      throw new FormatError(`${log.at}.blockHash`, 'expected the block asked for');
    }
    const index = readIndex(member(log, 'logIndex'), `${log.at}.logIndex`);
    if (index <= this.#index)
      throw new FormatError(log.at, 'expected logs in the order of the chain');
    this.#index = index;
  }

  #checkBlock(log: Source, number: number): void {
    const { from, to } = this.#asked;
    if (number < from || number > to) {
      throw new FormatError(`${log.at}.blockNumber`, `expected a block from ${from} to ${to}`);
    }
    if (number <= this.#block.number) {
      throw new FormatError(log.at, 'expected logs in the order of the chain');
    }
  }

  #readEvent(log: Source): void {
    const address = readText(member(log, 'address'), addressLength, `${log.at}.address`);
    const topics = readTopics(log);
    const data = readText(member(log, 'data'), undefined, `${log.at}.data`);
    const event = eventOf({ topics, data });
    if (event === undefined) return;
    const contract = this.#contractOf(log, address);
    record(this.#changes, event, { contract, block: this.#block.bytes });
    if (!this.#block.isTimed) this.#readTime(log);
  }

  #contractOf(log: Source, address: string): number {
    let contract = this.#contracts.get(address);
    if (contract === undefined) {
      // In lower case: some nodes write a checksum.
      const digits = hexText(address, addressWidth);
      if (digits === undefined) throw new FormatError(`${log.at}.address`, 'expected hex digits');
      contract = this.#changes.contract(digits);
      this.#contracts.set(address, contract);
    }
    return contract;
  }

  #readTime(log: Source): void {
    this.#block.isTimed = true;
    const time = member(log, 'blockTimestamp') ?? undefined;
    const seconds = time === undefined ? time : readNumber(time, `${log.at}.blockTimestamp`);
    this.times.set(this.#block.number, seconds);
  }
}
