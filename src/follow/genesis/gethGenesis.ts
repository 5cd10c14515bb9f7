/**
 * geth's genesis.json: the allocation of block 0, and the forks of the chain. Addresses stand with or without 0x, numbers in
 * hex or decimal, and words of storage without their leading zeros.
 */
import type { Hex } from '../../bytes.js';
import { type Fork, forks, isSince } from '../../forks.js';
import type { AccountChange } from '../../tree/index.js';
import { FollowError } from '../node/errors.js';
import {
  FormatError,
  member,
  readData,
  readExact,
  readHex,
  readNames,
  readNumber,
  readObject,
  readQuantity,
  zeroWord,
} from '../node/read.js';
import type { ForkTime } from '../node/system.js';

/** Members of a genesis.json. */
const genesisNames = [
  'config',
  'nonce',
  'timestamp',
  'extraData',
  'gasLimit',
  'difficulty',
  'mixHash',
  'coinbase',
  'alloc',
  'number',
  'gasUsed',
  'parentHash',
  'baseFeePerGas',
  'excessBlobGas',
  'blobGasUsed',
];

/** Members of an account; the last three say nothing of the state. */
const accountNames = ['nonce', 'balance', 'code', 'storage', 'secretKey', 'privateKey', 'comment'];

/** Whether the first value of a file is a genesis.json, and not the first line of a state file. */
export const isGethGenesis = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, 'alloc') &&
  !Object.hasOwn(value, 'genesis');

/** A number in hex or decimal. JSON numbers above 2^53 lose digits, so they are refused. */
function readLooseQuantity(value: unknown, bits: number, path: string): bigint {
  const isDecimal = typeof value === 'string' && /^\d{1,78}$/.test(value);
  return readQuantity(isDecimal ? `0x${BigInt(value).toString(16)}` : value, bits, path);
}

/** A word of which leading zeros and 0x may be missing. */
function readLooseWord(value: unknown, path: string): Hex {
  const [, digits] = (typeof value === 'string' && /^(?:0x)?([0-9a-f]{1,64})$/i.exec(value)) || [];
  if (digits === undefined) throw new FormatError(path, 'expected 1 to 64 hex digits');
  return `0x${digits.toLowerCase().padStart(64, '0')}`;
}

/** The 0x may be missing, or be 0X. */
const readAddress = (name: string, at: string): Hex =>
  readHex(`0x${name.replace(/^0x/i, '')}`, 20, at);

function readAccount(address: Hex, value: unknown, at: string): AccountChange {
  const members = readExact(value, at, accountNames);
  const given = <T>(name: string, absent: T, read: (value: unknown, path: string) => T): T => {
    const one = member(members, name);
    return one === undefined ? absent : read(one, `${at}.${name}`);
  };
  const code = given('code', '0x', readData) as Hex;
  const storage = given('storage', [], (words, path) =>
    readNames(words, path, readLooseWord).map(([key, word, slotPath]) => ({
      key,
      value: readLooseWord(word, slotPath),
    })),
  ).filter((slot: { value: Hex }) => slot.value !== zeroWord);
  return {
    address,
    account: {
      nonce: given('nonce', 0n, (nonce, path) => readLooseQuantity(nonce, 64, path)),
      balance: readLooseQuantity(member(members, 'balance'), 256, `${at}.balance`),
      ...(code === '0x' ? {} : { code }),
    },
    ...(storage.length > 0 ? { storage } : {}),
  };
}

/** @throws FormatError with the member */
export function readGethGenesis(value: unknown): { config: unknown; changes: AccountChange[] } {
  const members = readExact(value, 'genesis', genesisNames);
  const number = member(members, 'number') ?? 0;
  if (readLooseQuantity(number, 48, 'genesis.number') !== 0n) {
    throw new FormatError(
      'genesis.number',
      'expected 0; the state after a later block needs a state file',
    );
  }
  const changes = readNames(member(members, 'alloc'), 'genesis.alloc', readAddress).map((entry) =>
    readAccount(...entry),
  );
  return { config: member(members, 'config'), changes };
}

/** Forks that begin at a time, by the member that names it. */
const timedForks = forks.filter((fork) => isSince(fork, 'shanghai'));

/** Forks that change nothing but the price of blobs. */
const isBlobFork = (name: string) => /^bpo\d+Time$/.test(name);

/**
 * The forks of a genesis.json.
 *
 * @param config its `config`
 * @throws FollowError `BAD_FILE` with the member, if it names none or one that this version does not know
 */
export function configForks(config: unknown): ForkTime[] {
  try {
    return readForks(config);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new FollowError('BAD_FILE', cause.message, { cause });
  }
}

function readForks(config: unknown): ForkTime[] {
  const members = readObject(config, 'config');
  const london = member(members, 'londonBlock');
  if (london === undefined || readNumber(london, 'config.londonBlock') !== 0) {
    throw new FormatError(
      'config.londonBlock',
      'expected 0; of a chain with older rules, name the forks',
    );
  }
  const known: string[] = timedForks.map((fork) => `${fork}Time`);
  for (const name of Object.keys(members.target)) {
    const isTime = name.endsWith('Time') && member(members, name) !== null;
    if (isTime && !known.includes(name) && !isBlobFork(name)) {
      const at = `config.${name.slice(0, 80)}`;
      throw new FormatError(
        at,
        `expected no forks but ${known.join(', ')}; name those that are followed`,
      );
    }
  }
  const schedule: ForkTime[] = [{ fork: 'london', time: 0 }];
  let missing: Fork | undefined;
  for (const fork of timedForks) {
    const at = `config.${fork}Time`;
    const value = member(members, `${fork}Time`) ?? undefined;
    if (value === undefined) {
      missing ??= fork;
      continue;
    }
    const time = readNumber(value, at);
    const last = schedule.at(-1) as ForkTime;
    if (missing !== undefined) throw new FormatError(at, `expected ${missing}Time before it`);
    if (time < last.time)
      throw new FormatError(at, `expected a time from ${last.time}, the fork before`);
    // If forks begin together, the last one holds.
    if (time === last.time) schedule.pop();
    schedule.push({ fork, time });
  }
  return schedule;
}
