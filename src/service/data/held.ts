/** The holdings of a wallet at a block: the index says which contracts to ask, and the contracts say how much it is. */
import { decodeUint256 } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { holdingCalls } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { Holding, Index } from '../../indexer/index.js';
import type { Amounts } from '../chain/amounts.js';

/** A token of an ERC-721 or ERC-1155 contract. */
interface HeldToken {
  readonly id: bigint;
  readonly amount: bigint;
}

/** A holding that is not empty. */
export interface HeldBalance {
  readonly holding: Holding;
  /** In smallest units; of ERC-1155, of all tokens that are listed. */
  readonly amount: bigint;
  /** Undefined for ERC-20. */
  readonly tokens: readonly HeldToken[] | undefined;
}

/** Tokens that one answer lists at most, of one contract and of all. */
const mostTokens = { ofContract: 100, ofAll: 1000 };

/** A number that a contract returned; a contract that fails, or returns something else, has given nothing. */
const numberIn = (answer: Uint8Array | undefined): bigint => decodeUint256(answer) ?? 0n;

/** Whose holdings, and when. */
interface HeldQuestion {
  /** Lower case. */
  readonly wallet: Hex;
  readonly block: number;
  readonly pause: () => Promise<void>;
}

/** The questions about one holding. */
interface ContractQuery {
  readonly holding: Holding;
  readonly ids: readonly bigint[];
  readonly calls: readonly AbiCall[];
}

function heldOf(
  { holding, ids }: ContractQuery,
  answers: readonly (Uint8Array | undefined)[],
  wallet: Hex,
): HeldBalance {
  const { standard } = holding;
  if (standard === 'erc20') return { holding, amount: numberIn(answers[0]), tokens: undefined };
  if (standard === 'erc721') {
    const owner = BigInt(wallet);
    const tokens = ids.filter((_, i) => answers[i + 1] && numberIn(answers[i + 1]) === owner);
    return {
      holding,
      amount: numberIn(answers[0]),
      tokens: tokens.map((id) => ({ id, amount: 1n })),
    };
  }
  const tokens = ids
    .map((id, i) => ({ id, amount: numberIn(answers[i]) }))
    .filter(({ amount }) => amount > 0n);
  const amount = tokens.reduce((sum, token) => sum + token.amount, 0n);
  return { holding, amount, tokens };
}

/** The calls whose answers are the amounts of a holding. */
export function toBalanceCalls(
  { holding, tokens = [] }: HeldBalance,
  wallet: Hex,
): readonly AbiCall[] {
  const { standard, contract } = holding;
  const ids = tokens.map(({ id }) => id);
  return holdingCalls(standard, { contract, wallet }, ids);
}

/**
 * The holdings that are not empty, each by one standard.
 *
 * @param charge is told how many calls are made, before they are
 * @throws RpcError if the node does not answer
 */
export async function heldAt(
  holdings: readonly Holding[],
  { wallet, block, pause }: HeldQuestion,
  { index, amounts, charge }: { index: Index; amounts: Amounts; charge: (count: number) => void },
): Promise<HeldBalance[]> {
  const collections = holdings.filter(({ standard }) => standard !== 'erc20').length;
  const share = Math.floor(mostTokens.ofAll / Math.max(collections, 1));
  const limit = Math.min(mostTokens.ofContract, Math.max(share, 1));
  const queries: ContractQuery[] = [];
  for (const holding of holdings) {
    const { standard, contract } = holding;
    const options = { standard, contract, block, limit };
    const ids = standard === 'erc20' ? [] : await index.tokens(wallet, options);
    queries.push({ holding, ids, calls: holdingCalls(standard, { contract, wallet }, ids) });
  }
  const calls = queries.flatMap((query) => query.calls);
  charge(calls.length);
  const answers = await amounts.call(calls, block, pause);
  let at = 0;
  const held = queries.map((query) => {
    const own = answers.slice(at, at + query.calls.length);
    at += query.calls.length;
    return heldOf(query, own, wallet);
  });
  const some = held.filter(({ amount }) => amount > 0n);
  const contracts = some.flatMap(({ holding: { standard, contract } }) =>
    standard === 'erc20' ? [contract] : [],
  );
  if (contracts.length === 0) return some;
  await pause();
  // Some ERC-721 contracts emit events of ERC-20 too, a `Deposit` for example, and both standards ask for the same `balanceOf`:
  // such a holding would count twice.
  const counted = await index.heldContracts(wallet, { standard: 'erc721', contracts });
  return some.filter(
    ({ holding: { standard, contract } }) => standard !== 'erc20' || !counted.has(contract),
  );
}
