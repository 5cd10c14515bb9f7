/** The native yardstick: a C program that recovers the root from one path, built where its source is at hand. */
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

/** Why there is no native figure, or undefined where there is one. */
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

/** Samples the native program: one process a sample, which times 51 batches and prints their median. */
export function nativeSampler(example: Case): Sampler {
  const { hash, stateRoot } = example.claim;
  const folder = mkdtempSync(join(tmpdir(), 'l2proof-native-'));
  const program = join(folder, hash);
  const input = join(folder, 'path.bin');
  execFileSync(compiler, ['-O3', '-march=native', ...definitions[hash], source, '-o', program]);
  writeFileSync(input, pack(example));
  const { leafIndex } = example.result.accountProof;
  return () => {
    const line = execFileSync(program, [input, String(leafIndex)], { encoding: 'utf8' });
    const [, root, median] = /^(\w+) proof median ([\d.]+)/.exec(line) ?? [];
    if (`0x${root}` !== stateRoot) throw new Error(`native: wrong root ${root}`);
    return Number(median);
  };
}
