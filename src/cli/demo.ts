/**
 * `npm start`: the whole main job on the embedded store. Builds a small state, serves it on loopback, asks over HTTP for
 * what exists and what does not, verifies the answers, shows a tampered one refused, and cleans up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, VerificationError, verifyProof } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { createTransport } from '../rpc/index.js';
import { createService, fixedFinality, startServer } from '../service/index.js';
import {
  type AccountChange,
  openStateTree,
  type ProofResult,
  type StateTree,
} from '../tree/index.js';
import { stateTable } from './print/print.js';

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const address = (value: bigint): Hex => `0x${value.toString(16).padStart(40, '0')}`;
const [contract, nobody] = [address(0xc0de1n), address(0xdeadn)];
const [counter, owner, unused] = [word(0n), word(1n), word(2n)];

const ether = 10n ** 18n;
const wallets = Array.from(
  { length: 1000 },
  (_, i): AccountChange => ({
    address: address(BigInt(i + 1)),
    account: { nonce: BigInt(i), balance: BigInt(i) * ether },
  }),
);

/** Two blocks: a thousand wallets and a contract, then a change of the contract. */
async function build(tree: StateTree): Promise<void> {
  console.log(`Building a state of ${wallets.length + 1} accounts in 2 blocks`);
  const code = '0x6000546001016000556000546000525960005260206000f3';
  const storage = [
    { key: counter, value: word(1n) },
    { key: owner, value: word(BigInt(address(7n))) },
  ];
  const created = { address: contract, account: { nonce: 1n, balance: 3n * ether, code } as const };
  await tree.applyBlock({ number: 1, changes: [...wallets, { ...created, storage }] });
  const counted = [{ key: counter, value: word(2n) }];
  await tree.applyBlock({
    number: 2,
    changes: [{ address: contract, account: { nonce: 1n, balance: 4n * ether }, storage: counted }],
  });
  await tree.finalize(2);
}

/** Asks for accounts and slots over HTTP, and verifies what comes back. */
async function askAndVerify(url: string, stateRoot: Hex): Promise<void> {
  const transport = createTransport({ url });
  const ask = async (of: Hex, storageKeys: readonly Hex[]) =>
    (await transport.call('l2_getProof', [of, storageKeys, 'latest'])) as ProofResult;

  const questions: [title: string, of: Hex, storageKeys: Hex[]][] = [
    ['A contract, two slots that exist and one that does not', contract, [counter, owner, unused]],
    ['A wallet', address(42n), []],
    ['An account that does not exist', nobody, [counter]],
  ];
  for (const [title, of, storageKeys] of questions) {
    const state = verifyProof(await ask(of, storageKeys), { stateRoot, address: of, storageKeys });
    console.log(`${title}: verified\n${stateTable(state)}\n`);
  }

  const tampered = await ask(contract, []);
  if (!('proof' in tampered.accountProof)) throw new Error('the contract is gone');
  const { proof } = tampered.accountProof;
  // The second word of the value is the balance: its last digit becomes another one.
  const digit = 2 + 2 * 64 - 1;
  const changed = proof.value[digit] === '1' ? '2' : '1';
  proof.value = `${proof.value.slice(0, digit)}${changed}${proof.value.slice(digit + 1)}` as Hex;
  try {
    verifyProof(tampered, { stateRoot, address: contract });
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    console.log(`The contract with one digit of its balance changed: refused\n  ${error.message}`);
    return;
  }
  throw new Error('a tampered balance was verified');
}

const folder = mkdtempSync(join(tmpdir(), 'l2proof-'));
const tree = await openStateTree({ store: lmdbStore({ path: folder }) });
try {
  await build(tree);
  const service = await createService({ tree, finality: fixedFinality(2) });
  const server = await startServer(service);
  try {
    const url = `http://127.0.0.1:${server.port}/v3/`;
    console.log(`Serving it at block 2 from ${folder} on ${url}\n`);
    // In real use the root comes from the rollup contract on L1, never from the server that gives the proof.
    await askAndVerify(url, await tree.stateRoot(2));
  } finally {
    await server.stop();
  }
} finally {
  await tree.close();
  rmSync(folder, { recursive: true });
}
