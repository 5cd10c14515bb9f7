/** Accounts before a call: as they are proven, with the overrides of the caller. */

import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../../bytes.js';
import { hexToBytes } from '../../foreign/argument.js';
import type { Tick } from '../../turns.js';
import type { Account, StateKind } from '../../verify/result.js';
import type { AccountOverride, Overrides } from '../call/call.js';
import { hashInParts } from '../call/hashes.js';

/** An account as the EVM sees it. */
export interface BaseAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  /** 32 bytes. */
  readonly codeHash: Uint8Array;
  /** undefined if the storage is empty for certain. */
  readonly storageRoot: Hex | undefined;
}

export interface Slot {
  /** Without leading zeros. */
  readonly value: Uint8Array;
  /** The last run that read it. */
  run: number;
}

/** The known values of an account. */
export interface AccountValues {
  /** null: it does not exist; undefined: not known. */
  account: BaseAccount | null | undefined;
  /** As proven; undefined: not known, or of no use because of the override. */
  proven: Account<StateKind> | null | undefined;
  code: Uint8Array | undefined;
  readonly slots: Map<Hex, Slot>;
  readonly override: HashedOverride | undefined;
  /** The last run that read it, and the last one that read its code. */
  run: number;
  codeRun: number;
}

export const none: Uint8Array = new Uint8Array(0);
export const emptyCodeHash: Uint8Array = keccak_256(none);

/** The shortest form, which the EVM takes for storage. */
function withoutZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? none : bytes.subarray(first);
}

/** An override, and the hash of its code: all of them together may have a megabyte, which takes long to hash. */
interface HashedOverride extends AccountOverride {
  /** 32 bytes; undefined: the code stays. */
  readonly codeHash: Uint8Array | undefined;
}

export type HashedOverrides = ReadonlyMap<Hex, HashedOverride>;

/** @param tick is awaited often */
export async function hashOverrides(overrides: Overrides, tick: Tick): Promise<HashedOverrides> {
  const hashed = new Map<Hex, HashedOverride>();
  for (const [address, override] of overrides) {
    const { code } = override;
    const codeHash = code && (await hashInParts('keccak_256', code, tick));
    hashed.set(address, { ...override, codeHash });
  }
  return hashed;
}

/** All members are named, so that no prototype lends one. */
const noOverride: HashedOverride = {
  codeHash: undefined,
  nonce: undefined,
  balance: undefined,
  code: undefined,
  state: undefined,
  stateDiff: undefined,
};

function baseOf(proven: Account<StateKind> | null, override = noOverride): BaseAccount | null {
  const { nonce, balance, codeHash, state } = override;
  if (proven === null && [nonce, balance, codeHash].every((member) => member === undefined)) {
    return null;
  }
  const provenHash = proven === null ? emptyCodeHash : hexToBytes(proven.keccakCodeHash);
  return {
    nonce: nonce ?? proven?.nonce ?? 0n,
    balance: balance ?? proven?.balance ?? 0n,
    codeHash: codeHash ?? provenHash,
    storageRoot: state === undefined ? proven?.storageRoot : undefined,
  };
}

export function setAccount(entry: AccountValues, proven: Account<StateKind> | null): void {
  entry.proven = proven;
  entry.account = baseOf(proven, entry.override);
}

/** Those that are there stay: an override comes first. */
export function addSlots({ slots }: AccountValues, values: Iterable<readonly [Hex, Hex]>): void {
  for (const [key, value] of values) {
    if (!slots.has(key)) slots.set(key, { value: withoutZeros(hexToBytes(value)), run: 0 });
  }
}

export function openEntry(override: HashedOverride | undefined): AccountValues {
  const { nonce, balance, code, state, stateDiff } = override ?? noOverride;
  const entry: AccountValues = {
    account: undefined,
    proven: undefined,
    code,
    slots: new Map(),
    override,
    run: 0,
    codeRun: 0,
  };
  addSlots(entry, state ?? stateDiff ?? []);
  // Nothing is left to be read of the account itself.
  const isWhole = [nonce, balance, code, state].every((member) => member !== undefined);
  if (isWhole) entry.account = baseOf(null, override);
  return entry;
}
