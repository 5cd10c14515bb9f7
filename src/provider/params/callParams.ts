/** Parameters of calls, as geth takes them. */
import { encodeHex, type Hex } from '../../bytes.js';
import { shown } from '../../errors.js';
import type { AccessEntry, HeaderValues } from '../../evm/index.js';
import { hasMember, ownElements } from '../../foreign/members.js';
import { dataBytes, hexText, parseQuantity } from '../../foreign/values.js';
import { invalidParams } from './errors.js';
import { readSlot } from './params.js';

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

type Source = Readonly<Record<string, unknown>>;

/** Own members of an object; those that are null are not there. @throws ProviderError */
export function openParam(value: unknown, at: string): Source {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParams(`${at} expected an object, got ${shown(value)}`);
  }
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  // Without a prototype, which would answer for members that are missing.
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

type Reader<T> = (value: unknown, at: string) => T;

/** Reads a member if it is there. @throws ProviderError */
export function readMember<T>(
  source: Source,
  name: string,
  { at, read }: { at: string; read: Reader<T> },
): T | undefined {
  const { [name]: value } = source;
  return value === undefined ? undefined : read(value, `${at}.${name}`);
}

const reader =
  <T>(parse: (value: unknown) => T | undefined, what: string): Reader<T> =>
  (value, at) => {
    const parsed = parse(value);
    if (parsed === undefined) throw invalidParams(`${at} expected ${what}`);
    return parsed;
  };

const asAddress: Reader<Hex> = reader((value) => hexText(value, 20), 'an address of 20 bytes');
const asWord: Reader<Hex> = reader((value) => hexText(value, 32), '32 bytes in hex');
export const asAmount: Reader<bigint> = reader(
  (value) => parseQuantity(value, 256),
  'a number in hex',
);
export const asSmall: Reader<bigint> = reader(
  (value) => parseQuantity(value, 64),
  'a number below 2^64 in hex',
);
const asData: Reader<Uint8Array> = reader(
  (value) => dataBytes(value, maxData),
  `up to ${maxData} bytes in hex`,
);

/** Refuses members that no rule names: a misspelt one would be lost in silence. */
function refuseOthers(source: Source, names: readonly string[], at: string): void {
  const unknown = Object.keys(source).find(
    (name) => source[name] !== undefined && !names.includes(name),
  );
  if (unknown === undefined) return;
  throw invalidParams(`${at}.${unknown.slice(0, 40)} is unknown; known: ${names.join(', ')}`);
}

function readAccessList(value: unknown, at: string): AccessEntry[] {
  if (!Array.isArray(value) || value.length > maxAccess) {
    throw invalidParams(`${at} expected an array of at most ${maxAccess} entries`);
  }
  let slots = 0;
  return ownElements(value).map((entry, i) => {
    const source = openParam(entry, `${at}[${i}]`);
    refuseOthers(source, ['address', 'storageKeys'], `${at}[${i}]`);
    const { address, storageKeys = [] } = source;
    slots += Array.isArray(storageKeys) ? storageKeys.length : Number.POSITIVE_INFINITY;
    if (slots > maxAccess) {
      throw invalidParams(
        `${at}[${i}].storageKeys expected an array, and at most ${maxAccess} in all`,
      );
    }
    return {
      address: asAddress(address, `${at}[${i}].address`),
      storageKeys: ownElements(storageKeys as unknown[]).map((key, j) =>
        readSlot(key, `${at}[${i}].storageKeys[${j}]`),
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
function checkRest(source: Source, at: string, chainId: number): void {
  // A misspelt `to` would run the data as init code.
  refuseOthers(source, known, at);
  for (const name of ['authorizationList', 'blobVersionedHashes', 'blobs']) {
    const { [name]: list } = source;
    if (list === undefined || (Array.isArray(list) && list.length === 0)) continue;
    throw invalidParams(`${at}.${name} is not supported by calls that are verified`);
  }
  const id = readMember(source, 'chainId', { at, read: asAmount });
  if (id !== undefined && id !== BigInt(chainId)) {
    throw invalidParams(`${at}.chainId expected ${chainId}`);
  }
}

function readData(source: Source, at: string): Uint8Array {
  const data = readMember(source, 'data', { at, read: asData });
  const input = readMember(source, 'input', { at, read: asData });
  if (data && input && encodeHex(data) !== encodeHex(input)) {
    throw invalidParams(`${at} has "data" and "input", which differ`);
  }
  return input ?? data ?? new Uint8Array(0);
}

const nobody: Hex = `0x${'00'.repeat(20)}`;

/** @throws ProviderError */
export function readCall(value: unknown, at: string, chainId: number): CallParams {
  const source = openParam(value, at);
  checkRest(source, at, chainId);
  const amount = (name: string) => readMember(source, name, { at, read: asAmount });
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
    from: readMember(source, 'from', { at, read: asAddress }) ?? nobody,
    to: readMember(source, 'to', { at, read: asAddress }),
    data: readData(source, at),
    value: amount('value') ?? 0n,
    gas: readMember(source, 'gas', { at, read: asSmall }),
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: readMember(source, 'accessList', { at, read: readAccessList }) ?? [],
  };
}

/** geth's names of what replaces values of the block's header. */
const blockOverrides = {
  number: ['number', asSmall],
  time: ['timestamp', asSmall],
  gasLimit: ['gasLimit', asSmall],
  feeRecipient: ['coinbase', asAddress],
  prevRandao: ['prevRandao', asWord],
  baseFeePerGas: ['baseFee', asAmount],
  blobBaseFee: ['blobBaseFee', asAmount],
} as const;

/** @throws ProviderError */
export function readBlockOverrides(value: unknown, at: string): HeaderValues {
  if (value === undefined || value === null) return {};
  const source = openParam(value, at);
  const unknown = Object.keys(source).find((name) => !hasMember(blockOverrides, name));
  if (unknown !== undefined) {
    const known = Object.keys(blockOverrides).join(', ');
    throw invalidParams(`${at}.${unknown.slice(0, 40)} is unknown; known: ${known}`);
  }
  return Object.fromEntries(
    Object.entries(blockOverrides).map(([name, [own, read]]) => [
      own,
      readMember<Hex | bigint>(source, name, { at, read }),
    ]),
  );
}
