/** Pages of approvals: the index says what was ever approved. */

import type { Hex } from '../../../bytes.js';
import type { Index } from '../../../indexer/index.js';
import type { ProofsQuestion, Working } from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { type KeyedList, readKeyedPage } from '../common/keyedPages.js';
import { type PageQuestion, toWholePage } from '../common/parameters.js';
import { toProofs } from '../common/proofs.js';
import { hashedBlock } from '../common/settled.js';

/** Whose approvals are wanted. */
export interface ApprovalsQuestion extends ProofsQuestion {
  readonly owner: Hex;
  readonly page: PageQuestion;
}

export const toApprovalsQuestion = ({
  address,
  ...read
}: { readonly address: Hex } & Parameters<typeof toWholePage>[0] &
  Parameters<typeof toProofs>[0]): ApprovalsQuestion => ({
  owner: address,
  ...toProofs(read),
  page: toWholePage(read),
});

/** A kind of approvals. */
interface ApprovalKind<Key, T extends Key>
  extends Pick<KeyedList<Key, T>, 'name' | 'cursors' | 'toNumbers' | 'fromNumbers'> {
  read(index: Index, owner: Hex, part: { after: Key | undefined; limit: number }): Promise<T[]>;
  count(index: Index, owner: Hex, limit: number): Promise<number>;
}

/** A page of approvals, and the members of the answer before its items. */
interface ApprovalPage<T> {
  readonly approvals: readonly T[];
  readonly before: object;
}

/**
 * Reads a page of approvals at a block whose state is held.
 *
 * @throws HttpError, RpcError, NodeError, and what `pause` throws
 */
export async function readApprovals<Key, T extends Key>(
  kind: ApprovalKind<Key, T>,
  { owner, page }: ApprovalsQuestion,
  working: Working,
): Promise<ApprovalPage<T>> {
  const { access, context } = working;
  const { chain, index } = access;
  const { read, count, ...rest } = kind;
  const list: KeyedList<Key, T> = {
    ...{ ...rest, of: owner },
    read: (part) => read(index, owner, part),
    count: (limit) => count(index, owner, limit),
  };
  const at = await hashedBlock(access, working.at);
  const { items, pagination } = await readKeyedPage(list, page, { access, at, context });
  context.charge(1);
  // The state of the block must be held: a call that fails later may be the contract's fault, this cannot be.
  await access.amounts.balanceAt(owner, at.number);
  return { approvals: items, before: { ...toHead(chain, at), address: owner, pagination } };
}
