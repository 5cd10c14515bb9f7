/** The {@link Hasher} seam over the WebAssembly kernels of `kernel/`. */
import { Arena } from '../bytes.js';
import {
  blockWidth,
  checkBlocks,
  checkInputs,
  type Hasher,
  type PathNodes,
  type PathRoots,
  type Permutation,
} from './family.js';
import { pathWidth, siblingLeafPosition } from './geometry.js';

/** The exports of every kernel; addresses are bytes in `memory`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly HEX: WebAssembly.Global;
  /** Address of the first path; the others follow, PATH_STRIDE bytes apart. */
  readonly PATH: WebAssembly.Global;
  readonly PATH_STRIDE: WebAssembly.Global;
  /** Paths that have room there. */
  readonly LANES: WebAssembly.Global;
  readonly DECODED: WebAssembly.Global;
  readonly OUT: WebAssembly.Global;
  readonly DATA: WebAssembly.Global;
  hash(source: number, blocks: number, target: number): void;
  canonical(source: number, blocks: number): number;
  decode(first: number, siblingBlocks: number): number;
  hashEach(source: number, blocks: number, count: number, target: number): void;
  setShape(path: number, siblingBlocks: number, leafIndex: bigint): void;
  recoverRoots(count: number): void;
  resize(log2Slots: number): number;
  forget(): void;
}

/** The numbers among the exports. */
function placesOf(kernel: Exports) {
  return {
    hexAt: Number(kernel.HEX.value),
    pathAt: Number(kernel.PATH.value),
    pathStride: Number(kernel.PATH_STRIDE.value),
    decodedAt: Number(kernel.DECODED.value),
    outAt: Number(kernel.OUT.value),
    dataAt: Number(kernel.DATA.value),
    lanes: Number(kernel.LANES.value),
  };
}

/** Bytes of the two digests above a leaf. */
const rootsWidth = 2 * blockWidth;

/** Recovers the roots above paths, as many at a time as the kernel has room for. @param digests room for the roots */
function recoverAll(
  kernel: Exports,
  memory: Uint8Array,
  { pathAt, pathStride, outAt, lanes }: ReturnType<typeof placesOf>,
  { paths, digests }: { paths: readonly PathNodes[]; digests: Uint8Array },
): PathRoots[] {
  for (let from = 0; from < paths.length; from += lanes) {
    const count = Math.min(lanes, paths.length - from);
    for (let i = 0; i < count; i++) {
      const { nodes, siblingLeafWidth, leafIndex } = paths[from + i] as PathNodes;
      memory.set(nodes, pathAt + pathStride * i);
      kernel.setShape(i, siblingLeafWidth / blockWidth, leafIndex);
    }
    kernel.recoverRoots(count);
    digests.set(memory.subarray(outAt, outAt + rootsWidth * count), rootsWidth * from);
  }
  return paths.map((_, i) => {
    const at = rootsWidth * i;
    return {
      subTreeRoot: digests.subarray(at, at + blockWidth),
      root: digests.subarray(at + blockWidth, at + rootsWidth),
    };
  });
}

/** Room for generic input, 64 KiB. */
const dataWidth = 1 << 16;
/** Largest memo, 2^16 nodes: 12 MiB under MiMC, 16 MiB under Poseidon2. */
const maxLog2Slots = 16;

/**
 * Opens a hasher with a memory and a memo of its own. Each call fills that memory anew and runs to its end, and no
 * foreign code runs in between, so calls cannot see one another's data.
 *
 * @param permutation the same family in portable form, for inputs larger than the kernel's memory
 */
export function openKernel(module: WebAssembly.Module, permutation: Permutation): Hasher {
  const kernel = new WebAssembly.Instance(module).exports as unknown as Exports;
  const places = placesOf(kernel);
  const { hexAt, decodedAt, outAt, dataAt } = places;
  let memory = new Uint8Array(kernel.memory.buffer);
  const encoder = new TextEncoder();
  const arena = new Arena();
  let log2Slots = -1;
  /** Texts of the path that the kernel holds decoded; none if it holds no whole path. */
  let decodedTexts: readonly string[] = [];

  /** Puts `bytes` into the kernel's room for generic input; gives the number of blocks. */
  function load(bytes: Uint8Array): number {
    memory.set(bytes, dataAt);
    return bytes.length / blockWidth;
  }

  function isCanonical(bytes: Uint8Array): boolean {
    if (bytes.length <= dataWidth) return kernel.canonical(dataAt, load(bytes)) !== 0;
    for (let from = 0; from < bytes.length; from += dataWidth) {
      const some = bytes.subarray(from, from + dataWidth);
      if (kernel.canonical(dataAt, load(some)) === 0) return false;
    }
    return true;
  }

  const checker = { ...permutation, isCanonical };

  function hash(bytes: Uint8Array): Uint8Array {
    // Loads them, too, by `isCanonical`: what is hashed is what was checked.
    checkBlocks(bytes, checker);
    if (bytes.length > dataWidth) return permutation.digest(bytes);
    kernel.hash(dataAt, bytes.length / blockWidth, outAt);
    return memory.slice(outAt, outAt + blockWidth);
  }

  return {
    family: permutation.family,
    title: permutation.title,
    isCanonical,
    hash,
    hashEach(bytes, width) {
      checkInputs(bytes, width);
      const digests = arena.take((bytes.length / width) * blockWidth);
      if (width > dataWidth) {
        for (let from = 0, to = 0; from < bytes.length; from += width, to += blockWidth) {
          digests.set(hash(bytes.subarray(from, from + width)), to);
        }
        return digests;
      }
      const step = Math.floor(dataWidth / width) * width;
      for (let from = 0, to = 0; from < bytes.length; from += step) {
        const some = bytes.subarray(from, from + step);
        // Loads them, too, as for `hash`.
        checkBlocks(some, checker);
        // Each digest overwrites an input that was hashed before, or its own input.
        const count = some.length / width;
        kernel.hashEach(dataAt, width / blockWidth, count, dataAt);
        digests.set(memory.subarray(dataAt, dataAt + count * blockWidth), to);
        to += count * blockWidth;
      }
      return digests;
    },
    decodePath(texts, siblingLeafWidth) {
      // Paths of one tree share their upper nodes, character by character. The kernel has decoded those already.
      let first = 0;
      while (first < siblingLeafPosition && texts[first] === decodedTexts[first]) first++;
      decodedTexts = [];
      const text = texts.slice(first).join('');
      const target = memory.subarray(hexAt, hexAt + text.length);
      // A character beyond ASCII takes more than a byte, so that not all of the text fits.
      if (encoder.encodeInto(text, target).read !== text.length) return undefined;
      if (kernel.decode(first, siblingLeafWidth / blockWidth) !== 0) return undefined;
      decodedTexts = texts;
      const width = pathWidth(permutation.widths, siblingLeafWidth);
      return arena.copy(memory.subarray(decodedAt, decodedAt + width));
    },
    recoverRoots(paths) {
      const digests = arena.take(rootsWidth * paths.length);
      return recoverAll(kernel, memory, places, { paths, digests });
    },
    remember(nodes) {
      const wanted = nodes < 1 ? -1 : Math.min(maxLog2Slots, Math.floor(Math.log2(nodes)));
      if (wanted !== log2Slots) {
        // Without room the memo stays as it is: slower, never wrong.
        if (kernel.resize(wanted) !== 0) log2Slots = wanted;
        memory = new Uint8Array(kernel.memory.buffer);
      }
      kernel.forget();
    },
  };
}
