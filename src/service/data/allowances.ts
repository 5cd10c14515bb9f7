/** What others may spend of a wallet's ERC-20 tokens at a block: the index says whom to ask about, the contracts say how much. */
import {
  type AllowedAmount,
  decodeAllowed,
  permit2Address,
  permit2Call,
  spenderCall,
  toRisk,
} from '../../abi/allowances.js';
import { decodeUint256 } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { holdingCalls } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { Spender } from '../../indexer/index.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { ChainContext } from './balances.js';

/** A spender who may take something: the amount is above 0. */
export interface Allowance extends AllowedAmount {
  readonly spender: Spender;
  /** How much could be taken now; undefined if the token does not say what the wallet has. */
  readonly atRisk: bigint | undefined;
}

/** A token of which somebody may take something. */
export interface AllowedToken {
  readonly contract: Hex;
  /** Undefined if the token does not say it. */
  readonly balance: bigint | undefined;
  readonly atRisk: bigint | undefined;
  readonly allowances: readonly Allowance[];
  /** The calls whose answers these are. */
  readonly calls: readonly AbiCall[];
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
      ...spenders.map((spender) => spenderCall(spender, { owner, token: contract })),
      // Some tokens allow it without an event.
      ...(hasPermits ? [permit2Call(owner, contract)] : []),
    ],
  };
}

/** @param time of the block, in seconds */
function readToken(
  { contract, spenders, calls }: TokenQuery,
  answers: readonly (Uint8Array | undefined)[],
  time: number,
): AllowedToken {
  const balance = decodeUint256(answers[0]);
  const ofPermit2 = decodeUint256(answers[1 + spenders.length]) ?? 0n;
  const allowances: Allowance[] = [];
  const rested = [calls[0] as AbiCall];
  let direct = spenders.some(({ isPermit, spender }) => !isPermit && spender === permit2Address)
    ? 0n
    : ofPermit2;
  for (const [i, spender] of spenders.entries()) {
    const { isPermit } = spender;
    const allowed = decodeAllowed(answers[1 + i], { isPermit });
    if (allowed === undefined || allowed.amount === 0n) continue;
    const { amount, expiry } = allowed;
    // Permit2 refuses in blocks later than that.
    if (expiry !== undefined && expiry < BigInt(time)) continue;
    if (!isPermit) direct += amount;
    const atRisk = toRisk(balance, amount, ...(isPermit ? [ofPermit2] : []));
    allowances.push({ spender, ...allowed, atRisk });
    rested.push(calls[1 + i] as AbiCall);
  }
  const hasPermits = allowances.some(({ spender }) => spender.isPermit);
  if (hasPermits) rested.push(calls[1 + spenders.length] as AbiCall);
  return { contract, balance, atRisk: toRisk(balance, direct), allowances, calls: rested };
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
