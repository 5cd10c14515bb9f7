/** Parameters of calls, as geth takes them. */
import { encodeHex, type Hex } from '../../bytes.js';
import type { AccessEntry, HeaderValues } from '../../evm/index.js';
import { hasMember, ownElements, type Source } from '../../foreign/members.js';
import { optional, type ValueReader } from '../../foreign/reader.js';
import { dataBytes } from '../../foreign/values.js';
import { invalidParams } from './errors.js';
import {
  as,
  asHex,
  asQuantity,
  read,
  readAddressParam,
  readMember,
  readObject,
  readSlot,
} from './params.js';

/** Bytes of call data: more would cost more than any gas cap. */
const maxData = 4 * 1024 * 1024;

/** Entries of an access list, with their slots. */
const maxAccess = 16_384;

/** A caller's parameters of a call; undefined if not given. */
export interface CallParams {
  readonly from: Hex;
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas: bigint | undefined;
  readonly gasPrice: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
  readonly accessList: readonly AccessEntry[];
}

/** An object, and its location in the request. */
interface Param extends Source {
  readonly target: Readonly<Record<string, unknown>>;
}

/** A copy of an object's members, each read once; those that are null are not there. @throws ProviderError */
export function openParam(value: unknown, at: string): Param {
  const entries = Object.entries(readObject(value, at).target);
  return { target: Object.fromEntries(entries.filter(([, member]) => member !== null)), at };
}

const readWord = asHex(32);
export const readAmountParam: ValueReader<bigint> = asQuantity(256);
export const readSmall: ValueReader<bigint> = asQuantity(64);
const readBytes = as((value) => dataBytes(value, maxData), `up to ${maxData} bytes in hex`);

/** Reads a member, if it is there. @throws ProviderError */
export const readGiven = <T>(param: Param, name: string, reading: ValueReader<T>): T | undefined =>
  read(param, name, optional(reading));

/** Refuses members that no rule names: a misspelt one would be lost in silence. */
function refuseOthers({ target, at }: Param, names: readonly string[]): void {
  const unknown = Object.entries(target).find(
    ([name, value]) => value !== undefined && !names.includes(name),
  );
  if (unknown === undefined) return;
  throw invalidParams(`${at}.${unknown[0].slice(0, 40)} is unknown; known: ${names.join(', ')}`);
}

function readAccessList(value: unknown, at: string): AccessEntry[] {
  if (!Array.isArray(value) || value.length > maxAccess) {
    throw invalidParams(`${at} expected an array of at most ${maxAccess} entries`);
  }
  let slots = 0;
  return ownElements(value).map((entry, i) => {
    const source = openParam(entry, `${at}[${i}]`);
    refuseOthers(source, ['address', 'storageKeys']);
    const storageKeys = readMember(source, 'storageKeys') ?? [];
    slots += Array.isArray(storageKeys) ? storageKeys.length : Number.POSITIVE_INFINITY;
    if (slots > maxAccess) {
      throw invalidParams(
        `${source.at}.storageKeys expected an array, and at most ${maxAccess} in all`,
      );
    }
    return {
      address: read(source, 'address', readAddressParam),
      storageKeys: ownElements(storageKeys as unknown[]).map((key, j) =>
        readSlot(key, `${source.at}.storageKeys[${j}]`),
      ),
    };
  });
}

/** Members of a call as geth takes them. Those that no result depends on are not read. */
const known: readonly string[] = [
  ...['from', 'to', 'data', 'input', 'value', 'gas', 'gasPrice', 'maxFeePerGas'],
  ...['maxPriorityFeePerGas', 'accessList', 'nonce', 'type', 'chainId', 'maxFeePerBlobGas'],
  ...['blobVersionedHashes', 'blobs', 'commitments', 'proofs', 'authorizationList'],
];

/** Refuses what would make another transaction of it. */
function checkRest(source: Param, chainId: number): void {
  const { at } = source;
  // A misspelt `to` would run the data as init code.
  refuseOthers(source, known);
  for (const name of ['authorizationList', 'blobVersionedHashes', 'blobs']) {
    const list = readMember(source, name);
    if (list === undefined || (Array.isArray(list) && list.length === 0)) continue;
    throw invalidParams(`${at}.${name} is not supported by calls that are verified`);
  }
  const id = readGiven(source, 'chainId', readAmountParam);
  if (id !== undefined && id !== BigInt(chainId)) {
    throw invalidParams(`${at}.chainId expected ${chainId}`);
  }
}

function readData(source: Param): Uint8Array {
  const data = readGiven(source, 'data', readBytes);
  const input = readGiven(source, 'input', readBytes);
  if (data && input && encodeHex(data) !== encodeHex(input)) {
    throw invalidParams(`${source.at} has "data" and "input", which differ`);
  }
  return input ?? data ?? new Uint8Array(0);
}

const nobody: Hex = `0x${'00'.repeat(20)}`;

/** @throws ProviderError */
export function readCallParam(value: unknown, at: string, chainId: number): CallParams {
  const source = openParam(value, at);
  checkRest(source, chainId);
  const amount = (name: string) => readGiven(source, name, readAmountParam);
  const gasPrice = amount('gasPrice');
  const maxFeePerGas = amount('maxFeePerGas');
  const maxPriorityFeePerGas = amount('maxPriorityFeePerGas');
  if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
    throw invalidParams(`${at} has "gasPrice" and fees of the other kind`);
  }
  if ((maxPriorityFeePerGas ?? 0n) > (maxFeePerGas ?? maxPriorityFeePerGas ?? 0n)) {
    throw invalidParams(`${at}.maxPriorityFeePerGas is above maxFeePerGas`);
  }
  return {
    from: readGiven(source, 'from', readAddressParam) ?? nobody,
    to: readGiven(source, 'to', readAddressParam),
    data: readData(source),
    value: amount('value') ?? 0n,
    gas: readGiven(source, 'gas', readSmall),
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: readGiven(source, 'accessList', readAccessList) ?? [],
  };
}

/** geth's names of what replaces values of the block's header. */
const blockOverrides = {
  number: ['number', readSmall],
  time: ['timestamp', readSmall],
  gasLimit: ['gasLimit', readSmall],
  feeRecipient: ['coinbase', readAddressParam],
  prevRandao: ['prevRandao', readWord],
  baseFeePerGas: ['baseFee', readAmountParam],
  blobBaseFee: ['blobBaseFee', readAmountParam],
} as const;

/** @throws ProviderError */
export function readBlockOverrides(value: unknown, at: string): HeaderValues {
  if (value === undefined || value === null) return {};
  const source = openParam(value, at);
  const unknown = Object.keys(source.target).find((name) => !hasMember(blockOverrides, name));
  if (unknown !== undefined) {
    const known = Object.keys(blockOverrides).join(', ');
    throw invalidParams(`${at}.${unknown.slice(0, 40)} is unknown; known: ${known}`);
  }
  return Object.fromEntries(
    Object.entries(blockOverrides).map(([name, [own, reading]]) => [
      own,
      readGiven<Hex | bigint>(source, name, reading),
    ]),
  );
}
