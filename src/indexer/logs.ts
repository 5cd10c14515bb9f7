/** Reads the logs that a node answers: strictly, in the order of the chain, and within what was asked for. */
import { FormatError, member, readArray, readHex, readNumber, readObject } from '../follow/read.js';
import type { Source } from '../foreign/members.js';
import type { Log } from './events.js';

/** Most topics of a log, by the EVM. */
const maxTopics = 4;

const addressForm = /^0x[0-9a-f]{40}$/;
const wordForm = /^0x[0-9a-f]{64}$/;
const dataForm = /^0x(?:[0-9a-f]{2})*$/;

/** Digits of hex of one form; of either case, for some nodes write addresses with a checksum. */
function readDigits(value: unknown, form: RegExp, source: Source, name: string): string {
  if (typeof value === 'string') {
    // As it is first: nearly all nodes write lower case.
    const text = form.test(value) ? value : value.toLowerCase();
    if (form.test(text)) return text.slice(2);
  }
  throw new FormatError(`${source.at}.${name}`, 'expected 0x and hex digits of its width');
}

/** Whose logs are asked for. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  /** Of the one block asked for, if it is one that may be taken back. */
  readonly hash?: string | undefined;
}

interface Position {
  readonly block: number;
  readonly index: number;
}

const isBehind = (a: Position, b: Position): boolean =>
  a.block > b.block || (a.block === b.block && a.index > b.index);

function readTopics(log: Source): string[] {
  const topics = readArray(member(log, 'topics'), `${log.at}.topics`);
  if (topics.length > maxTopics) {
    throw new FormatError(`${log.at}.topics`, `expected at most ${maxTopics} topics`);
  }
  return topics.map((topic) => readDigits(topic, wordForm, log, 'topics'));
}

function readTime(log: Source): number | undefined {
  const time = member(log, 'blockTimestamp') ?? undefined;
  return time === undefined ? undefined : readNumber(time, `${log.at}.blockTimestamp`);
}

function parseLog(value: unknown, path: string, { from, to, hash }: Asked): Log & Position {
  const log = readObject(value, path);
  const block = readNumber(member(log, 'blockNumber'), `${path}.blockNumber`);
  if (block < from || block > to) {
    throw new FormatError(`${path}.blockNumber`, `expected a block from ${from} to ${to}`);
  }
  if (hash !== undefined) {
    const at = `${path}.blockHash`;
    if (readHex(member(log, 'blockHash'), 32, at) !== hash) {
      throw new FormatError(at, 'expected the block asked for');
    }
  }
  return {
    block,
    index: readNumber(member(log, 'logIndex'), `${path}.logIndex`),
    time: readTime(log),
    contract: readDigits(member(log, 'address'), addressForm, log, 'address'),
    topics: readTopics(log),
    data: readDigits(member(log, 'data'), dataForm, log, 'data'),
  };
}

/** Reads a list of logs, each behind the one before. @throws FormatError */
export function parseLogs(value: unknown, path: string, asked: Asked): Log[] {
  let last: Position = { block: -1, index: -1 };
  return readArray(value, path).map((entry, i) => {
    const log = parseLog(entry, `${path}[${i}]`, asked);
    if (!isBehind(log, last)) {
      throw new FormatError(`${path}[${i}]`, 'expected logs in the order of the chain');
    }
    last = log;
    return log;
  });
}

/** Reads the logs out of a block's receipts. @throws FormatError */
export function parseReceipts(value: unknown, path: string, asked: Asked): Log[] {
  return readArray(value, path).flatMap((entry, i) => {
    const at = `${path}[${i}]`;
    return parseLogs(member(readObject(entry, at), 'logs'), `${at}.logs`, asked);
  });
}
