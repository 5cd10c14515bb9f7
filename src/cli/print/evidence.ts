/** The evidence for a final block of L1, for people. */
import type { ConsensusEvidence } from '../../anchor/index.js';

/** The slot, and who signed it. A checkpoint itself needs no signatures. */
export const slotText = ({ slot, signers, committeeSize }: ConsensusEvidence): string =>
  signers === undefined
    ? `${slot}, the checkpoint itself`
    : `${slot}, signed by ${signers} of ${committeeSize}`;

/** All of it in a line. */
export const evidenceText = (evidence: ConsensusEvidence): string =>
  `L1's final slot ${slotText(evidence)}, from checkpoint ${evidence.checkpoint}`;
