import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Permutation } from '../src/hash/family.js';
import { compactFiles } from './compact/files.js';
import { forgedFiles } from './forged/files.js';
import { newFolder } from './support/folder.js';
import { hashOnce } from './support/hashOnce.js';
import type { Wire } from './support/runs.js';
import { patience } from './support/runs.js';
import { runVectors, vectorFolders } from './vectors/run.js';

// MiMC on BigInt is slow.
vi.mock('../src/hash/mimc.js', async (load) => {
  const mimc = await load<{ mimcPermutation: Permutation }>();
  const digest = hashOnce(mimc.mimcPermutation.digest);
  return { ...mimc, mimcPermutation: { ...mimc.mimcPermutation, digest } };
});

test.each(['wasm', 'portable'] as const)(
  'every vector file gives what it expects: %s',
  async (engine) => {
    const { rows, failures } = await runVectors(vectorFolders(), engine);
    expect(failures).toEqual([]);
    for (const row of rows) expect(row.passed).toBeGreaterThan(0);
    expect(rows.some(({ kind }) => kind === 'getProof')).toBe(true);
    expect(rows.some(({ kind }) => kind === 'mutations')).toBe(true);
    expect(rows.some(({ kind }) => kind === 'chain')).toBe(true);
    expect(rows.some(({ kind }) => kind === 'compact')).toBe(true);
  },
  patience,
);

test('the forged set is what its builder makes', () => {
  for (const [name, content] of forgedFiles()) {
    expect(readFileSync(`vectors/forged/${name}`, 'utf8')).toBe(content);
  }
}, 60_000);

test('the compact proofs are what their builder writes', () => {
  for (const [name, content] of compactFiles()) {
    expect(readFileSync(`vectors/${name}`, 'utf8')).toBe(content);
  }
}, 60_000);

describe('a file that is not right fails the run', () => {
  const folder = newFolder();
  const failuresOf = async (name: string, edit: (json: Wire) => void) => {
    const json = JSON.parse(readFileSync(`vectors/${name}.json`, 'utf8'));
    edit(json);
    writeFileSync(join(folder, 'edited.json'), JSON.stringify(json));
    return (await runVectors([folder])).failures;
  };

  test.each<[string, (json: Wire) => void, RegExp]>([
    ['a root', ({ blocks }) => Object.assign(blocks[4], blocks[3]), /block 3: block 3 does not/],
    [
      'another root',
      ({ blocks }) => {
        blocks[2].stateRoot = blocks[1].stateRoot;
      },
      /stateRoot/,
    ],
    [
      'a member',
      (json) => {
        json.more = 1;
      },
      /"more" is not known/,
    ],
    [
      'a member of a block',
      ({ blocks }) => {
        blocks[1].more = 1;
      },
      /"more" is not known/,
    ],
    [
      'a member of a change',
      ({ blocks }) => {
        blocks[0].changes[0].more = 1;
      },
      /"more" is not/,
    ],
    [
      'a member of an account',
      ({ blocks }) => {
        blocks[0].changes[0].account.more = 1;
      },
      /"more"/,
    ],
    [
      'a slot',
      ({ blocks }) => {
        blocks[0].changes[1].storage[0].more = 1;
      },
      /"more" is not known/,
    ],
    [
      'no hash',
      ({ blocks }) => {
        delete blocks[1].hash;
      },
      /"hash" is missing/,
    ],
    [
      'a number',
      ({ blocks }) => {
        blocks[0].changes[0].account.nonce = '0x1';
      },
      /nonce: expected/,
    ],
    [
      'no block',
      (json) => {
        json.blocks = [];
      },
      /holds no case/,
    ],
  ])('a chain: %s', async (_, edit, message) => {
    const failures = await failuresOf('chain-poseidon2-edge', edit);
    expect(failures.join('\n')).toMatch(message);
  });

  test('traces: the root after a block', async () => {
    const right = await failuresOf('traces-poseidon2-edge', () => {});
    expect(right).toEqual([]);
    const wrong = await failuresOf('traces-poseidon2-edge', ({ blockRoots }) => {
      blockRoots[5] = blockRoots[6];
      blockRoots[7] = blockRoots[0];
    });
    expect(wrong.join()).toMatch(/blockRoots: expected/);
    const short = await failuresOf('traces-poseidon2-edge', ({ blockRoots }) => blockRoots.pop());
    expect(short.join()).toMatch(/blockRoots: expected/);
  });
});

test('a folder that is named and missing fails the run', () => {
  const before = process.env.VECTORS_DIRS;
  process.env.VECTORS_DIRS = 'vectors:no-such-folder';
  try {
    expect(() => vectorFolders()).toThrow(/no-such-folder/);
  } finally {
    if (before === undefined) delete process.env.VECTORS_DIRS;
    else process.env.VECTORS_DIRS = before;
  }
});
