/** The traits of a collection: of the tokens that exist, as far as their documents are kept. */
import type { Hex } from '../../bytes.js';
import type { ChainContext } from '../data/balances.js';
import type { KeptDocument } from '../documents/documents.js';
import { countTraits, mostValues, type Trait } from '../documents/traits.js';
import { codes, HttpError } from '../http/httpError.js';
import type { AnswerContext } from '../jsonrpc/method.js';

/** Traits, and of how many tokens. */
export interface CollectionTraits {
  readonly traits: readonly Trait[];
  /** Tokens whose documents were looked at. */
  readonly tokens: number;
}

/** Tokens that are looked up for a unit of cost, and in a turn. */
const unit = 1000;
const aTurn = 16;

/** Wallets of an ERC-1155 id that are looked at: one without a balance can stand before one that has some. */
const mostWallets = 100;

const nobody = /^0x0{40}$/;

/** Whether anybody has a token, by its moves. */
async function isHeld(
  { contract, id, standard }: KeptDocument,
  { index }: ChainContext,
): Promise<boolean> {
  const [move] = await index.itemMoves(contract, id, { limit: 1 });
  if (move === undefined) return (await index.itemRuns(contract, id)).length > 0;
  if (!nobody.test(move.to)) return true;
  if (standard === 'erc721') return false;
  const sums = await index.sums(contract, { standard, id, limit: mostWallets });
  return sums.some(({ sum }) => sum > 0n);
}

/** The document of each token that was read last. */
function newestOf(documents: readonly KeptDocument[]): readonly KeptDocument[] {
  const newest = new Map<bigint, KeptDocument>();
  for (const one of documents) {
    const known = newest.get(one.id);
    if (known === undefined || known.block <= one.block) newest.set(one.id, one);
  }
  return [...newest.values()];
}

/**
 * Reads the traits of a collection.
 *
 * @throws HttpError 400 if there are too many, and what `pause` throws
 */
export async function findTraits(
  contract: Hex,
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<CollectionTraits> {
  const { pause, charge } = context;
  await pause();
  const kept = newestOf(access.documents.ofContract(contract));
  charge(Math.ceil(kept.length / unit));
  const held: KeptDocument[] = [];
  for (const [i, one] of kept.entries()) {
    if (i % aTurn === 0) await pause();
    if (await isHeld(one, access)) held.push(one);
  }
  const documents = held.map(({ document }) => document);
  const traits = await countTraits(documents, pause);
  if (traits !== undefined) return { traits, tokens: documents.length };
  const text = `the tokens of this collection have more than ${mostValues} different values of traits`;
  throw new HttpError(codes.invalidParams, text, { status: 400 });
}
