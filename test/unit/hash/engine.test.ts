/** Engines that lack what others have. */
import { spawnSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { openHasher } from '../../../src/hash/engine.js';
import { stateToJson, verifyProof } from '../../../src/index.js';
import { families, honest } from '../../support/runs.js';

/** Runs a script where some of the platform's names are gone before anything is imported. */
function runWithout(names: readonly string[], script: string) {
  const gone = names.map((name) => `delete globalThis.${name};`).join('');
  // What Node itself needs, it has taken before.
  const source = `${gone} ${script}`;
  const args = ['--no-warnings', '--input-type=module'];
  const input = JSON.stringify(families.map((family) => honest(family)));
  return spawnSync(process.execPath, [...args, '-e', source], { input, encoding: 'utf8' });
}

test.each([[['TextDecoder']], [['TextDecoder', 'TextEncoder']]])(
  'without %s it imports and verifies',
  (names) => {
    const { stdout, stderr } = runWithout(
      names,
      `import { readFileSync } from 'node:fs';
    const { verifyProof, stateToJson } = await import('./dist/index.js');
    for (const { result, claim } of JSON.parse(readFileSync(0).toString())) {
      for (const engine of [undefined, 'portable']) {
        console.log(JSON.stringify(stateToJson(verifyProof(result, { ...claim, engine }))));
      }
    }
    console.log(typeof TextDecoder);`,
    );
    const states = families.flatMap((family) => {
      const { result: answer, claim: asked } = honest(family);
      const text = JSON.stringify(stateToJson(verifyProof(answer, asked)));
      return [text, text];
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([...states, 'undefined']);
  },
);

// As in a browser.
test("without Node's Buffer the kernels are the same", () => {
  const { stdout, stderr } = runWithout(
    ['Buffer'],
    `const { openHasher } = await import('./dist/hash/engine.js');
    for (const family of ${JSON.stringify(families)}) {
      console.log(String(openHasher(family, 'wasm').hash(new Uint8Array(64).fill(1))));
    }
    console.log(typeof Buffer);`,
  );
  const block = new Uint8Array(64).fill(1);
  const hashes = families.map((family) => String(openHasher(family, 'portable').hash(block)));
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual([...hashes, 'undefined']);
});

test.each(['WebAssembly', 'TextEncoder'])(
  'without %s a hasher is portable, unless the other is asked for',
  async (name) => {
    vi.stubGlobal(name, undefined);
    vi.resetModules();
    try {
      const { openHasher } = await import('../../../src/hash/engine.js');
      const block = new Uint8Array(32).fill(1);
      for (const family of families) {
        const expected = openHasher(family, 'portable').hash(block);
        expect(openHasher(family).hash(block)).toEqual(expected);
        expect(() => openHasher(family, 'wasm')).toThrow(/has or allows no WebAssembly/);
      }
    } finally {
      vi.unstubAllGlobals();
    }
  },
);
