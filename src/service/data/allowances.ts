/** What others may spend of a wallet's ERC-20 tokens at a block: the index says whom to ask about, the contracts say how much. */
import { decodeUint256 } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { allowanceCall, holdingCalls, permittedCall } from '../../abi/tokens.js';
import { wordWidth } from '../../abi/word.js';
import type { Hex } from '../../bytes.js';
import { permit2Address, type Spender } from '../../indexer/index.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { ChainContext } from './balances.js';

/** What an amount without a bound is: the greatest of the type that the contract keeps. */
const unlimited = { direct: 2n ** 256n - 1n, permit: 2n ** 160n - 1n };

/** A spender who may take something. */
export interface Allowance {
  readonly spender: Spender;
  /** Above 0. */
  readonly amount: bigint;
  readonly isUnlimited: boolean;
  /** How much could be taken now; undefined if the token does not say what the wallet has. */
  readonly atRisk: bigint | undefined;
  /** The last second in which Permit2 does not refuse; undefined for what the token itself allows. */
  readonly expiry: bigint | undefined;
}

/** A token of which somebody may take something. */
export interface AllowedToken {
  readonly contract: Hex;
  /** Undefined if the token does not say it. */
  readonly balance: bigint | undefined;
  readonly atRisk: bigint | undefined;
  readonly allowances: readonly Allowance[];
}

function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first;
  for (const amount of others) if (amount < found) found = amount;
  return found;
}

/** Amount and expiry that Permit2 answered; undefined for anything that it never says. */
function decodePermit(
  answer: Uint8Array | undefined,
): { readonly amount: bigint; readonly expiry: bigint } | undefined {
  if (answer?.length !== 3 * wordWidth) return undefined;
  const [amount, expiry] = [0, 1].map((word) =>
    decodeUint256(answer.subarray(word * wordWidth, (word + 1) * wordWidth)),
  ) as [bigint, bigint];
  return amount <= unlimited.permit ? { amount, expiry } : undefined;
}

/** The questions about one token, and what was answered, in the order in which they are asked. */
interface TokenQuery {
  readonly contract: Hex;
  readonly spenders: readonly Spender[];
  readonly calls: readonly AbiCall[];
}

function toQuery(owner: Hex, contract: Hex, spenders: readonly Spender[]): TokenQuery {
  const hasPermits = spenders.some(({ isPermit }) => isPermit);
  return {
    ...{ contract, spenders },
    calls: [
      ...holdingCalls('erc20', { contract, wallet: owner }, []),
      ...spenders.map(({ isPermit, spender }) =>
        isPermit
          ? permittedCall(permit2Address, { owner, token: contract, spender })
          : allowanceCall(contract, { owner, spender }),
      ),
      // Whatever Permit2 lets others take, it can take no more itself. Some tokens allow it without an event.
      ...(hasPermits ? [allowanceCall(contract, { owner, spender: permit2Address })] : []),
    ],
  };
}

/** @param time of the block, in seconds */
function readToken(
  { contract, spenders }: TokenQuery,
  answers: readonly (Uint8Array | undefined)[],
  time: number,
): AllowedToken {
  const balance = decodeUint256(answers[0]);
  const ofPermit2 = decodeUint256(answers[1 + spenders.length]) ?? 0n;
  const risk = (...amounts: readonly bigint[]) =>
    balance === undefined ? undefined : least(balance, ...amounts);
  const allowances: Allowance[] = [];
  let direct = spenders.some(({ isPermit, spender }) => !isPermit && spender === permit2Address)
    ? 0n
    : ofPermit2;
  for (const [i, spender] of spenders.entries()) {
    const answer = answers[1 + i];
    if (spender.isPermit) {
      const { amount, expiry } = decodePermit(answer) ?? { amount: 0n, expiry: 0n };
      // Permit2 refuses in blocks later than that.
      if (amount === 0n || expiry < BigInt(time)) continue;
      const isUnlimited = amount === unlimited.permit;
      const atRisk = risk(amount, ofPermit2);
      allowances.push({ spender, amount, isUnlimited, atRisk, expiry });
    } else {
      const amount = decodeUint256(answer) ?? 0n;
      if (amount === 0n) continue;
      direct += amount;
      const isUnlimited = amount === unlimited.direct;
      allowances.push({ spender, amount, isUnlimited, atRisk: risk(amount), expiry: undefined });
    }
  }
  return { contract, balance, atRisk: risk(direct), allowances };
}

/**
 * Asks about spenders, who stand by their tokens. Those who may take nothing any more are left out, and tokens of which nobody
 * may take anything.
 *
 * @param of.time of the block, in seconds
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function readAllowances(
  owner: Hex,
  spenders: readonly Spender[],
  of: { readonly block: number; readonly time: number },
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<AllowedToken[]> {
  const byToken = new Map<Hex, Spender[]>();
  for (const spender of spenders) {
    const known = byToken.get(spender.contract);
    if (known) known.push(spender);
    else byToken.set(spender.contract, [spender]);
  }
  const queries = [...byToken].map(([contract, some]) => toQuery(owner, contract, some));
  const calls = queries.flatMap((query) => query.calls);
  context.charge(calls.length);
  const answers = await access.amounts.call(calls, of.block, context.pause);
  let at = 0;
  return queries
    .map((query) => {
      const own = answers.slice(at, at + query.calls.length);
      at += query.calls.length;
      return readToken(query, own, of.time);
    })
    .filter(({ allowances }) => allowances.length > 0);
}
