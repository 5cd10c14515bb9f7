/** Point evaluation of EIP-4844, for the precompile 0x0a. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { decodeHex } from '../../bytes.js';

/** The secret of Ethereum's trusted setup times the generator of the second group, compressed. */
const setupPoint =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2';

/** The error by which the package knows input that is no point or no field element. */
const badInput = () => new Error('C_KZG_BADARGS');

function scalarOf(hex: string): bigint {
  const value = BigInt(hex);
  if (value >= bls12_381.fields.Fr.ORDER) throw badInput();
  return value;
}

const { G1, G2 } = bls12_381;

/** A point of the group, compressed in 48 bytes. */
function pointOf(hex: string) {
  const bytes = new Uint8Array(48);
  decodeHex(hex, 48, bytes);
  try {
    const point = G1.Point.fromBytes(bytes);
    point.assertValidity();
    return point;
  } catch {
    // Infinity is a valid point here, and none to the check above.
    if (bytes[0] === 0xc0 && bytes.subarray(1).every((byte) => byte === 0)) return G1.Point.ZERO;
    throw badInput();
  }
}

type Point = ReturnType<typeof pointOf>;

/** A multiple, of zero too, which the package for curves refuses. */
const times = <P extends { multiply(scalar: bigint): P }>(point: P, scalar: bigint, zero: P): P =>
  scalar === 0n ? zero : point.multiply(scalar);

let setup: InstanceType<typeof G2.Point> | undefined;

/** Whether e(commitment - y, 1) = e(proof, secret - z). */
function isProof(commitment: Point, z: bigint, { y, proof }: { y: bigint; proof: Point }): boolean {
  setup ??= G2.Point.fromHex(setupPoint);
  const value = commitment.subtract(times(G1.Point.BASE, y, G1.Point.ZERO));
  const divisor = setup.subtract(times(G2.Point.BASE, z, G2.Point.ZERO));
  const pairs = [
    { g1: value, g2: G2.Point.BASE },
    { g1: proof.negate(), g2: divisor },
  ];
  // A pair with infinity counts as one, and the package takes none.
  const finite = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  const { Fp12 } = bls12_381.fields;
  return Fp12.eql(bls12_381.pairingBatch(finite), Fp12.ONE);
}

const unused = (): never => {
  throw new Error('the EVM called an unsupported method');
};

/** As the EVM package takes it. */
export function createKzg() {
  return {
    verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
      const claim = { y: scalarOf(y), proof: pointOf(proof) };
      return isProof(pointOf(commitment), scalarOf(z), claim);
    },
    blobToKzgCommitment: unused,
    computeBlobProof: unused,
    verifyBlobProofBatch: unused,
    computeCells: unused,
    computeCellsAndProofs: unused,
    recoverCellsAndProofs: unused,
    verifyCellKzgProofBatch: unused,
  };
}
