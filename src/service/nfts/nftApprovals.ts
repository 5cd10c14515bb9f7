/** Who may take a wallet's NFTs at a block: the index says whom to ask about, and the contracts say whether they may. */
import { decodeAddress, decodeTrue } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { approvedCalls, approvedForAllCall } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { NftApproval } from '../../indexer/index.js';
import type { ChainContext } from '../data/balances.js';
import { type HeldBalance, heldAt, toBalanceCalls } from '../data/held.js';
import type { AnswerContext } from '../jsonrpc/method.js';

/** A spender who may take something of a contract. */
export interface NftSpender {
  readonly spender: Hex;
  /** Tokens that it may take; undefined: all. */
  readonly ids: readonly bigint[] | undefined;
  /** The last approval of any of it. */
  readonly last: NftApproval;
}

/** A contract of whose tokens somebody may take some. */
export interface ApprovedContract {
  readonly contract: Hex;
  readonly spenders: readonly NftSpender[];
  /** What the wallet has of it, by each standard. */
  readonly held: readonly HeldBalance[];
  /** The calls whose answers these are. */
  readonly calls: readonly AbiCall[];
}

const nobody = /^0x0{40}$/;

const callsOf = (owner: Hex, { contract, id, spender }: NftApproval): readonly AbiCall[] =>
  id === undefined
    ? [approvedForAllCall(contract, { owner, spender })]
    : approvedCalls(contract, id);

/** Who may take what was approved; undefined if nobody may. */
function spenderOf(
  owner: Hex,
  { id, spender }: NftApproval,
  [first, second]: readonly (Uint8Array | undefined)[],
): Hex | undefined {
  if (first === undefined) return undefined;
  if (id === undefined) return decodeTrue(first) ? spender : undefined;
  const approved = second && decodeAddress(second);
  // Of a token that the wallet has no more, its new owner decides.
  const isOwn = decodeAddress(first) === owner;
  return isOwn && approved !== undefined && !nobody.test(approved) ? approved : undefined;
}

const isLater = (one: NftApproval, other: NftApproval): boolean =>
  one.block > other.block || (one.block === other.block && one.log > other.log);

/** Adds a right to those of its spender; who may take all needs no list of some. */
function withRight(known: NftSpender | undefined, spender: Hex, right: NftApproval): NftSpender {
  const last = known === undefined || isLater(right, known.last) ? right : known.last;
  const isAll = right.id === undefined || (known !== undefined && known.ids === undefined);
  return { spender, last, ids: isAll ? undefined : [...(known?.ids ?? []), right.id as bigint] };
}

/** The calls whose answers are that a spender may take what it may. */
const rightCalls = (owner: Hex, contract: Hex, { spender, ids }: NftSpender): AbiCall[] =>
  ids === undefined
    ? [approvedForAllCall(contract, { owner, spender })]
    : ids.flatMap((id) => approvedCalls(contract, id));

/**
 * Asks about approvals, which stand by their contracts. Those of which nothing is left are left out.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function readNftApprovals(
  owner: Hex,
  approvals: readonly NftApproval[],
  block: number,
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<ApprovedContract[]> {
  const { index, amounts } = access;
  const { pause, charge } = context;
  const asked = approvals.map((approval) => callsOf(owner, approval));
  const calls = asked.flat();
  charge(calls.length);
  const answers = await amounts.call(calls, block, pause);
  const found = new Map<Hex, Map<Hex, NftSpender>>();
  let at = 0;
  for (const [i, approval] of approvals.entries()) {
    const end = at + (asked[i] as readonly AbiCall[]).length;
    const spender = spenderOf(owner, approval, answers.slice(at, end));
    at = end;
    if (spender === undefined) continue;
    const spenders = found.get(approval.contract) ?? new Map<Hex, NftSpender>();
    found.set(approval.contract, spenders);
    spenders.set(spender, withRight(spenders.get(spender), spender, approval));
  }
  const holdings: HeldBalance['holding'][] = [];
  const contracts = [...found.keys()];
  for (const standard of ['erc721', 'erc1155'] as const) {
    await pause();
    const some = await index.heldContracts(owner, { standard, contracts });
    for (const contract of some) holdings.push({ standard, contract, lastBlock: block });
  }
  const held = await heldAt(holdings, { wallet: owner, block, pause }, { index, amounts, charge });
  return [...found].map(([contract, bySpender]) => {
    const spenders = [...bySpender.values()];
    const own = held.filter(({ holding }) => holding.contract === contract);
    const calls = [
      ...spenders.flatMap((spender) => rightCalls(owner, contract, spender)),
      ...own.flatMap((one) => toBalanceCalls(one, owner)),
    ];
    return { contract, spenders, held: own, calls };
  });
}
