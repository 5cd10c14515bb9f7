/** The {@link Hasher} seam in plain TypeScript, without WebAssembly. */
import { decodeHex, equalBytes } from '../bytes.js';
import {
  blockWidth,
  checkBlocks,
  checkInputs,
  type Hasher,
  type PathNodes,
  type PathRoots,
  type Permutation,
} from './family.js';
import { innerNodeWidth, nodeWidths, pathWidth, treeDepth } from './geometry.js';
import { createMemo } from './memo.js';

/** Digests of empty sub-trees by height, derived on first use. */
function emptyTable(digest: Permutation['digest']): (height: number) => Uint8Array {
  const table: Uint8Array[] = [new Uint8Array(blockWidth)];
  return (height) => {
    for (let below = table.length - 1; below < height; below++) {
      const pair = new Uint8Array(innerNodeWidth);
      pair.set(table[below] as Uint8Array);
      pair.set(table[below] as Uint8Array, blockWidth);
      table.push(digest(pair));
    }
    return table[height] as Uint8Array;
  };
}

/** Opens a portable hasher with a memo of its own. */
export function openPortable(permutation: Permutation): Hasher {
  const { widths } = permutation;
  const memo = createMemo(permutation.digest);
  const empty = emptyTable(permutation.digest);

  /** Digest of an inner node whose children stand at `height`. */
  function digestInner(node: Uint8Array, height: number): Uint8Array {
    // The bytes of both children decide, never the height alone, so that the same proofs are accepted.
    const left = node.subarray(0, blockWidth);
    if (equalBytes(left, node.subarray(blockWidth)) && equalBytes(left, empty(height))) {
      return empty(height + 1);
    }
    return memo.digest(node);
  }

  function recoverRoot({ nodes, siblingLeafWidth, leafIndex }: PathNodes): PathRoots {
    const leafOffset = nodes.length - widths.leafOpening;
    const siblingLeafOffset = leafOffset - siblingLeafWidth;
    let digest = memo.digest(nodes.subarray(leafOffset));
    for (let height = 0; height < treeDepth; height++) {
      const offset = siblingLeafOffset - height * innerNodeWidth;
      const sibling =
        height > 0
          ? digestInner(nodes.subarray(offset, offset + innerNodeWidth), height - 1)
          : siblingLeafWidth === blockWidth
            ? empty(0)
            : memo.digest(nodes.subarray(siblingLeafOffset, leafOffset));
      // BigInt shifts: a 32-bit operator would forget the upper bits of the index.
      const isRight = ((leafIndex >> BigInt(height)) & 1n) === 1n;
      const pair = new Uint8Array(innerNodeWidth);
      pair.set(sibling, isRight ? 0 : blockWidth);
      pair.set(digest, isRight ? blockWidth : 0);
      digest = digestInner(pair, height);
    }
    return { subTreeRoot: digest, root: memo.digest(nodes.subarray(0, widths.topNode)) };
  }

  return {
    family: permutation.family,
    title: permutation.title,
    isCanonical: permutation.isCanonical,
    remember: memo.reset,
    hash(bytes) {
      checkBlocks(bytes, permutation);
      return permutation.digest(bytes);
    },
    hashEach(bytes, width) {
      checkInputs(bytes, width);
      if (bytes.length > 0) checkBlocks(bytes, permutation);
      const digests = new Uint8Array((bytes.length / width) * blockWidth);
      for (let from = 0, to = 0; from < bytes.length; from += width, to += blockWidth) {
        digests.set(permutation.digest(bytes.subarray(from, from + width)), to);
      }
      return digests;
    },
    decodePath(texts, siblingLeafWidth) {
      const nodes = new Uint8Array(pathWidth(widths, siblingLeafWidth));
      let offset = 0;
      for (const [i, width] of nodeWidths(widths, siblingLeafWidth).entries()) {
        if (!decodeHex(texts[i] as string, width, nodes, offset)) return undefined;
        offset += width;
      }
      return permutation.isCanonical(nodes) ? nodes : undefined;
    },
    recoverRoots: (paths) => paths.map(recoverRoot),
  };
}
