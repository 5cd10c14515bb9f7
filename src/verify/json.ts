/** A verified state as JSON can hold it. */
import type { Hex } from '../bytes.js';
import type { HashFamily } from '../hash/index.js';
import type { Account, VerifiedSlot, VerifiedState } from './result.js';

/** An account whose numbers are decimal digits. */
export type AccountJson = {
  readonly [name in keyof Account]: Account[name] extends bigint ? string : Account[name];
};

/** The result of {@link stateToJson}: a {@link VerifiedState} whose bigints are decimal digits. */
export interface StateJson {
  /** The trusted root of the claim, 32 bytes. */
  readonly stateRoot: Hex;
  /** The account asked for, 20 bytes. */
  readonly address: Hex;
  /** The family of the root. */
  readonly hash: HashFamily;
  /** null: proven not to exist. */
  readonly account: AccountJson | null;
  /** One per storage key asked, in the same order. */
  readonly storage: readonly VerifiedSlot[];
}

/**
 * A verified state for `JSON.stringify`, which takes no bigints. Nonce, balance in wei and code size become decimal digits,
 * which no reader rounds; all else stays as it is.
 */
export function stateToJson({ account, ...state }: VerifiedState): StateJson {
  return {
    ...state,
    account: account && {
      ...account,
      nonce: String(account.nonce),
      balance: String(account.balance),
      codeSize: String(account.codeSize),
    },
  };
}
