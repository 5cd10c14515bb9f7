/** The contracts of the devnet: what ships is what the compiler makes of their sources. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileContracts, contractsFile, contractsPath } from '../../../../build/contracts.js';
import { networks } from '../../../../src/anchor/index.js';

const compiled = compileContracts();

test('compiled again, they are the same to the byte', () => {
  expect(contractsFile(compiled)).toBe(readFileSync(contractsPath, 'utf8'));
});

test('the rollup contract has its variables in the slots of the public one', () => {
  const storage = compiled.get('Rollup')?.storageLayout.storage ?? [];
  const slots = new Map(storage.map(({ label, slot }) => [label, BigInt(slot)]));
  const { implementation, blockHashes, ...read } = networks.mainnet.slots;
  // No public network has one so far.
  expect(blockHashes).toBeUndefined();
  for (const [name, slot] of Object.entries(read)) {
    expect([name, slots.get(name)]).toEqual([name, BigInt(slot)]);
  }
});
