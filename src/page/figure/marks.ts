/** How sure a figure is. Each figure on the page has one of these three. */
import type { AnchoredRoot } from '../../anchor/index.js';
import { blockHashes, hashSlot } from '../format/blockHashes.js';
import { shortened } from '../format/hex.js';
import { wholeText } from '../format/numbers.js';

export interface Mark {
  /**
   * `proven`: verified in this page, under a root of L1. `word`: somebody says so, and nothing proves it. `missing`: it could
   * not be had.
   */
  readonly kind: 'proven' | 'word' | 'missing';
  /** Why, in a sentence. */
  readonly why: string;
  /** The proof behind it, if one account or slot is all there is to it. */
  readonly proof?: ProofPlace | undefined;
}

/** An account, or a slot of one, whose proof the anatomy shows. */
export interface ProofPlace {
  readonly address: string;
  readonly slot?: string;
}

const trusted: Readonly<Record<AnchoredRoot['how'], string>> = {
  call: 'One L1 endpoint is believed about that root.',
  quorum: 'Several L1 endpoints agree on that root.',
  proof: 'The root is proven from the L1 block hash that you gave.',
  consensus: 'The root is proven from the votes of the validators of L1, from your checkpoint on.',
  given: 'You gave that root yourself.',
};

/** Who is trusted with a root, in a sentence. */
export const trustText = ({ how }: Pick<AnchoredRoot, 'how'>): string => trusted[how];

/** @param more a sentence on what else it rests on */
export function proven(anchor: AnchoredRoot, more?: string, place?: ProofPlace): Mark {
  const { stateRoot, l2BlockNumber } = anchor;
  const why = `Verified in this page under the state root ${shortened(stateRoot)} of L2 block ${wholeText(l2BlockNumber)}. ${trustText(anchor)}`;
  // A proof under a header is of another kind of tree.
  const proof = anchor.kind === 'header' ? undefined : place;
  return { kind: 'proven', why: more === undefined ? why : `${why} ${more}`, proof };
}

interface InBlock {
  readonly anchor: AnchoredRoot;
  /** As the history says it. */
  readonly restsOn: 'operator' | undefined;
  /** Number of the block, if the mark is to lead to the proof of its hash. */
  readonly number?: bigint;
}

/** The mark of what stands in a block. @param more as of `proven` */
export function provenInBlock({ anchor, restsOn, number }: InBlock, more?: string): Mark {
  const sentences = [restsOn && operatorText, more].filter((text) => text !== undefined);
  const slot = number === undefined ? undefined : hashSlot(number, anchor.l2BlockNumber);
  const place = slot === undefined ? undefined : { address: blockHashes, slot };
  return proven(anchor, sentences.length > 0 ? sentences.join(' ') : undefined, place);
}

/** What the contract of the rollup on L1 says, and what follows from it alone. @param more as of `proven` */
export function provenOnL1({ l1, how }: Pick<AnchoredRoot, 'l1' | 'how'>, more?: string): Mark {
  const why = `Verified in this page by the contract of the rollup in L1 block ${wholeText(l1.blockNumber)}. ${trustText({ how })}`;
  return { kind: 'proven', why: more === undefined ? why : `${why} ${more}` };
}

/** @param subject of the sentence, such as `The name` */
export const serversWord = (subject: string): Mark => ({
  kind: 'word',
  why: `${subject} is what the server says. Nothing proves it.`,
});

export const missing = (why: string): Mark => ({ kind: 'missing', why });

/** What blocks of before the anchored one rest on, until L1 has their hashes. */
export const operatorText =
  'The hash of its block stands in that state because the operator of L2 put it there.';
