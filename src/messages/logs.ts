/** The logs by which L2 says what messages it has sent: a node's, which nothing proves, or proven ones, in the same form. */
import { bytesAt, wordWidth } from '../abi/word.js';
import { addressWidth, bytesToInteger, encodeHex, equalBytes, type Hex, isZero } from '../bytes.js';
import { createReader } from '../foreign/reader.js';
import { dataBytes, hexBytes } from '../foreign/values.js';
import type { Tick } from '../turns.js';
import { MessageError } from './errors.js';
import { hashChecked, type Message } from './message.js';

/**
 * keccak-256 of `MessageSent(address indexed from, address indexed to, uint256 fee, uint256 value, uint256 nonce, bytes
 * calldata, bytes32 indexed hash)`.
 */
export const messageSent: Hex =
  '0xe856c2b8bd4eb0027ce32eeaf595c21b0b6b4644b326e5b7bd80a1cf8db72e6c';

/** The topics of a search for messages. @param hash only this one */
export const messageTopics = (hash: Hex | undefined): (Hex | null)[] =>
  hash === undefined ? [messageSent] : [messageSent, null, null, hash];

/** A message, and the block that its log is in. */
export interface SentMessage {
  readonly hash: Hex;
  readonly message: Message;
  /** The L2 block. */
  readonly block: number;
}

/** What reading messages takes. */
export interface MessageReading {
  /** The contract that sends messages. */
  readonly service: Hex;
  /** To be awaited often: it gives others a turn of the event loop. */
  readonly tick: Tick;
}

/** Longest data of a log, in bytes: more than a block's gas pays for. */
const maxData = 4 * 1024 * 1024;

const { openArray, openObject, readMember, read, as, asHex, asNumber } = createReader(
  (path, reason, { cause } = {}) =>
    new MessageError('BAD_ANSWER', `"${path}" ${reason}`, { cause, path }),
);

const readAddress = asHex(addressWidth);
const readWord = as((value) => hexBytes(value, wordWidth), '0x and 64 hex digits');
const readData = as((value) => dataBytes(value, maxData), 'hex of whole bytes');
const readBlock = asNumber(53);

/** An address in a topic. */
const addressOf = (topic: Uint8Array): Hex | undefined =>
  isZero(topic, 0, wordWidth - addressWidth)
    ? encodeHex(topic.subarray(wordWidth - addressWidth))
    : undefined;

/** The message of a log, if it is one of the service. @throws MessageError `BAD_ANSWER` */
function readLog(value: unknown, at: string, service: Hex): SentMessage | undefined {
  const log = openObject(value, at);
  if (read(log, 'address', readAddress) !== service) return undefined;
  const topics = openArray(readMember(log, 'topics'), `${at}.topics`);
  if (topics.length !== 4) return undefined;
  if (encodeHex(read(topics, 0, readWord)) !== messageSent) return undefined;
  const [from, to] = [1, 2].map((i) => addressOf(read(topics, i, readWord)));
  const hash = read(topics, 3, readWord);
  const data = read(log, 'data', readData);
  const [fee, value_, messageNumber] = [0, 1, 2].map((i) =>
    bytesToInteger(data.subarray(i * wordWidth, (i + 1) * wordWidth)),
  ) as [bigint, bigint, bigint];
  // Always the fourth member, behind four words.
  const calldata = bytesAt(data, 4 * wordWidth);
  if (from && to && calldata) {
    const message = { from, to, fee, value: value_, messageNumber, data: encodeHex(calldata) };
    // What is read otherwise than the contract wrote it has another hash.
    if (equalBytes(hashChecked(message), hash)) {
      const block = read(log, 'blockNumber', readBlock);
      return { hash: encodeHex(hash), message: Object.freeze(message), block };
    }
  }
  throw new MessageError('BAD_ANSWER', `"${at}" is a message of another hash than it says`, {
    path: at,
  });
}

/**
 * The messages in a list of logs, in their order. Logs of others are left out. An answer has room for a hundred thousand, and
 * each is hashed: the event loop has its turns meanwhile.
 *
 * @throws MessageError `BAD_ANSWER`; errors of a tick
 */
export async function readMessages(
  logs: unknown,
  at: string,
  { service, tick }: MessageReading,
): Promise<SentMessage[]> {
  const list = openArray(logs, at);
  const messages: SentMessage[] = [];
  for (let i = 0; i < list.length; i++) {
    const sent = readLog(readMember(list, i), `${at}[${i}]`, service);
    if (sent) messages.push(sent);
    await tick();
  }
  return messages;
}

/** The messages in the receipt of a transaction. @throws MessageError `BAD_ANSWER`; errors of a tick */
export async function readReceiptMessages(
  answer: unknown,
  at: string,
  reading: MessageReading,
): Promise<SentMessage[]> {
  const receipt = openObject(answer, at);
  return readMessages(readMember(receipt, 'logs'), `${at}.logs`, reading);
}
