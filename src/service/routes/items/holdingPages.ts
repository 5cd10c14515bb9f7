/** Pages of what a wallet has: the native token, and then the contracts that the index names. */
import { addressWidth, encodeHex, type Hex, integerToBytes } from '../../../bytes.js';
import { nativeAddress } from '../../../decode/index.js';
import type { Holding } from '../../../indexer/index.js';
import { mostHoldings } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { badRequest } from '../common/blocks.js';
import { createCursors, type HashedBlock } from '../common/cursor.js';
import type { Working } from '../common/dataRoute.js';
import { toPagination } from '../common/json.js';
import type { PageQuestion } from '../common/parameters.js';

/** A place in the list: the native token, or a holding. */
export type HoldingKey = 'native' | Pick<Holding, 'standard' | 'contract'>;

const standards = ['erc20', 'erc721', 'erc1155'] as const;

/** Bytes of a place as numbers: of the standard, from 1, or 0 for the native token; and of the contract. */
export const keyWidths = [1, addressWidth];

export const toNumbers = (key: HoldingKey): readonly bigint[] =>
  key === 'native'
    ? [0n, BigInt(nativeAddress)]
    : [BigInt(1 + standards.indexOf(key.standard)), BigInt(key.contract)];

/** The place that numbers name; of a standard that is none, the native token. */
export function fromNumbers([standard = 0n, contract = 0n]: readonly bigint[]): HoldingKey {
  const name = standards[Number(standard) - 1];
  if (name === undefined) return 'native';
  return { standard: name, contract: encodeHex(integerToBytes(contract, addressWidth)) };
}

const cursors = createCursors('holdings', keyWidths);

/** What is listed. */
interface HoldingList {
  readonly wallet: Hex;
  /** All else that decides it, beside the block. */
  readonly of: string;
  /** Undefined: of all standards. */
  readonly standard: 'erc20' | undefined;
}

interface HoldingPage {
  /** Whether the native token stands first. */
  readonly hasNative: boolean;
  readonly holdings: readonly Holding[];
  /** Whether the page is all that there is. */
  readonly isWhole: boolean;
  /** The member of the answer that says where the page is. */
  readonly pagination: ReturnType<typeof toPagination>;
}

/** Reads holdings behind a place. @returns one more than the size, if there are so many */
export async function readHoldings(
  { wallet, standard }: Omit<HoldingList, 'of'>,
  { access, context }: Pick<Working, 'access' | 'context'>,
  part: { readonly after: HoldingKey | undefined; readonly offset?: number; readonly size: number },
): Promise<(Holding | 'native')[]> {
  const { after, offset = 0, size } = part;
  const hasNative = after === undefined && offset === 0;
  await context.pause();
  context.charge(Math.ceil((offset + size) / 1000));
  const holdings = await access.index.holdings(wallet, {
    standard,
    after: after === 'native' ? undefined : after,
    offset: after === undefined ? Math.max(0, offset - 1) : 0,
    limit: size + (hasNative ? 0 : 1),
  });
  return [...(hasNative ? (['native'] as const) : []), ...holdings];
}

/** Reads a page. @param of the block that the answer is of @throws HttpError, RpcError, NodeError, and what `pause` throws */
export async function readHoldingPage(
  list: HoldingList,
  { size, number: asked, cursor }: PageQuestion,
  working: Working,
  of: BalanceBlock,
): Promise<HoldingPage> {
  const { access, at } = working;
  const { chain, index, bookmarks, ledger } = access;
  const listed = `${chain.id} ${list.wallet} ${list.of}`;
  const led = cursor === undefined ? undefined : await cursors.open(listed, cursor, { access, at });
  const number = led?.page ?? asked;
  const offset = size * number;
  if (!led && offset > mostHoldings) {
    throw badRequest('page-number leads too far; go on by cursor');
  }
  const { hash = (await heldBlock(ledger, of.number)).hash } = of;
  const head: HashedBlock = { number: of.number, hash };
  const name = `holdings ${listed} ${size} ${at.hash}`;
  const after = led ? fromNumbers(led.after) : bookmarks.find<HoldingKey>(name, number);
  const read = await readHoldings(list, working, {
    ...{ after, size },
    offset: after === undefined ? offset : 0,
  });
  const page = read.slice(0, size);
  const last = page.at(-1);
  const end = read.length > size ? last : undefined;
  // A client may have made up a cursor: no other one may come upon its pages by their numbers.
  if (!led && end !== undefined) bookmarks.note(name, number + 1, end);
  const isAll = list.standard === undefined;
  const total =
    isAll && !led ? 1 + (await index.countHoldings(list.wallet, mostHoldings)) : undefined;
  return {
    hasNative: page[0] === 'native',
    holdings: page.filter((one) => one !== 'native'),
    isWhole: !led && number === 0 && end === undefined,
    pagination: toPagination({
      ...{ number, size },
      total: total !== undefined && total <= mostHoldings ? total : undefined,
      cursor: end && cursors.write(listed, { head, page: number + 1, after: toNumbers(end) }),
    }),
  };
}
