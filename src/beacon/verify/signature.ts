/** Signatures of sync committees: BLS12-381 with keys of 48 bytes, many keys on one message. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Steps } from '../../steps.js';
import type { SyncCommittee } from './types.js';

const { longSignatures, pairing } = bls12_381;
const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fp12 } = bls12_381.fields;

/** The suite of L1: keys come with a proof of possession, so no key is made to cancel others out. */
const suite = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

type Key = InstanceType<typeof G1>;

/** Keys of each committee, by their place. To read one takes a millisecond: each is read once. */
const keysOf = new WeakMap<SyncCommittee, (Key | undefined)[]>();

/** A point of the subgroup that is not infinity; undefined for other bytes. The package throws plain errors. */
function readPoint<P extends { is0(): boolean }>(
  curve: { fromBytes(bytes: Uint8Array): P },
  bytes: Uint8Array,
): P | undefined {
  try {
    const point = curve.fromBytes(bytes);
    return point.is0() ? undefined : point;
  } catch {
    return undefined;
  }
}

/** The sum of the keys whose bits are set; undefined if one of them is no key. */
function* sumOfKeys(committee: SyncCommittee, bits: readonly boolean[]): Steps<Key | undefined> {
  const keys = keysOf.get(committee) ?? [];
  keysOf.set(committee, keys);
  let sum = G1.ZERO;
  for (const [i, bytes] of committee.pubkeys.entries()) {
    if (!bits[i]) continue;
    keys[i] ??= readPoint(G1, bytes);
    const key = keys[i];
    if (key === undefined) return undefined;
    sum = sum.add(key);
    yield;
  }
  return sum;
}

/** The signed root, and its signers. */
export interface Signed {
  readonly committee: SyncCommittee;
  readonly bits: readonly boolean[];
  /** 32 bytes. */
  readonly message: Uint8Array;
  /** 96 bytes. */
  readonly signature: Uint8Array;
}

/** Whether the members whose bits are set signed the message. */
export function* verifySignature(signed: Signed): Steps<boolean> {
  const signature = readPoint(G2, signed.signature);
  if (signature === undefined) return false;
  yield;
  const sum = yield* sumOfKeys(signed.committee, signed.bits);
  // Keys that cancel out would sign anything.
  if (sum === undefined || sum.is0()) return false;
  const message = longSignatures.hash(signed.message, suite);
  yield;
  // Each pairing and the exponentiation take milliseconds: the package's own check takes them in one piece.
  const ofKeys = pairing(sum.negate(), message, false);
  yield;
  const ofSignature = pairing(G1.BASE, signature, false);
  yield;
  return Fp12.eql(Fp12.finalExponentiate(Fp12.mul(ofKeys, ofSignature)), Fp12.ONE);
}
