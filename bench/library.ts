/** The built package, which is what users run; typed by the sources, so that checking needs no build. */
import type * as Codec from '../src/codec/spec.js';
import type * as Compact from '../src/compact/index.js';
import type * as Engine from '../src/hash/engine.js';
import type * as Hash from '../src/hash/index.js';
import type * as Library from '../src/index.js';
import type * as Tree from '../src/tree/index.js';

const load = (path: string): Promise<unknown> =>
  import(new URL(`../dist/${path}`, import.meta.url).href);

export const { verifyProof, parseProof } = (await load('index.js')) as typeof Library;
export const { compactProof, verifyCompactProof } = (await load(
  'compact/index.js',
)) as typeof Compact;
export const { openStateTree } = (await load('tree/index.js')) as typeof Tree;
export const { mimc, poseidon2 } = (await load('hash/index.js')) as typeof Hash;
/** Not exported by the package: single stages are timed through them. */
export const { openHasher } = (await load('hash/engine.js')) as typeof Engine;
export const { specOf } = (await load('codec/spec.js')) as typeof Codec;
