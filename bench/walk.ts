/** One whole path hashed node by node with no savings: 84 node hashes, as the native yardstick does it. */
import { concatBytes } from '../src/bytes.js';
import type { Hex } from '../src/index.js';
import type { Case } from './cases.js';

const blockWidth = 32;
const depth = 40;

export const bytesOf = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex');

export const textsOf = ({ result }: Case): Hex[] => result.accountProof.proof.proofRelatedNodes;

/** Form in which one implementation takes its blocks. */
export interface Form<Node> {
  digest(node: Node): Node;
  join(left: Node, right: Node): Node;
  /** The top node with the digest below it put in. */
  withSubTreeRoot(top: Node, digest: Node): Node;
  readonly empty: Node;
  isEmptyLeaf(node: Node): boolean;
}

/** Recovers the root from the nodes of a path. */
export function walk<Node>(form: Form<Node>, nodes: readonly Node[], leafIndex: number): Node {
  const node = (i: number) => nodes[i] as Node;
  let digest = form.digest(node(depth + 1));
  for (let height = 0; height < depth; height++) {
    const below = node(depth - height);
    const isEmptyLeaf = height === 0 && form.isEmptyLeaf(below);
    const sibling = isEmptyLeaf ? form.empty : form.digest(below);
    // No 32-bit shift: the index has 40 bits.
    const isRight = Math.floor(leafIndex / 2 ** height) % 2 === 1;
    digest = form.digest(isRight ? form.join(sibling, digest) : form.join(digest, sibling));
  }
  return form.digest(form.withSubTreeRoot(node(0), digest));
}

/** Nodes as bytes. */
export const bytesForm = (digest: (bytes: Uint8Array) => Uint8Array): Form<Uint8Array> => ({
  digest,
  join: concatBytes,
  withSubTreeRoot: (top, below) => concatBytes(top.subarray(0, -blockWidth), below),
  empty: new Uint8Array(blockWidth),
  isEmptyLeaf: (node) => node.length === blockWidth,
});

/** Nodes as blocks, each one number; a digest is one block. */
export const blocksForm = (digest: (blocks: bigint[]) => bigint): Form<bigint[]> => ({
  digest: (blocks) => [digest(blocks)],
  join: (left, right) => [...left, ...right],
  withSubTreeRoot: (top, below) => [...top.slice(0, -1), ...below],
  empty: [0n],
  isEmptyLeaf: (node) => node.length === 1,
});

/** The blocks of a node, for {@link blocksForm}. */
export function blocksOf(hex: Hex): bigint[] {
  return (hex.slice(2).match(/.{64}/g) ?? []).map((block) => BigInt(`0x${block}`));
}
