/**
 * Answers of our own service, for the on-chain verifier: serves a MiMC state, asks as the public end-to-end client does
 * (`linea_getProof`, positional params, a block by number), and writes each answer as a vector file.
 *
 *   tsx served.ts FOLDER && tsx agree.ts FOLDER
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createService, fixedFinality, startServer } from '../../dist/service/index.js';
import { openStateTree } from '../../dist/tree/index.js';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('expected a folder to write to');

type Hex = `0x${string}`;
const hex = (value: number, width: number): Hex =>
  `0x${value.toString(16).padStart(2 * width, '0')}`;
const address = (i: number) => hex(i + 1, 20);
const word = (i: number) => hex(i, 32);

const tree = await openStateTree({ hash: 'mimc' });
const wallets = Array.from({ length: 200 }, (_, i) => ({
  address: address(i),
  account: { nonce: BigInt(i), balance: BigInt(i) * 10n ** 15n },
}));
const contract = (nonce: bigint, slots: [number, number][]) => ({
  address: address(500),
  account: { nonce, balance: 7n, code: '0x6001600101' as Hex },
  storage: slots.map(([key, value]) => ({ key: word(key), value: word(value) })),
});
await tree.applyBlock({
  number: 1,
  changes: [
    ...wallets,
    contract(1n, [
      [1, 11],
      [2, 22],
      [3, 33],
      [4, 44],
    ]),
  ],
});
// A slot is deleted and one changed; an account goes.
await tree.applyBlock({
  number: 2,
  changes: [
    contract(2n, [
      [2, 0],
      [3, 34],
    ]),
    { address: address(10), account: null },
  ],
});

const server = await startServer(
  await createService({ tree, finality: fixedFinality(2), aliases: ['linea_getProof'] }),
);
const questions: [name: string, of: Hex, slots: Hex[], block: number][] = [
  ['contract', address(500), [1, 2, 3, 4, 5].map(word), 2],
  ['contract-before', address(500), [1, 2, 3].map(word), 1],
  ['wallet', address(42), [], 2],
  ['deleted', address(10), [word(1)], 2],
  ['absent', address(9999), [], 2],
];
mkdirSync(folder, { recursive: true });
for (const [name, of, slots, block] of questions) {
  const response = await fetch(`http://127.0.0.1:${server.port}/v3/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'linea_getProof',
      params: [of, slots, `0x${block.toString(16)}`],
    }),
  });
  const { result } = (await response.json()) as { result?: unknown };
  if (result === undefined) throw new Error(`${name} was not answered`);
  const file = {
    kind: 'getProof',
    source: 'synthetic, served',
    hash: 'mimc-bls12-377',
    stateRoot: await tree.stateRoot(block),
    expect: { valid: true, requestedSlots: slots, account: { address: of } },
    result,
  };
  writeFileSync(join(folder, `getproof-mimc-served-${name}.json`), JSON.stringify(file));
}
await server.stop();
await tree.close();
