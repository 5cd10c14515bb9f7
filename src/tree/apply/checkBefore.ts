/** Compares what a caller says stood before a block with the leaves that applying the block reads anyway. */
import { encodeHex, equalBytes, isZero } from '../../bytes.js';
import type { AccountValue } from '../../codec/account.js';
import type { Leaf } from '../nodes/leaves.js';
import { TreeError } from '../store/errors.js';
import type { CheckedChange, SlotWrite } from './changes.js';

const mismatch = (address: Uint8Array, member: string, held: string, given: string) =>
  new TreeError(
    'STATE_MISMATCH',
    `${member} of account ${encodeHex(address)} is ${held} in this tree, but ${given} before the block`,
  );

/** An account that EIP-161 does not tell from a missing one. A genesis may list such accounts. */
const isEmpty = ({ nonce, balance, codeSize }: AccountValue): boolean =>
  nonce === 0n && balance === 0n && codeSize === 0n;

/** @param held undefined if the tree has no such account @throws TreeError `STATE_MISMATCH` */
export function checkAccountBefore(
  address: Uint8Array,
  before: NonNullable<CheckedChange['before']> | null,
  held: AccountValue | undefined,
): void {
  if (before === null) {
    if (held && !isEmpty(held)) throw mismatch(address, 'the existence', 'true', 'false');
    return;
  }
  if (held === undefined) throw mismatch(address, 'the existence', 'false', 'true');
  for (const name of ['nonce', 'balance'] as const) {
    if (held[name] !== before[name]) {
      throw mismatch(address, `the ${name}`, `${held[name]}`, `${before[name]}`);
    }
  }
  const { codeHash } = before;
  if (codeHash && !equalBytes(held.keccakCodeHash, codeHash)) {
    throw mismatch(address, 'the code hash', encodeHex(held.keccakCodeHash), encodeHex(codeHash));
  }
}

/** @param held undefined if the slot has no leaf @throws TreeError `STATE_MISMATCH` */
export function checkSlotBefore(
  address: Uint8Array,
  { key, before }: SlotWrite,
  held: Leaf | undefined,
): void {
  if (before === undefined || (held ? equalBytes(held.value, before) : isZero(before))) return;
  const value = held ? encodeHex(held.value) : '0';
  throw mismatch(address, `slot ${encodeHex(key)}`, value, encodeHex(before));
}
