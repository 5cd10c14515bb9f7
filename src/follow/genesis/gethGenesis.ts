/**
 * geth's genesis.json: the allocation of block 0, and the forks of the chain. Addresses stand with or without 0x, numbers in
 * hex or decimal, and words of storage without their leading zeros.
 */
import type { Hex } from '../../bytes.js';
import { hasMember } from '../../foreign/members.js';
import { nullable, optional, type ValueReader } from '../../foreign/reader.js';
import { toQuantity } from '../../foreign/values.js';
import { type Fork, forks, isSince } from '../../forks.js';
import type { AccountChange } from '../../tree/index.js';
import { FollowError } from '../node/errors.js';
import {
  asQuantity,
  FormatError,
  read,
  readAddress,
  readData,
  readExact,
  readMember,
  readNames,
  readObject,
  readSafeNumber,
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
  hasMember(value, 'alloc') && !hasMember(value, 'genesis');

/** A number in hex or decimal. JSON numbers above 2^53 lose digits, so they are refused. */
const asLooseQuantity =
  (bits: number): ValueReader<bigint> =>
  (value, path) => {
    const isDecimal = typeof value === 'string' && /^\d{1,78}$/.test(value);
    return asQuantity(bits)(isDecimal ? toQuantity(BigInt(value)) : value, path);
  };

/** A word of which leading zeros and 0x may be missing. */
function readLooseWord(value: unknown, path: string): Hex {
  const [, digits] = (typeof value === 'string' && /^(?:0x)?([0-9a-f]{1,64})$/i.exec(value)) || [];
  if (digits === undefined) throw new FormatError(path, 'expected 1 to 64 hex digits');
  return `0x${digits.toLowerCase().padStart(64, '0')}`;
}

/** The 0x may be missing, or be 0X. */
const readLooseAddress = (name: string, at: string): Hex =>
  readAddress(`0x${name.replace(/^0x/i, '')}`, at);

/** The slots of an account that are not zero. */
const readSlots = (words: unknown, path: string) =>
  readNames(words, path, readLooseWord)
    .map(([key, word, at]) => ({ key, value: readLooseWord(word, at) }))
    .filter(({ value }) => value !== zeroWord);

function readAccount(address: Hex, value: unknown, at: string): AccountChange {
  const members = readExact(value, at, accountNames);
  const code = read(members, 'code', optional(readData)) ?? '0x';
  const storage = read(members, 'storage', optional(readSlots)) ?? [];
  return {
    address,
    account: {
      nonce: read(members, 'nonce', optional(asLooseQuantity(64))) ?? 0n,
      balance: read(members, 'balance', asLooseQuantity(256)),
      ...(code === '0x' ? {} : { code }),
    },
    ...(storage.length > 0 ? { storage } : {}),
  };
}

/** @throws FormatError with the member */
export function readGethGenesis(value: unknown): { config: unknown; changes: AccountChange[] } {
  const members = readExact(value, 'genesis', genesisNames);
  if ((read(members, 'number', nullable(asLooseQuantity(48))) ?? 0n) !== 0n) {
    throw new FormatError(
      'genesis.number',
      'expected 0; the state after a later block needs a state file',
    );
  }
  const changes = readNames(readMember(members, 'alloc'), 'genesis.alloc', readLooseAddress).map(
    (entry) => readAccount(...entry),
  );
  return { config: readMember(members, 'config'), changes };
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
  if (read(members, 'londonBlock', optional(readSafeNumber)) !== 0) {
    throw new FormatError(
      'config.londonBlock',
      'expected 0; of a chain with older rules, name the forks',
    );
  }
  const known: string[] = timedForks.map((fork) => `${fork}Time`);
  for (const name of Object.keys(members.target)) {
    const isTime = name.endsWith('Time') && readMember(members, name) !== null;
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
    const time = read(members, `${fork}Time`, nullable(readSafeNumber));
    if (time === undefined) {
      missing ??= fork;
      continue;
    }
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
