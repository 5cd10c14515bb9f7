/** Which form of a family runs: the kernel if the platform allows it, else the portable form. */
import { shownWord } from '../errors.js';
import type { Hasher, HashFamily, Permutation } from './family.js';
import { mimcWasm } from './kernel/mimc.wasm.js';
import { poseidon2Wasm } from './kernel/poseidon2.wasm.js';
import { openKernel } from './kernel.js';
import { mimcPermutation } from './mimc.js';
import { openPortable } from './portable.js';
import { poseidon2Permutation } from './poseidon2.js';

/**
 * The form of a hash family that runs: `wasm`, the WebAssembly kernel, or `portable`, plain TypeScript. Both give
 * the same answers. Without a choice, `wasm` runs if the platform has and allows it.
 */
export type Engine = 'wasm' | 'portable';

/** The engine of each family. */
const families: Record<HashFamily, { permutation: Permutation; wasm: string }> = {
  mimc: { permutation: mimcPermutation, wasm: mimcWasm },
  poseidon2: { permutation: poseidon2Permutation, wasm: poseidon2Wasm },
};

interface Node {
  readonly Buffer?: { from(hex: string, encoding: 'hex'): BufferSource };
}

/** The bytes of a kernel's text. A first proof waits for this, and no loop is compiled yet: so eight digits at a time. */
function kernelBytes(hex: string): BufferSource {
  // Node's own way takes a twentieth of the time, and makes none of the short texts in between.
  const { Buffer } = globalThis as Node;
  if (Buffer) return Buffer.from(hex, 'hex');
  let at = hex.length / 2;
  const view = new DataView(new ArrayBuffer(at));
  while (at) {
    // The first four overlap with the next.
    at = at < 4 ? 0 : at - 4;
    view.setUint32(at, Number.parseInt(hex.slice(2 * at, 2 * at + 8), 16));
  }
  return view.buffer;
}

/**
 * Compiles a kernel; null if WebAssembly, its SIMD for Poseidon2, or what passes text to it (`TextEncoder`) is absent
 * or forbidden. Only trying shows whether a page's policy forbids it: this `catch` holds no check and is no part of
 * any verification.
 */
function compile(hex: string): WebAssembly.Module | null {
  if (typeof TextEncoder === 'undefined') return null;
  try {
    return new WebAssembly.Module(kernelBytes(hex));
  } catch {
    return null;
  }
}

const modules = new Map<HashFamily, WebAssembly.Module | null>();

/** The compiled kernel of a family, or null. Compiled on first use: most users need one family. */
function moduleOf(family: HashFamily): WebAssembly.Module | null {
  let module = modules.get(family);
  if (module === undefined) {
    module = compile(families[family].wasm);
    modules.set(family, module);
  }
  return module;
}

/**
 * Opens a hasher with a memo of its own.
 *
 * @throws TypeError if `engine` is no engine
 * @throws RangeError if `wasm` is asked for and the platform has or allows no WebAssembly
 */
export function openHasher(family: HashFamily, engine?: Engine): Hasher {
  const { permutation } = families[family];
  if (engine === 'portable') return openPortable(permutation);
  if (engine !== undefined && engine !== 'wasm') {
    throw new TypeError(`"engine" expected 'wasm' or 'portable', got ${shownWord(engine)}`);
  }
  const module = moduleOf(family);
  if (module !== null) return openKernel(module, permutation);
  if (engine === undefined) return openPortable(permutation);
  throw new RangeError(
    `"engine" is 'wasm', but this platform has or allows no WebAssembly for ${permutation.title}; leave it out`,
  );
}

const shared = new Map<string, Hasher>();

/** The hasher that all calls without a hasher of their own share; it is opened on first use. */
export function sharedHasher(family: HashFamily, engine?: Engine): Hasher {
  const name = `${family} ${engine}`;
  let hasher = shared.get(name);
  if (hasher === undefined) {
    hasher = openHasher(family, engine);
    shared.set(name, hasher);
  }
  return hasher;
}
