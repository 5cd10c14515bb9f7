/** Reads the receipts of a block strictly, and adds all that the index keeps of them to changes. */
import { permit2Address } from '../../abi/allowances.js';
import { addressWidth, decodeHex, type Hex } from '../../bytes.js';
import { nativeLogAddress } from '../../decode/receipt/nativeLogAddress.js';
import { FormatError, readArray } from '../../follow/node/read.js';
import { ownMember } from '../../foreign/members.js';
import { hexText } from '../../foreign/values.js';
import type { Changes } from '../layout/changes.js';
import { blockBytes, touches } from '../layout/layout.js';
import { mayLack } from '../logs/completeness.js';
import { parseTokenEvent } from '../logs/events.js';
import { Fields, type NumberedTexts, numberContracts, numberTopics } from '../logs/fields.js';
import { record } from '../logs/views.js';
import { findLack } from '../logs/wholeReceipts.js';
import { addPermit } from './permits.js';
import { CurrentPosition } from './position.js';
import { orderFulfilled, SaleRecords, seaports } from './sales.js';
import { Touches } from './touches.js';
import { TransferRecords } from './transfers.js';

const hashWidth = 32;

/** Bits of gas, and of a price of gas and of fees in wei: more exists of no chain's token. */
const gasBits = 53;
const feeBits = 120;

/** The parts of a block's header that its receipts are held against. */
interface ReceiptHeader {
  readonly number: number;
  readonly hash: Hex;
  /** Seconds. */
  readonly time: number;
  /** Hashes of its transactions, in order. */
  readonly transactions: readonly Hex[];
  /** 256 bytes; undefined if the node does not say it. */
  readonly logsBloom: Uint8Array | undefined;
}

/** Reads the receipts of one block after the other. */
export class ReceiptReader {
  readonly #changes: Changes;
  readonly #receipts = new Fields();
  readonly #logs = new Fields(this.#receipts);
  readonly #contracts: NumberedTexts;
  /** Numbers of topics as the node writes them. */
  readonly #topics: NumberedTexts;
  readonly #position = new CurrentPosition();
  readonly #touches = new Touches();
  readonly #transfers: TransferRecords;
  readonly #sales: SaleRecords;
  /** Logs of the block by the number of their contract, and of their first topic. */
  readonly #emitted = new Counts();
  readonly #ofTopic = new Counts();
  readonly #address = new Uint8Array(addressWidth);
  /** Logs of the block so far. */
  #logCount = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
    this.#contracts = numberContracts(changes);
    this.#topics = numberTopics(changes);
    this.#transfers = new TransferRecords(changes);
    this.#sales = new SaleRecords(changes);
  }

  /**
   * Adds the records of a block.
   *
   * @param path of the receipts in the answer
   * @throws FormatError if they are not the receipts of all transactions of this block, in order, each whole, or if logs
   *   are missing of a token event that the header's bloom holds
   */
  read(value: unknown, header: ReceiptHeader, path: string): void {
    const list = readArray(value, path);
    const { length } = list;
    const receipts = this.#receipts;
    receipts.path = path;
    receipts.place = 0;
    if (length !== header.transactions.length) {
      throw receipts.fault('', `expected ${header.transactions.length} receipts, got ${length}`);
    }
    this.#logs.path = 'logs';
    this.#logCount = 0;
    this.#position.beginBlock(header.number);
    for (let i = 0; i < length; i++) this.#readReceipt(receipts.open(list, i), header, i);
    this.#expectAllTopics(list, header, path);
    this.#endBlock(header);
  }

  /**
   * Behind the last log of a block no other one's place shows that there was one more, but the header's bloom may. To hash
   * all topics of all blocks would make a feed a quarter dearer, so that is done only if first topics seem to be missing.
   */
  #expectAllTopics(receipts: readonly unknown[], header: ReceiptHeader, path: string): void {
    const { topics } = this.#changes;
    const hasCome = (topic: string) =>
      this.#ofTopic.seen.some((number) => topics[number] === topic);
    const isSuspect = this.#ofTopic.seen.length === 0 || mayLack(header, hasCome);
    if (isSuspect && findLack(receipts, header) !== undefined) {
      throw new FormatError(path, "expected the logs that the header's bloom holds");
    }
  }

  #readReceipt(receipt: object, header: ReceiptHeader, index: number): void {
    const fields = this.#receipts;
    if (fields.inBlock(receipt, 'transactionIndex') !== index) {
      throw fields.fault('transactionIndex', `expected ${index}`);
    }
    this.#expectHash(receipt, 'blockHash', header.hash);
    this.#expectHash(receipt, 'transactionHash', header.transactions[index] as Hex);
    this.#position.beginTransaction(index);
    this.#touches.begin();
    this.#transfers.beginTransaction();
    this.#sales.beginTransaction();
    this.#touch(receipt, 'from', touches.sent);
    // A transaction that creates a contract has no receiver, and the other way round.
    if ((ownMember(receipt, 'to') ?? null) !== null) this.#touch(receipt, 'to', touches.received);
    if ((ownMember(receipt, 'contractAddress') ?? null) !== null) {
      this.#touch(receipt, 'contractAddress', touches.created);
    }
    this.#readLogs(receipt);
    this.#touches.end(this.#changes, this.#position, this.#feesOf(receipt));
  }

  #expectHash(receipt: object, name: string, expected: Hex): void {
    const value = ownMember(receipt, name);
    // Compared as it is at first: nearly all nodes write lower case.
    if (value !== expected && hexText(value, hashWidth) !== expected) {
      throw this.#receipts.fault(name, "expected the block's own");
    }
  }

  #touch(receipt: object, name: string, touch: number): void {
    const text = this.#receipts.address(receipt, name);
    if (!decodeHex(text, addressWidth, this.#address)) {
      throw this.#receipts.fault(name, 'expected hex digits');
    }
    this.#touches.add(this.#address, touch);
  }

  #amount(receipt: object, name: string, bits: number): number | bigint {
    const value = this.#receipts.amount(receipt, name, bits);
    if (value !== undefined) return value;
    const reason = `expected a number below 2^${bits}, as 0x and hex digits`;
    throw this.#receipts.fault(name, reason);
  }

  /** A number if it is a safe one: bigints would take several times as long. */
  #feesOf(receipt: object): number | bigint {
    const price = this.#amount(receipt, 'effectiveGasPrice', feeBits);
    if (Number(price) === 0) return 0;
    const gas = this.#amount(receipt, 'gasUsed', gasBits);
    const product = Number(price) * Number(gas);
    if (Number.isSafeInteger(product)) return product;
    const fees = BigInt(price) * BigInt(gas);
    if (fees >> BigInt(feeBits) === 0n) return fees;
    throw this.#receipts.fault('effectiveGasPrice', 'expected fees that a chain could have');
  }

  #readLogs(receipt: object): void {
    const list = this.#receipts.list(receipt, 'logs');
    const { length } = list;
    if (length === 0 && hasBits(ownMember(receipt, 'logsBloom'))) {
      throw this.#receipts.fault('logs', 'expected the logs that its bloom holds');
    }
    const logs = this.#logs;
    for (let i = 0; i < length; i++) {
      const log = logs.open(list, i);
      const place = logs.inBlock(log, 'logIndex');
      if (place !== this.#logCount) throw logs.fault('logIndex', `expected ${this.#logCount}`);
      this.#position.beginLog(place);
      this.#readLog(log);
      this.#logCount++;
    }
  }

  #readLog(log: object): void {
    const logs = this.#logs;
    const address = logs.address(log, 'address');
    const topics = logs.topics(log);
    const data = logs.text(log, 'data');
    const contract = this.#contracts.number(address, logs);
    const topic = topics.length === 0 ? undefined : topics[0];
    this.#emitted.increase(contract);
    if (topic !== undefined) this.#ofTopic.increase(this.#topics.number(topic, logs));
    this.#position.contract = contract;
    const event = parseTokenEvent({ topics, data });
    if (event === undefined) this.#readOther(address, topics, data);
    else if (address.toLowerCase() !== nativeLogAddress) {
      // Native value is no token, though its transfers look like one's (EIP-7708).
      record(this.#changes, event, this.#position);
      this.#touches.addEvent(event);
      this.#transfers.add(event, this.#position);
    }
  }

  /** Events that count only if certain contracts emit them. */
  #readOther(address: string, topics: readonly string[], data: string): void {
    const emitter = address.toLowerCase();
    if (emitter === permit2Address) {
      const owner = addPermit(this.#changes, { topics, data }, this.#position);
      if (owner) this.#touches.add(owner, touches.approved);
    } else if (topics[0]?.toLowerCase() === orderFulfilled && seaports.includes(emitter)) {
      this.#sales.add(data, this.#position);
    }
  }

  #endBlock({ time }: ReceiptHeader): void {
    const changes = this.#changes;
    const { block } = this.#position;
    for (const contract of this.#emitted.seen) {
      const count = this.#emitted.of(contract);
      changes.key('emitted').ofContract(contract).part(block).value(block).place(count).end();
    }
    for (const topic of this.#ofTopic.seen) {
      const count = this.#ofTopic.of(topic);
      changes.key('topic').ofTopic(topic).part(block).value(block).place(count).end();
    }
    this.#emitted.clear();
    this.#ofTopic.clear();
    changes.key('time').part(block).put(block, blockBytes(time));
  }
}

/** Whether a bloom, if it is one, holds anything. */
const hasBits = (bloom: unknown): boolean =>
  typeof bloom === 'string' && /[1-9a-f]/i.test(bloom.slice(2));

/** How often small numbers were seen, of one block after the other. A map would be made anew for each. */
class Counts {
  readonly #counts: number[] = [];
  /** Those that were seen, each once. */
  readonly seen: number[] = [];

  of(number: number): number {
    return number < this.#counts.length ? (this.#counts[number] as number) : 0;
  }

  increase(number: number): void {
    while (this.#counts.length <= number) this.#counts.push(0);
    const count = (this.#counts[number] as number) + 1;
    if (count === 1) this.seen.push(number);
    this.#counts[number] = count;
  }

  clear(): void {
    for (const number of this.seen) this.#counts[number] = 0;
    this.seen.length = 0;
  }
}
