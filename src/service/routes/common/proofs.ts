/** What routes whose items can carry their proofs share: members of the query, and of the answer. */
import { z } from '@hono/zod-openapi';
import { maxBlock } from '../../../tree/store/numbers.js';
import type { StateKind } from '../../../verify/result.js';
import type { BlockPart, HistoryPlace } from '../../proving/history.js';
import { type Cited, withProofs } from '../../proving/withProofs.js';
import { type Before, flagParameter, numberRule, type Rule } from '../../rest/table.js';
import type { ProofsQuestion, Working } from './dataRoute.js';
import { PieceWriter } from './json.js';
import type { NumberOrLatest } from './parameters.js';
import { bytes, count, hex } from './schemas.js';

/** Items of a page with proofs at most. */
export const mostProven = 100;

const height = numberRule(() => [0, maxBlock], {
  digits: 15,
  description: 'With `proofs=true`: a block that is final on L1 and held. Default: the newest one',
});

const needsProofs = (before: Before) => (before.proofs ? undefined : 'needs proofs=true');

const blockHeight: Rule<typeof height.schema> = {
  schema: height.schema,
  fault: (value, before) => height.fault(value, before) ?? needsProofs(before),
};

const proofKind = {
  schema: z.enum(['tree', 'header'], { error: 'must be tree or header' }).optional().openapi({
    description:
      'With `proofs=true`: the root that the proofs are under, `tree` or that in the `header` of the block. Default `tree`',
  }),
  fault: (_: unknown, before: Before) => needsProofs(before),
};

/** The members of a query that ask for proofs, of a route that names its block itself. They stand before `page-size`. */
export const proofsAlone = {
  proofs: flagParameter.openapi({
    description: `Whether items carry their proof. Pages have at most ${mostProven} then`,
  }),
  'proof-kind': proofKind,
};

/** The same, and the block that the proofs are of. */
export const proofsQuery = {
  proofs: proofsAlone.proofs,
  'block-height': blockHeight,
  'proof-kind': proofKind,
};

export const toProofs = (read: {
  readonly proofs: boolean;
  readonly 'proof-kind': StateKind | undefined;
  readonly 'block-height'?: NumberOrLatest | undefined;
}): ProofsQuestion => {
  const { proofs, 'proof-kind': kind = 'tree', 'block-height': block } = read;
  return { proofs: proofs ? { kind, block: block === 'latest' ? undefined : block } : undefined };
};

const quantity = z.string().regex(/^0x[0-9a-f]+$/);

const trieProof = z
  .object({
    address: hex(20),
    accountProof: z.array(bytes),
    balance: quantity,
    codeHash: hex(32),
    nonce: quantity,
    storageHash: hex(32),
    storageProof: z.array(z.object({ key: hex(32), value: quantity, proof: z.array(bytes) })),
  })
  .openapi({ description: 'With `proof-kind=header`: an answer to `eth_getProof`' });

/** The prover of the items of a page. */
const pageProofs = z.object({
  block: count,
  stateRoot: hex(32),
  accounts: z.array(
    z.object({
      address: hex(20),
      storageKeys: z.array(hex(32)),
      proof: z.union([
        bytes.openapi({ description: 'A compact proof of the account and these slots' }),
        trieProof,
      ]),
    }),
  ),
  codes: z.array(bytes).openapi({ description: 'Known by their keccak256 hash' }),
});

/** The member of an item that says what proves it. */
const itemProof = z
  .object({ block: count, stateRoot: hex(32), accounts: z.array(hex(20)) })
  .optional()
  .openapi({ description: 'With `proofs=true`: what of `proofs` the item rests on' });

/** Blocks by their numbers. */
const byBlock = <T extends z.ZodType>(of: T) => z.record(z.string().regex(/^\d{1,15}$/), of);

/** The blocks that a page proves. */
export const pageHistory = z
  .object({
    headers: byBlock(bytes).openapi({
      description:
        'Headers in RLP. The hash of each is in the state, in the slot of the contract of EIP-2935 that `proofs` proves',
    }),
    transactions: byBlock(z.array(bytes)).openapi({
      description: 'All transactions of a block, each as the root in its header covers it',
    }),
    receipts: byBlock(z.array(bytes)).openapi({ description: 'The same of its receipts' }),
  })
  .optional()
  .openapi({ description: 'With `proofs=true`: the blocks that items rest on, once for a page' });

const historyProof = z
  .object({
    block: count,
    stateRoot: hex(32),
    accounts: z.array(hex(20)),
    history: z.object({
      block: count,
      transaction: count.optional(),
      logs: z.array(count).optional(),
    }),
  })
  .optional()
  .openapi({
    description:
      'With `proofs=true`: what of `proofs` and of `history` the item rests on; `transaction` and `logs` are places in the block',
  });

/** The same of a page whose items are of the chain's history. */
export function historicItems<Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>) {
  const proven = item.extend({ proof: historyProof });
  return { ...provenItems(item), items: z.array(proven), history: pageHistory };
}

/** The members of a page whose items can carry their proofs. @param item the members of one */
export function provenItems<Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>) {
  const proven = item.extend({ proof: itemProof });
  return {
    items: z.array(proven),
    unproven: z.array(item).optional().openapi({
      description: 'With `proofs=true`: items that no proof can show',
    }),
    proofs: pageProofs.optional(),
  };
}

/** Which block it is, by what its item says. */
export const blockPlace = ({ height }: { height: number }) => ({ block: height });

/** Where a transaction stands, by what its item says. */
export const transactionPlace = (item: { block_height: number; tx_offset: number }) => ({
  block: item.block_height,
  transaction: item.tx_offset,
});

/** Where a log stands, by what its item says. */
export const logPlace = (item: {
  block_height: number;
  tx_offset: number;
  log_offset: number;
}) => ({
  ...transactionPlace(item),
  logs: [item.log_offset],
});

/** The lists of a block that prove a transaction with its logs. */
export const wholeTransaction = ['transactions', 'receipts'] as const;

/**
 * Cites what of the chain's history items rest on, if they are to be proven.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function citeEach<T>(
  items: readonly T[],
  { history, context }: Pick<Working, 'history' | 'context'>,
  placeOf: (item: T) => HistoryPlace,
  parts: readonly BlockPart[],
): Promise<Cited<T>[]> {
  const cited: Cited<T>[] = [];
  for (const item of items) {
    const proof = await history?.cite(placeOf(item), parts, context);
    cited.push({ accounts: undefined, ...proof, item });
  }
  return cited;
}

/** An item that is an answer by itself, with all that proves it. @param item its members */
export const loneProven = <Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>) =>
  item.extend({ proof: itemProof, proofs: pageProofs.optional() });

/**
 * JSON of a list of items behind its other members, of which there is one, written in pieces: with proofs, each item with
 * its own.
 *
 * @param write JSON of an item, with its proof if it has one
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function writeProvenList<T extends object>(
  before: object,
  cited: readonly Cited<T>[],
  { prover, history, context }: Pick<Working, 'prover' | 'history' | 'context'>,
  write?: (item: T) => string | Promise<string>,
): Promise<string> {
  const { items, ...more } = prover
    ? await withProofs(cited, { prover, history, context })
    : { items: cited.map(({ item }) => item) };
  return new PieceWriter(context.pause).list({ ...before, ...more }, ['items', items], write);
}
