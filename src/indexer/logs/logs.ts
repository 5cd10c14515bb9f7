/** Reads the logs that a node answers: strictly, in the order of the chain, and within what was asked for. */
import type { Hex } from '../../bytes.js';
import { nativeLogAddress } from '../../decode/receipt/nativeLogAddress.js';
import { openArray, readMember, readObject } from '../../follow/node/read.js';
import { ownMember } from '../../foreign/members.js';
import { hexText } from '../../foreign/values.js';
import type { Changes } from '../layout/changes.js';
import { blockBytes, placeWidth, writePlaces } from '../layout/layout.js';
import { parseTokenEvent } from './events.js';
import { Fields, type NumberedTexts, numberContracts } from './fields.js';
import { record } from './views.js';

const hashWidth = 32;

/** The blocks whose logs are asked for. */
export interface AskedBlocks {
  readonly from: number;
  readonly to: number;
  /** Hash of the block, if a single one is asked for that may be taken back. */
  readonly hash?: Hex | undefined;
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
  readonly #asked: AskedBlocks;
  readonly #fields = new Fields();
  readonly #contracts: NumberedTexts;
  /** Blocks with an event, and their times in seconds if the logs say them. */
  readonly times = new Map<number, number | undefined>();
  #block: CurrentBlock = { text: undefined, number: -1, bytes: blockBytes(0), isTimed: false };
  #index = -1;
  /** Of the transaction and the log that is read. */
  readonly #places = new Uint8Array(2 * placeWidth);
  /** Blocks with a log of any kind. */
  readonly blocks = new Set<number>();
  /** First topics of the logs, as the node writes them. */
  readonly topics = new Set<string>();
  /** Logs read. */
  count = 0;

  constructor(changes: Changes, asked: AskedBlocks) {
    this.#changes = changes;
    this.#contracts = numberContracts(changes);
    this.#asked = asked;
  }

  /** Reads a list of logs, each behind the one before. @throws FormatError */
  readList(value: unknown, path: string): void {
    const { target, length } = openArray(value, path);
    this.#fields.path = path;
    for (let i = 0; i < length; i++) {
      const log = this.#fields.open(target, i);
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

  #readBlock(log: object): void {
    const text = ownMember(log, 'blockNumber');
    if (text !== this.#block.text) {
      const number = this.#fields.number(log, 'blockNumber');
      this.#checkBlock(number);
      this.#block = { text, number, bytes: blockBytes(number), isTimed: false };
      this.blocks.add(number);
      this.#index = -1;
    }
    const { hash } = this.#asked;
    if (hash !== undefined && hexText(ownMember(log, 'blockHash'), hashWidth) !== hash) {
      throw this.#fields.fault('blockHash', 'expected the block asked for');
    }
    const index = this.#fields.inBlock(log, 'logIndex');
    if (index <= this.#index)
      throw this.#fields.fault('', 'expected logs in the order of the chain');
    this.#index = index;
  }

  #checkBlock(number: number): void {
    const { from, to } = this.#asked;
    if (number < from || number > to) {
      throw this.#fields.fault('blockNumber', `expected a block from ${from} to ${to}`);
    }
    if (number <= this.#block.number) {
      throw this.#fields.fault('', 'expected logs in the order of the chain');
    }
  }

  #readEvent(log: object): void {
    const address = this.#fields.address(log, 'address');
    const topics = this.#fields.topics(log);
    const data = this.#fields.text(log, 'data');
    if (topics[0] !== undefined) this.topics.add(topics[0]);
    const event = parseTokenEvent({ topics, data });
    // Native value is no token, though its transfers look like one's (EIP-7708).
    if (event === undefined || address.toLowerCase() === nativeLogAddress) return;
    const contract = this.#contracts.number(address, this.#fields);
    writePlaces(this.#places, this.#fields.inBlock(log, 'transactionIndex'), this.#index);
    record(this.#changes, event, { contract, block: this.#block.bytes, places: this.#places });
    if (!this.#block.isTimed) this.#readTime(log);
  }

  #readTime(log: object): void {
    this.#block.isTimed = true;
    const isThere = (ownMember(log, 'blockTimestamp') ?? undefined) !== undefined;
    const seconds = isThere ? this.#fields.number(log, 'blockTimestamp') : undefined;
    this.times.set(this.#block.number, seconds);
  }
}
