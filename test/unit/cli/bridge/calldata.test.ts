/** `l2proof calldata`: it prints what the library makes, for those answers alone that hold. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compactProof, toCalldata } from '../../../../src/compact/index.js';
import type { ProofClaim } from '../../../../src/index.js';
import { newFolder } from '../../../support/folder.js';
import { families, honest } from '../../../support/runs.js';
import { longestWait } from '../../../support/until.js';

/** Runs the built command. */
function calldata({ stateRoot, address, storageKeys = [], hash }: ProofClaim, ...args: string[]) {
  const claim = ['--root', stateRoot, '--address', address];
  const slots = storageKeys.flatMap((key) => ['--slot', key]);
  const family = hash === 'mimc' ? ['--hash', 'mimc'] : [];
  const all = ['dist/cli/main.js', 'calldata', ...args, ...claim, ...slots, ...family];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    encoding: 'utf8',
    timeout: longestWait,
  });
  return { status, stdout, stderr };
}

test.each(families)('the calls and checks of an answer, %s', (family) => {
  const { result, claim } = honest(family);
  const file = join(newFolder(), 'answer.json');
  writeFileSync(file, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  const { calls, checks } = toCalldata(result, claim);
  // A path to the account, and one or two for each slot, beside the hashes.
  expect(calls.length).toBeGreaterThan(1 + (claim.storageKeys ?? []).length);

  const shown = calldata(claim, file);
  expect(shown).toMatchObject({ status: 0, stderr: '' });
  const lines = shown.stdout.trimEnd().split('\n');
  expect(lines[0]).toBe('verified');
  expect(lines.filter((line) => line.startsWith('0x'))).toEqual(calls.map(({ data }) => data));
  const after = lines.slice(lines.indexOf('The contract that calls must check:') + 1);
  expect(after.map((line) => line.split(' ')[0])).toEqual(checks.map(({ name }) => name));

  const { calls: printed, checks: listed } = JSON.parse(calldata(claim, file, '--json').stdout);
  expect(printed.map(({ data }: { data: string }) => data)).toEqual(calls.map(({ data }) => data));
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(checks.map(({ name }) => name));
});

test('a compact proof has not the nodes that a contract hashes', () => {
  const { result, claim } = honest('poseidon2');
  const file = join(newFolder(), 'proof.bin');
  writeFileSync(file, compactProof(result, claim));
  const { status, stdout, stderr } = calldata(claim, file);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('holds a compact proof, which has not the nodes that a contract hashes');
});
