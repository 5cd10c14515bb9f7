/** `npm start`: the main job on saved proofs, and what a tampered one comes to. */
import { readFileSync } from 'node:fs';
import {
  type HashFamily,
  type Hex,
  type ProofClaim,
  VerificationError,
  verifyProof,
} from '../index.js';
import { stateTable } from './print.js';

interface SavedProof {
  hash: string;
  stateRoot: Hex;
  expect: { account: { address: Hex }; requestedSlots: Hex[] };
  result: { accountProof: { proof: { value: string } } };
}

function load(name: string): SavedProof {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
}

function claimOf(saved: SavedProof): ProofClaim {
  const hash: HashFamily = saved.hash === 'mimc-bls12-377' ? 'mimc' : 'poseidon2';
  return {
    stateRoot: saved.stateRoot,
    address: saved.expect.account.address,
    storageKeys: saved.expect.requestedSlots,
    hash,
  };
}

for (const [title, name] of [
  ['An account with storage', 'getproof-poseidon2-synthetic-slots.json'],
  ['An account that does not exist', 'getproof-poseidon2-synthetic-absent.json'],
  ['An account under the older hash', 'getproof-mimc-synthetic-slots.json'],
] as const) {
  const saved = load(name);
  console.log(`${title} (vectors/${name}): verified`);
  console.log(`${stateTable(verifyProof(saved.result, claimOf(saved)))}\n`);
}

const saved = load('getproof-poseidon2-synthetic-slots.json');
const { proof } = saved.result.accountProof;
// The second word of the value is the balance: its last digit becomes another one.
const digit = 2 + 2 * 64 - 1;
proof.value = `${proof.value.slice(0, digit)}${proof.value[digit] === '1' ? '2' : '1'}${proof.value.slice(digit + 1)}`;
try {
  verifyProof(saved.result, claimOf(saved));
  throw new Error('a tampered balance was verified');
} catch (error) {
  if (!(error instanceof VerificationError)) throw error;
  console.log(`The same answer with one digit of the balance changed: refused\n  ${error.message}`);
}
