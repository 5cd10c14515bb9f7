import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { forgedFiles } from './forged/files.js';
import { runVectors, vectorFolders } from './vectors/run.js';

test.each(['wasm', 'portable'] as const)(
  'every vector file gives what it expects: %s',
  async (engine) => {
    const { rows, failures } = await runVectors(vectorFolders(), engine);
    expect(failures).toEqual([]);
    for (const row of rows) expect(row.passed).toBeGreaterThan(0);
    expect(rows.some(({ kind }) => kind === 'getProof')).toBe(true);
    expect(rows.some(({ kind }) => kind === 'mutations')).toBe(true);
    expect(rows.some(({ kind }) => kind === 'chain')).toBe(true);
  },
  120_000,
);

test('the forged set is what its builder makes', () => {
  for (const [name, content] of forgedFiles()) {
    expect(readFileSync(`vectors/forged/${name}`, 'utf8')).toBe(content);
  }
}, 60_000);

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
