/** A verified state as JSON can hold it. */
import type { Hex } from '../bytes.js';
import type { Account, StateKind, VerifiedSlot, VerifiedState } from './result.js';

type Digits<T> = T extends bigint ? string : T;

/** An account whose numbers are decimal digits. */
export type AccountJson<Kind extends StateKind = 'tree'> = {
  readonly [name in keyof Account]: Digits<Account<Kind>[name]>;
};

/** What {@link stateToJson} gives: a {@link VerifiedState} whose bigints are decimal digits. */
export interface StateJson<Kind extends StateKind = 'tree'> {
  /** The trusted root of the claim, 32 bytes. */
  readonly stateRoot: Hex;
  /** The account asked for, 20 bytes. */
  readonly address: Hex;
  /** The family of the root; undefined under a header. */
  readonly hash: VerifiedState<Kind>['hash'];
  /** null: proven not to exist. */
  readonly account: AccountJson<Kind> | null;
  /** One per storage key asked, in the same order. */
  readonly storage: readonly VerifiedSlot[];
}

/** An account for `JSON.stringify`. */
export const accountToJson = <Kind extends StateKind>(account: Account<Kind>): AccountJson<Kind> =>
  ({
    ...account,
    nonce: String(account.nonce),
    balance: String(account.balance),
    codeSize: account.codeSize?.toString(),
  }) as AccountJson<Kind>;

/**
 * A verified state for `JSON.stringify`, which takes no bigints. Nonce, balance in wei and code size become decimal digits,
 * which no reader rounds; all else stays as it is.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey, stateToJson, verifyProof } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const state = verifyProof(result, {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * });
 * console.log(JSON.stringify(stateToJson(state).account, ['nonce', 'balance', 'codeSize']));
 * // {"nonce":"1","balance":"0","codeSize":"2"}
 * ```
 */
export function stateToJson<Kind extends StateKind>({
  account,
  ...state
}: VerifiedState<Kind>): StateJson<Kind> {
  return { ...state, account: account && accountToJson(account) };
}
