/** Outcomes on their way back from a worker: a state as one text, an error as its parts. */
import {
  type Account,
  type Hex,
  type ProofOutcome,
  ShapeError,
  type VerificationCode,
  VerificationError,
  type VerifiedState,
} from '../index.js';
import type { PackedClaim } from './job.js';

/** The parts of an error that a thread cannot send as itself. */
interface Refusal {
  readonly name: string;
  readonly message: string;
  readonly path: string;
  readonly code: string;
}

/** One outcome per item of a job, in order; text is a state. Safe to clone. */
export type Reply = readonly (string | Refusal)[];

const accountFields = [
  'nonce',
  'balance',
  'storageRoot',
  'snarkCodeHash',
  'keccakCodeHash',
  'codeSize',
] as const;
const absent = '-';

function encodeState({ account, storage }: VerifiedState): string {
  const words: string[] = account ? accountFields.map((name) => String(account[name])) : [absent];
  for (const { value, exists } of storage) words.push(exists ? value : absent + value);
  return words.join(' ');
}

function encodeError(error: unknown): Refusal {
  const { name, message } = error as Error;
  if (error instanceof VerificationError) {
    return {
      name,
      path: error.path,
      code: error.code,
      message: message.slice(prefixOf(error.path).length, -suffixOf(error.code).length),
    };
  }
  if (error instanceof ShapeError) {
    return {
      name,
      path: error.path,
      code: '',
      message: message.slice(prefixOf(error.path).length),
    };
  }
  return { name, path: '', code: '', message };
}

/** What the constructors of the errors put around a message. */
const prefixOf = (path: string) => (path === '' ? '' : `"${path}" `);
const suffixOf = (code: string) => ` (${code})`;

/** Encodes the outcomes of one job. */
export function encodeOutcomes(outcomes: readonly ProofOutcome[]): Reply {
  return outcomes.map((outcome) =>
    outcome.ok ? encodeState(outcome.state) : encodeError(outcome.error),
  );
}

function decodeAccount(words: string[]): Account | null {
  const fields = words.splice(0, words[0] === absent ? 1 : accountFields.length);
  if (fields.length === 1) return null;
  const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] =
    fields as Hex[] as [Hex, Hex, Hex, Hex, Hex, Hex];
  return Object.freeze({
    nonce: BigInt(nonce),
    balance: BigInt(balance),
    storageRoot,
    snarkCodeHash,
    keccakCodeHash,
    codeSize: BigInt(codeSize),
  });
}

const lowerCase = (text: Hex) => text.toLowerCase() as Hex;

function decodeState(text: string, claim: PackedClaim): VerifiedState {
  const words = text.split(' ');
  const account = decodeAccount(words);
  const storage = words.map((word, i) => {
    const exists = !word.startsWith(absent);
    const value = (exists ? word : word.slice(absent.length)) as Hex;
    return Object.freeze({ key: lowerCase(claim.storageKeys[i] as Hex), value, exists });
  });
  return Object.freeze({
    stateRoot: lowerCase(claim.stateRoot),
    address: lowerCase(claim.address),
    hash: claim.hash ?? 'poseidon2',
    account,
    storage: Object.freeze(storage),
  });
}

function decodeError({ name, message, path, code }: Refusal): Error {
  if (name === 'VerificationError')
    return new VerificationError(code as VerificationCode, path, message);
  if (name === 'ShapeError') return new ShapeError(path, message);
  if (name === 'TypeError') return new TypeError(message);
  if (name === 'RangeError') return new RangeError(message);
  return new Error(message);
}

/** Outcomes as the verifier gives them: states frozen, errors of their own class. @param claims of the job's items */
export function decodeOutcomes(reply: Reply, claims: readonly PackedClaim[]): ProofOutcome[] {
  return reply.map((entry, i) =>
    typeof entry === 'string'
      ? { ok: true, state: decodeState(entry, claims[i] as PackedClaim) }
      : { ok: false, error: decodeError(entry) },
  );
}
