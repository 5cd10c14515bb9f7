import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compactProof } from '../../../../src/compact/index.js';
import type { ProofClaim } from '../../../../src/index.js';
import { newFolder } from '../../../support/folder.js';
import { honest, type Wire } from '../../../support/runs.js';
import { longestWait } from '../../../support/until.js';

const folder = newFolder();
const at = (name: string) => join(folder, name);
const save = (name: string, content: string | Uint8Array) => {
  writeFileSync(at(name), content);
  return at(name);
};

/** Runs the built command. */
function l2proof(args: readonly string[], input: string | Uint8Array = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
    input,
    encoding: 'utf8',
    timeout: longestWait,
  });
  return { status, stdout, stderr };
}

const { result, claim } = honest('poseidon2');
const optionsOf = ({ stateRoot, address, storageKeys = [], hash }: ProofClaim) => [
  ...['--root', stateRoot, '--address', address],
  ...storageKeys.flatMap((key) => ['--slot', key]),
  ...(hash === 'mimc' ? ['--hash', 'mimc'] : []),
];
const asked = optionsOf(claim);
const json = save('answer.json', JSON.stringify(result));
const bytes = compactProof(result, claim);
const proof = save('proof.bin', bytes);
const edited = structuredClone(result);
edited.storageProofs[0].proof.value = `0x${'00'.repeat(31)}63`;

describe('l2proof compact', () => {
  test('writes what compactProof makes, from a file, from standard input and from a whole answer', () => {
    const out = at('made.bin');
    const made = l2proof(['compact', json, '--out', out, ...asked]);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(made.stdout).toContain(`${bytes.length} bytes`);
    expect(new Uint8Array(readFileSync(out))).toEqual(bytes);
    for (const input of [JSON.stringify(result), JSON.stringify({ id: 1, result })]) {
      writeFileSync(out, 'before');
      expect(l2proof(['compact', '--out', out, ...asked], input).status).toBe(0);
      expect(new Uint8Array(readFileSync(out))).toEqual(bytes);
    }
  });

  test('of the older family, too', () => {
    const mimc = honest('mimc');
    const out = at('mimc.bin');
    const input = JSON.stringify(mimc.result);
    expect(l2proof(['compact', '--out', out, ...optionsOf(mimc.claim)], input).status).toBe(0);
    expect(l2proof(['verify', out, ...optionsOf(mimc.claim)]).status).toBe(0);
  });

  test.each<[string, string[], number, RegExp, string?]>([
    ['what is not proven', asked, 1, /^not verified: .*HVALUE_MISMATCH/, JSON.stringify(edited)],
    ['no proof', asked, 2, /^malformed answer: /, '{"accountProof":{},"storageProofs":[]}'],
    ['no JSON', asked, 2, /holds no JSON/, '\u0010\u0002'],
    ['a compact proof', asked, 2, /holds a compact proof already; name/, '\u0001\u0002'],
    ['no --out', asked, 3, /^--out is required/],
    ['no root', ['--address', claim.address], 3, /^--root is required/],
    ['an option of verify', [...asked, '--jobs=2'], 3, /^unknown option "--jobs"/],
  ])('of %s it writes nothing', (name, args, status, message, input = JSON.stringify(result)) => {
    const out = at('none.bin');
    const named = name === 'no --out' ? [] : ['--out', out];
    const ended = l2proof(['compact', ...named, ...args], input);
    expect(ended).toMatchObject({ status, stdout: '' });
    expect(ended.stderr).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });

  test('a file that cannot be written is named', () => {
    mkdirSync(at('folder'), { recursive: true });
    const ended = l2proof(['compact', json, '--out', at('folder'), ...asked]);
    expect(ended).toMatchObject({ status: 3, stdout: '' });
    expect(ended.stderr).toMatch(/^cannot write .*folder/);
  });

  test('its help shows its options', () => {
    expect(l2proof(['help', 'compact']).stdout).toMatch(/^l2proof compact .*--out FILE/);
  });
});

describe('l2proof verify', () => {
  const ofJson = l2proof(['verify', json, ...asked]);

  test('says of a compact proof what it says of the answer', () => {
    expect(ofJson.status).toBe(0);
    expect(l2proof(['verify', proof, ...asked])).toEqual(ofJson);
    expect(l2proof(['verify', ...asked], bytes)).toEqual(ofJson);
    const asJson = l2proof(['verify', json, ...asked, '--json']);
    expect(l2proof(['verify', proof, ...asked, '--json'])).toEqual(asJson);
  });

  const flipped = Uint8Array.from(bytes, (byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));
  test.each<[string, Uint8Array, string[], number, RegExp]>([
    [
      'another root',
      bytes,
      ['--root', `0x${'11'.repeat(32)}`, ...asked.slice(2)],
      1,
      /ROOT_MISMATCH/,
    ],
    ['one slot fewer', bytes, asked.slice(0, -2), 1, /LEAF_NOT_NEEDED.*; check --root/],
    ['a flipped bit', flipped, asked, 1, /^not verified: /],
    ['a cut proof', bytes.subarray(0, -1), asked, 2, /^malformed answer: .*more bytes/],
    ['another version', Uint8Array.of(2, ...bytes.subarray(1)), asked, 2, /"version" expected 1/],
    ['nothing', new Uint8Array(0), asked, 2, /is empty/],
  ])('%s', (_, input, args, status, message) => {
    const ended = l2proof(['verify', ...args], input);
    expect(ended).toMatchObject({ status, stdout: '' });
    expect(ended.stderr.split('\n')[0]).toMatch(message);
  });

  test.each([1, 2])('lines hold results and compact proofs as base64, with %i threads', (jobs) => {
    const base64 = Buffer.from(bytes).toString('base64');
    const line = (own: Wire) => JSON.stringify({ ...claim, ...own });
    const input = [
      line({ result }),
      line({ result: base64 }),
      line({ result: base64, storageKeys: [] }),
      '',
      line({ result: `${base64.slice(0, -8)}` }),
      line({ result: `${base64} ` }),
      line({ result: 'no base64!' }),
      line({ result: edited }),
      line({ result: base64, address: '0x11' }),
      line({ result: base64 }),
    ].join('\n');
    const { status, stdout } = l2proof(
      ['verify', '--ndjson', '--json', '--jobs', `${jobs}`],
      input,
    );
    expect(status).toBe(1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(lines.map((each) => [each.line, each.ok, each.code ?? each.error])).toEqual([
      [1, true, undefined],
      [2, true, undefined],
      [3, false, 'LEAF_NOT_NEEDED'],
      [5, false, 'ShapeError'],
      [6, false, 'MalformedLine'],
      [7, false, 'MalformedLine'],
      [8, false, 'HVALUE_MISMATCH'],
      [9, false, 'RangeError'],
      [10, true, undefined],
    ]);
    expect(lines[1].state).toEqual(lines[0].state);
  });
});
