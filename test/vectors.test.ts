import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { BeaconFork } from '../src/beacon/index.js';
import type { Permutation } from '../src/hash/family.js';
import { compactFiles } from './compact/files.js';
import { forgedFiles } from './forged/files.js';
import { type Chain, makeChain } from './support/beacon/chain.js';
import { type MadeStep, writeCase } from './support/beacon/madeCase.js';
import { networkFrom } from './support/beacon/networks.js';
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

/** The cases of the specification: data of others, which are no part of the repository. */
const hasCases = existsSync('../shared/consensus');

test.skipIf(!hasCases)(
  'each step of the light clients of the specification leads to the same final block',
  async () => {
    const { rows, failures } = await runConsensus(consensusFolders());
    expect(failures).toEqual([]);
    expect(rows.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['minimal/electra', 'minimal/fulu', 'minimal/gloas']),
    );
    for (const row of rows) expect(row.passed + row.skipped).toBe(row.cases);
    for (const row of rows) expect(row.passed).toBeGreaterThan(0);
  },
);

describe('cases of the same form, made of a chain of our own', () => {
  /** Over a fork in slot 32: headers of both sides, and of the old one in objects of the new one; and what moves nothing. */
  const steps: MadeStep[] = [
    { update: { attested: 30, finalized: 16, hasNext: false }, final: 16 },
    { update: { attested: 33, finalized: 16, signers: 20 }, final: 16 },
    { update: { attested: 34, finalized: 24 }, final: 24 },
    { update: { attested: 41, hasNext: false }, final: 24 },
    { update: { attested: 56, finalized: 40, hasNext: false }, final: 40 },
    { update: { attested: 60, finalized: 40, signed: 64 }, final: 40 },
    // A period on, without its next committee, which a past update then brings.
    { update: { attested: 104, finalized: 88, hasNext: false }, final: 88 },
    { update: { attested: 90, finalized: 72, signed: 92 }, final: 88 },
    { forced: 110, final: 88 },
    // A whole period without an update of its own.
    { update: { attested: 140, finalized: 128, hasNext: false }, final: 128 },
    { update: { attested: 150, finalized: 136 }, final: 136 },
    { forced: 400, final: 150 },
    { update: { attested: 170, finalized: 152 }, final: 152 },
  ];
  const pairs: [BeaconFork, BeaconFork | undefined][] = [
    ['capella', undefined],
    ['deneb', undefined],
    ['electra', undefined],
    ['fulu', undefined],
    ['gloas', undefined],
    ['bellatrix', 'capella'],
    ['capella', 'deneb'],
    ['deneb', 'electra'],
    ['electra', 'fulu'],
    ['fulu', 'gloas'],
    ['capella', 'electra'],
    ['capella', 'gloas'],
  ];
  const runOf = async (preset: string, chain: Chain, of: MadeStep[], checkpoint = 8) => {
    const folder = newFolder();
    const { fork } = chain.blockAt(checkpoint);
    writeCase(join(folder, preset, fork, 'made'), chain, { preset, checkpoint, steps: of });
    const { rows, failures } = await runConsensus([folder]);
    expect(failures).toEqual([]);
    return rows[0];
  };

  test.each(pairs)('minimal, from %s to %s', async (first, next) => {
    const chain = makeChain(networkFrom(first, next && [next, 4]));
    const upgrade = (final: number) => ({ upgrade: next ?? first, final });
    // Objects from before Capella are not read; headers of then, in later ones, are.
    const isEarly = first === 'bellatrix';
    const all = isEarly
      ? [{ update: { attested: 44, finalized: 24 }, final: 32 }, upgrade(32), ...steps.slice(4)]
      : [...steps.slice(0, 3), upgrade(24), ...steps.slice(3)];
    const row = await runOf('minimal', chain, all, isEarly ? 32 : 8);
    expect(row).toMatchObject({ cases: all.length, passed: all.length - 2, skipped: 2 });
  });

  test('mainnet, from fulu to gloas', async () => {
    const units = { slotsPerEpoch: 32, epochsPerPeriod: 256, committeeSize: 512 };
    const chain = makeChain(networkFrom('fulu', ['gloas', 1], units));
    const row = await runOf('mainnet', chain, [
      { update: { attested: 30, finalized: 16, hasNext: false }, final: 16 },
      { update: { attested: 34, finalized: 24, signers: 342 }, final: 24 },
      { update: { attested: 70, finalized: 40, signers: 341 }, final: 24 },
    ]);
    expect(row).toMatchObject({ cases: 3, passed: 3, skipped: 0 });
  }, 60_000);
});

describe.skipIf(!hasCases)('a case of a light client that is not right fails the run', () => {
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
