/** Forks of L1's consensus, and where each keeps what a light client reads: the one table of them. */

/** Forks since there are sync committees, oldest first. */
export const beaconForks = [
  'altair',
  'bellatrix',
  'capella',
  'deneb',
  'electra',
  'fulu',
  'gloas',
] as const;

/** A fork of L1's consensus. */
export type BeaconFork = (typeof beaconForks)[number];

/** Generalized indices: of a member in the tree of an object, 1 for the object itself. */
export interface GeneralizedIndices {
  /** The current committee, in the state. */
  readonly currentCommittee: number;
  /** The next committee, in the state. */
  readonly nextCommittee: number;
  /** The root of the finalized block, in the state. */
  readonly finalizedRoot: number;
  /** The header of the execution payload, in the body; undefined if the header has no such part. */
  readonly payload: number | undefined;
  /** Members of that header. */
  readonly payloadMembers: number;
  /** The hash of the execution block, in the body. From Gloas on it is that of the parent's payload. */
  readonly blockHash: number | undefined;
}

const altair: GeneralizedIndices = {
  currentCommittee: 54,
  nextCommittee: 55,
  finalizedRoot: 105,
  payload: undefined,
  payloadMembers: 0,
  blockHash: undefined,
};
const capella: GeneralizedIndices = { ...altair, payload: 25, payloadMembers: 15, blockHash: 412 };
const deneb: GeneralizedIndices = { ...capella, payloadMembers: 17, blockHash: 812 };
const electra: GeneralizedIndices = {
  ...deneb,
  currentCommittee: 86,
  nextCommittee: 87,
  finalizedRoot: 169,
};
/** As the draft of August 2026 has it. */
const gloas: GeneralizedIndices = {
  currentCommittee: 2945,
  nextCommittee: 2946,
  finalizedRoot: 735,
  payload: undefined,
  payloadMembers: 0,
  blockHash: 2856,
};

/** Where each fork keeps what is read. */
export const generalizedIndices: Readonly<Record<BeaconFork, GeneralizedIndices>> = {
  altair,
  bellatrix: altair,
  capella,
  deneb,
  electra,
  fulu: electra,
  gloas,
};

/** Levels between a member and the root above it. */
export const depthOf = (index: number): number => Math.floor(Math.log2(index));
