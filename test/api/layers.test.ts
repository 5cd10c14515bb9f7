/** Who may import whom: data flows one way, and a user of the verifier never loads what stands around it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Folder of `src` -> what it may import, besides itself and errors, bytes and peer; files at the top by name. */
const allowed: Record<string, readonly string[]> = {
  errors: [],
  bytes: [],
  peer: [],
  hash: ['@noble/hashes/sha3.js', '@noble/curves/abstract/modular.js'],
  codec: ['hash'],
  proof: ['codec', 'hash'],
  verify: ['codec', 'proof', 'hash'],
  trace: ['codec', 'proof', 'hash'],
  slots: ['@noble/hashes/sha3.js'],
  index: ['codec', 'proof', 'slots', 'verify', 'hash'],
  tree: ['codec', 'proof', 'verify', 'hash', '@noble/hashes/sha3.js'],
  lmdb: ['tree', 'lmdb', 'node:fs', 'node:module', 'node:os', 'node:path'],
  pool: ['index', 'piscina'],
  rpc: [],
  follow: ['tree', 'rpc'],
  service: [
    'tree',
    'rpc',
    '@noble/hashes/sha2.js',
    'hono',
    'hono/cors',
    '@hono/node-server',
    'node:http',
    'node:net',
    'pino',
    'prom-client',
  ],
  cli: [
    'index',
    'pool',
    'tree',
    'lmdb',
    'rpc',
    'follow',
    'service',
    'node:events',
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:path',
    'node:util',
    'cli-progress',
  ],
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.c?ts$/.test(name) && !name.includes('/generator/') && !name.endsWith('.wasm.ts'),
);
const layerOf = (file: string) => (file.split('/')[0] as string).replace(/\.c?[jt]s$/, '');

test.each(files)('src/%s imports only what its folder may', (file) => {
  const text = readFileSync(join('src', file), 'utf8');
  const layer = layerOf(file);
  const permitted = [layer, 'peer', 'errors', 'bytes', ...(allowed[layer] ?? [])];
  if (layer === 'errors' || layer === 'cli') permitted.splice(2, 2);
  for (const [, name] of text.matchAll(/(?:from|import) ?\(?'([^']+)'/g)) {
    const target = name as string;
    const imported = target.startsWith('.')
      ? layerOf(normalize(join(dirname(file), target)))
      : target;
    expect(permitted, `src/${file} imports ${target}`).toContain(imported);
  }
});

test('every folder of src has a rule', () => {
  expect([...new Set(files.map(layerOf))].sort()).toEqual(Object.keys(allowed).sort());
});

test('the verifier catches foreign reads only; a batch, each item; the engine, a forbidden compilation', () => {
  const verifier = [
    ...['bytes', 'errors', 'hash', 'codec', 'proof', 'verify', 'trace', 'slots', 'index'],
  ];
  const catching = files
    .filter((file) => verifier.includes(layerOf(file)))
    .filter((file) => /\bcatch\b\s*[({]/.test(readFileSync(join('src', file), 'utf8')));
  expect(catching.sort()).toEqual(['hash/engine.ts', 'proof/read.ts', 'verify/verifier.ts']);
});

test('no file is longer than 300 lines', () => {
  for (const file of files) {
    expect(readFileSync(join('src', file), 'utf8').split('\n').length, file).toBeLessThanOrEqual(
      300,
    );
  }
});
