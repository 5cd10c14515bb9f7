import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Permutation } from '../src/hash/family.js';
import { compactFiles } from './compact/files.js';
import { forgedFiles } from './forged/files.js';
import { newFolder } from './support/folder.js';
import { hashOnce } from './support/hashOnce.js';
import type { Wire } from './support/runs.js';
import { patience } from './support/runs.js';
import { consensusFolders, runConsensus } from './vectors/consensus.js';
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

test('each step of the light clients of the specification leads to the same final block', async () => {
  const { rows, failures } = await runConsensus(consensusFolders());
  expect(failures).toEqual([]);
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['minimal/electra', 'minimal/fulu', 'minimal/gloas']),
  );
  for (const row of rows) expect(row.passed + row.skipped).toBe(row.cases);
  for (const row of rows) expect(row.passed).toBeGreaterThan(0);
});

describe('a case of a light client that is not right fails the run', () => {
  const source = '../shared/consensus/minimal/electra/light_client_sync_no_force_update';
  const caseWith = async (edit: (steps: string) => string) => {
    const folder = newFolder();
    cpSync(source, join(folder, 'minimal/electra/edited'), { recursive: true });
    const file = join(folder, 'minimal/electra/edited/steps.yaml');
    const steps = readFileSync(file, 'utf8');
    chmodSync(join(folder, 'minimal/electra/edited'), 0o755);
    rmSync(file, { force: true });
    writeFileSync(file, edit(steps));
    return runConsensus([folder]);
  };

  test.each<[string, (steps: string) => string, RegExp]>([
    ['another slot', (steps) => steps.replace('slot: 24', 'slot: 32'), /step 0: finalized slot/],
    [
      'another root',
      (steps) => steps.replace(/beacon_root: '0xe6/, "beacon_root: '0xe7"),
      /step 0: finalized root/,
    ],
    [
      'another payload',
      (steps) => steps.replace(/execution_root: '0xf3/, "execution_root: '0xf4"),
      /step 0: execution root/,
    ],
    ['a step', (steps) => steps.replace('force_update', 'guess'), /step "guess" is not known/],
    ['a member', (steps) => steps.replace('current_slot', 'slot_now'), /"current_slot" is missing/],
    ['the clock', (steps) => steps.replace('current_slot: 41', 'current_slot: 40'), /FUTURE_SLOT/],
  ])('%s', async (_, edit, message) => {
    const { failures } = await caseWith(edit);
    expect(failures).toEqual([expect.stringMatching(message)]);
  });

  test('a forced step that would move the store ends it, and is counted', async () => {
    const { rows, failures } = await caseWith((steps) => {
      const at = steps.lastIndexOf('slot: 24');
      return `${steps.slice(0, at)}slot: 40${steps.slice(at + 8)}`;
    });
    expect(failures).toEqual([]);
    expect(rows).toEqual([expect.objectContaining({ cases: 3, passed: 2, skipped: 1 })]);
  });

  test('a folder without a case', async () => {
    expect((await runConsensus([newFolder()])).failures).toEqual([
      expect.stringMatching(/holds no case/),
    ]);
  });
});

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
