/** What a proof rests on, for people: the evidence for a final block of L1, and what is assumed. */
import type { ConsensusEvidence } from '../../anchor/index.js';

/** The slot, and who signed it. A checkpoint itself needs no signatures. */
export const slotText = ({ slot, signers, committeeSize }: ConsensusEvidence): string =>
  signers === undefined
    ? `${slot}, the checkpoint itself`
    : `${slot}, signed by ${signers} of ${committeeSize}`;

/** All of it in a line. */
export const evidenceText = (evidence: ConsensusEvidence): string =>
  `L1's final slot ${slotText(evidence)}, from checkpoint ${evidence.checkpoint}`;

/** What is not proven of an answer, for each word of the library. */
export const assumedTexts = {
  everything: 'nothing of it can be proven',
  completeness: 'that nothing is left out',
  names: 'names and what is said of contracts',
  quotes: 'prices and what amounts are worth',
  times: 'when and where something was done last, and that what ends has not ended',
  documents: "what tokens' own documents say",
  operator: 'the hashes of older blocks, which the operator wrote into the state',
  fork: 'the newest hard fork of the network, or known here if its times are not; --fork names that of the chain',
} as const;

const isKnown = (word: string): word is keyof typeof assumedTexts =>
  Object.hasOwn(assumedTexts, word);

/** All in a line; empty if nothing is assumed. */
export const assumedText = (words: Iterable<string>): string => {
  const texts = [...words].map((word) => (isKnown(word) ? assumedTexts[word] : word));
  return texts.length === 0 ? '' : `not proven, but assumed: ${texts.join('; ')}`;
};
