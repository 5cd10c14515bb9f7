/** What a token, or Permit2 for all of them, lets a spender take of a wallet: how it is read, and what it puts at risk. */
import type { Hex } from '../bytes.js';
import { decodeUint256 } from './answers.js';
import type { AbiCall } from './call.js';
import { allowanceCall, permittedCall } from './tokens.js';
import { wordWidth } from './word.js';

/** Permit2, which has this address on every chain. */
export const permit2Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/** What an amount without a bound is: the greatest of the type that the contract keeps. */
const unlimited = { direct: 2n ** 256n - 1n, permit: 2n ** 160n - 1n };

/** A spender of a token, and who keeps what it may take. */
interface AskedSpender {
  readonly spender: Hex;
  /** Whether Permit2 keeps it. */
  readonly isPermit: boolean;
}

/** What a spender may take. */
export interface AllowedAmount {
  readonly amount: bigint;
  readonly isUnlimited: boolean;
  /** The last second in which Permit2 does not refuse; undefined for what the token itself allows. */
  readonly expiry: bigint | undefined;
}

/** The call whose answer is what a spender may take. @param of all in lower case */
export const spenderCall = (
  { spender, isPermit }: AskedSpender,
  { owner, token }: { readonly owner: Hex; readonly token: Hex },
): AbiCall =>
  isPermit
    ? permittedCall(permit2Address, { owner, token, spender })
    : allowanceCall(token, { owner, spender });

/** The call whose answer is how much Permit2 may take: whatever it lets others take, it can take no more itself. */
export const permit2Call = (owner: Hex, token: Hex): AbiCall =>
  allowanceCall(token, { owner, spender: permit2Address });

/** An answer of Permit2: amount, expiry and a nonce. */
function decodePermit(answer: Uint8Array | undefined): AllowedAmount | undefined {
  if (answer?.length !== 3 * wordWidth) return undefined;
  const [amount, expiry] = [0, 1].map((word) =>
    decodeUint256(answer.subarray(word * wordWidth, (word + 1) * wordWidth)),
  ) as [bigint, bigint];
  const isUnlimited = amount === unlimited.permit;
  return amount <= unlimited.permit ? { amount, isUnlimited, expiry } : undefined;
}

/** The answer to {@link spenderCall}; undefined for anything that is none. */
export function decodeAllowed(
  answer: Uint8Array | undefined,
  { isPermit }: Pick<AskedSpender, 'isPermit'>,
): AllowedAmount | undefined {
  if (isPermit) return decodePermit(answer);
  const amount = decodeUint256(answer);
  if (amount === undefined) return undefined;
  return { amount, isUnlimited: amount === unlimited.direct, expiry: undefined };
}

/** The least of the balance and of what may be taken. @param balance undefined if the token does not say it */
export function toRisk(
  balance: bigint | undefined,
  ...amounts: readonly bigint[]
): bigint | undefined {
  if (balance === undefined) return undefined;
  let found = balance;
  for (const amount of amounts) if (amount < found) found = amount;
  return found;
}

/** Compares amounts, and says nothing about who the spender is. @param balance undefined if the token does not say it */
export const toRiskFactor = (
  { amount, isUnlimited }: AllowedAmount,
  balance: bigint | undefined,
): 'CONSIDER REVOKING' | 'LOW RISK' =>
  isUnlimited || balance === undefined || amount >= balance ? 'CONSIDER REVOKING' : 'LOW RISK';

export const toAllowanceText = ({ amount, isUnlimited }: AllowedAmount): string =>
  isUnlimited ? 'UNLIMITED' : String(amount);

/** The last second that answers can write. */
const lastTime = 253_402_300_799n;

/** An expiry as answers have it: null without one, and beyond the year 9999. */
export const toExpiryText = ({ expiry }: AllowedAmount): string | null =>
  expiry === undefined || expiry > lastTime
    ? null
    : new Date(1000 * Number(expiry)).toISOString().replace('.000Z', 'Z');
