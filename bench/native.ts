/** The native yardstick: a C program that recovers the root from one path, built if its source is at hand. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HashFamily } from '../src/index.js';
import type { Case } from './cases.js';
import type { Sampler } from './measure.js';
import { bytesOf, textsOf } from './walk.js';

/** Where the yardsticks of the project come from. */
export const sharedBench: string = fileURLToPath(new URL('../../shared/bench/', import.meta.url));
const source = join(sharedBench, 'proof.c');
const compiler = 'clang-19';
const definitions: Record<HashFamily, string[]> = {
  mimc: ['-DMIMC', '-DN64'],
  poseidon2: ['-DP2', '-DINTRA3'],
};

/** Why there is no native figure, or undefined if there is one. */
export function nativeMissing(): string | undefined {
  if (!existsSync(source)) return 'no native source here';
  if (spawnSync(compiler, ['--version']).status !== 0) return `no ${compiler} here`;
  return undefined;
}

/** The nodes of a path as the program reads them: an empty sibling leaf is as wide as a leaf, and zero. */
function pack(example: Case): Uint8Array {
  const nodes = textsOf(example).map(bytesOf);
  const siblingLeaf = new Uint8Array((nodes[41] as Uint8Array).length);
  siblingLeaf.set(nodes[40] as Uint8Array);
  nodes[40] = siblingLeaf;
  return Buffer.concat(nodes);
}

/** Proofs that one run of the program computes: one to show the root, and 51 batches. */
const proofsPerRun: Record<HashFamily, number> = { mimc: 1 + 51 * 5, poseidon2: 1 + 51 * 100 };

/** A shell tells the processor time of a child to the millisecond, of the quarter of a second that a run takes. */
const shell = ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"'];

/** Samples the native program: one process a sample. */
export function nativeSampler(example: Case): Sampler {
  const { hash, stateRoot } = example.claim;
  const folder = mkdtempSync(join(tmpdir(), 'l2proof-native-'));
  const program = join(folder, hash);
  const input = join(folder, 'path.bin');
  execFileSync(compiler, ['-O3', '-march=native', ...definitions[hash], source, '-o', program]);
  writeFileSync(input, pack(example));
  const { leafIndex } = example.result.accountProof;
  return () => {
    const run = spawnSync('bash', [...shell, program, input, String(leafIndex)], {
      encoding: 'utf8',
    });
    if (!run.stdout.startsWith(stateRoot.slice(2))) throw new Error(`native: ${run.stdout}`);
    const [user, system] = run.stderr.trim().split(' ').map(Number) as [number, number];
    return (1e6 * (user + system)) / proofsPerRun[hash];
  };
}
