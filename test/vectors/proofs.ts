/** Kinds `getProof`, `mutations` and `proof`: whole results and single proofs, valid and not. */
import { encodeHex } from '../../src/bytes.js';
import type { TreeSpec } from '../../src/codec/spec.js';
import { compactProof, verifyCompactProof } from '../../src/compact/index.js';
import {
  type HashFamily,
  type Hex,
  type ProofClaim,
  ProofError,
  VerificationError,
  type VerifiedState,
  verifyExistence,
  verifyNonExistence,
  verifyProof,
} from '../../src/index.js';
import { parseProofOfKey, parseResult } from '../../src/proof/parse.js';
import type { ExistenceProof, NonExistenceProof } from '../../src/proof/types.js';
import { fromHex } from '../support/hex.js';
import { refusalByPage } from '../support/refusals.js';
import { checkCompact } from './compact.js';
import { type Case, familyOf, type VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type Json, type JsonObject } from './members.js';
import { applyPatch, type Edit } from './patch.js';

const zeroWord = `0x${'00'.repeat(32)}`;

/** The claim that a `getProof` file is to be verified with. */
export function claimOf(file: VectorFile): ProofClaim {
  const expect = file.json.expect as JsonObject;
  const account = expect.account as JsonObject | undefined;
  const result = file.json.result as { accountProof: { key: string } };
  return {
    stateRoot: (file.json.stateRoot ?? expect.impliedRoot) as Hex,
    address: (account?.address ?? result.accountProof.key) as Hex,
    storageKeys: expect.requestedSlots as Hex[],
    hash: file.spec.hasher.family,
    ...(file.engine && { engine: file.engine }),
  };
}

/** Verifies a proof against a file's claim; run with undefined, only the claim can be right or wrong. */
type Verify = (proof: unknown) => unknown;

/** A refusal that the verifier foresees: a ProofError, or a claim that is wrong whatever the proof. */
function isRefusal(error: unknown, verify: Verify): boolean {
  if (error instanceof ProofError) return true;
  try {
    verify(undefined);
  } catch (alone) {
    return alone instanceof TypeError || alone instanceof RangeError;
  }
  throw new Error('nothing at all was verified');
}

/** Ways to verify a result: as it is, and by its compact form, which only a true one has. */
const waysOf = (claim: ProofClaim): Verify[] => [
  (result) => verifyProof(result, claim),
  (result) => verifyCompactProof(compactProof(result, claim), claim),
];

/** Runs `verify`, which must refuse with a code or the name of an error; one that is no refusal is a bug. */
export function checkRefused(verify: Verify, proof: unknown, code: Json): void {
  try {
    verify(proof);
  } catch (error) {
    if (!isRefusal(error, verify)) throw error;
    const actual = error instanceof VerificationError ? error.code : (error as Error).name;
    checkEqual(actual, code, 'code');
    return;
  }
  throw new Error('expected a refusal, got a proven state');
}

/** Runs `verify`, which may accept or refuse. */
function checkSettled(verify: Verify, proof: unknown): void {
  try {
    verify(proof);
  } catch (error) {
    if (!isRefusal(error, verify)) throw error;
  }
}

const placeMembers = ['leafIndex', 'leftLeafIndex', 'rightLeafIndex'];

/** Where the leaves lie, and what they hold, as the parsed proof has them. */
function checkLeaves(
  proof: ExistenceProof | NonExistenceProof,
  expect: JsonObject,
  hKey: Uint8Array,
): void {
  const present = proof.kind === 'existence';
  checkEqual(present ? 'present' : 'absent', expect.status, 'status');
  const path = present ? proof.path : proof.left;
  checkEqual(encodeHex(hKey), expect.hKey, 'hKey');
  checkEqual(Number(path.top.nextFreeNode), expect.nextFreeNode, 'nextFreeNode');
  const [leafIndex, leftLeafIndex, rightLeafIndex] = present
    ? [Number(proof.path.leafIndex), undefined, undefined]
    : [undefined, Number(proof.left.leafIndex), Number(proof.right.leafIndex)];
  checkEqual(leafIndex, expect.leafIndex, 'leafIndex');
  checkEqual(leftLeafIndex, expect.leftLeafIndex, 'leftLeafIndex');
  checkEqual(rightLeafIndex, expect.rightLeafIndex, 'rightLeafIndex');
  checkEqual(present ? encodeHex(path.leaf.hValue) : undefined, expect.hVal, 'hVal');
}

const accountFields = [
  'nonce',
  'balance',
  'codeSize',
  'storageRoot',
  'snarkCodeHash',
  'keccakCodeHash',
] as const;

function checkState(file: VectorFile, state: VerifiedState): void {
  const { spec } = file;
  const expect = file.json.expect as JsonObject;
  const account = expect.account as JsonObject;
  const storage = expect.storage as JsonObject[];
  const parsed = parseResult(file.json.result, spec);
  const common = ['status', 'hKey', 'nextFreeNode'];
  checkMembers(
    account,
    [...common, 'address'],
    ['hVal', ...placeMembers, ...accountFields],
    'account',
  );
  checkEqual(state.address, account.address, 'address');
  for (const field of accountFields) checkEqual(state.account?.[field], account[field], field);
  const hash = (bytes: Uint8Array) => spec.hasher.hash(bytes);
  const address = fromHex(account.address as string);
  checkLeaves(parsed.accountProof, account, hash(spec.addressBlocks(address)));

  const answered = parsed.storageProofs.filter((entry) => entry !== null);
  checkEqual(answered.length, storage.length, 'answered slots');
  storage.forEach((slot, i) => {
    checkMembers(slot, [...common, 'key'], ['value', 'hVal', ...placeMembers], `storage[${i}]`);
    const entry = answered[i] as (typeof answered)[number];
    const key = fromHex(slot.key as string);
    checkEqual(encodeHex(entry.key), slot.key, 'key');
    checkLeaves(entry, slot, hash(spec.wordBlocks(key)));
  });
  const requested = expect.requestedSlots as string[];
  const expected = requested.map((key) => {
    const slot = storage.find((candidate) => candidate.key === key);
    return { key, value: slot?.value ?? zeroWord, exists: slot?.status === 'present' };
  });
  checkEqual(state.storage, expected, 'storage');
}

/** What a file with one `result` expects of it. */
function expectOf({ json, name }: VectorFile): JsonObject {
  checkMembers(json, ['kind', 'source', 'hash', 'stateRoot', 'expect', 'result'], ['note'], name);
  return json.expect as JsonObject;
}

/** A `getProof` file is one case: proven with the expected values, or refused. */
export function getProofCases(file: VectorFile): Case[] {
  const { json } = file;
  const expect = expectOf(file);
  const always = ['valid', 'requestedSlots'];
  const known = ['impliedRoot', 'account', 'storage', 'oracleReason', 'verifiesUnder'];
  checkMembers(expect, always, known, `${file.name} expect`);
  const claim = claimOf(file);
  const run = () => {
    if (!expect.valid) {
      const code = refusalByPage(json.result, claim, file.spec.hasher.family);
      return waysOf(claim).forEach((verify) => checkRefused(verify, json.result, code));
    }
    const state = verifyProof(json.result, claim);
    checkState(file, state);
    checkCompact(json.result, claim, state);
  };
  return [{ name: 'result', run }];
}

/** An edited answer, and the claim that it is held against. */
export interface EditedAnswer {
  result: Json;
  claim: ProofClaim;
}

/** What a case of a `mutations` file is about. */
export function editedAnswer(file: VectorFile, base: VectorFile, entry: JsonObject): EditedAnswer {
  const claim = claimOf(base);
  const request = (entry.request ?? {}) as JsonObject;
  checkMembers(request, [], ['address', 'slots'], `${file.name} request`);
  return {
    result: applyPatch(base.json.result as Json, (entry.patch ?? []) as unknown as Edit[]),
    claim: {
      stateRoot: (entry.stateRoot as Hex) ?? claim.stateRoot,
      address: (request.address as Hex) ?? claim.address,
      storageKeys: (request.slots as Hex[]) ?? claim.storageKeys,
      hash: entry.hash ? familyOf(entry.hash as string) : file.spec.hasher.family,
      ...(file.engine && { engine: file.engine }),
    },
  };
}

/** One case per edit of another file's result. */
export function mutationCases(file: VectorFile): Case[] {
  const { json } = file;
  checkMembers(json, ['kind', 'source', 'hash', 'base', 'cases'], ['note'], file.name);
  const base = file.sibling(json.base as string);
  checkEqual(base.json.hash, json.hash, 'hash of the base');
  return (json.cases as JsonObject[]).map((entry) => ({
    name: entry.name as string,
    run() {
      const known = ['patch', 'stateRoot', 'request', 'hash', 'oracleReason', 'mayDiffer', 'code'];
      checkMembers(entry, ['name', 'valid'], known, file.name);
      const { result, claim } = editedAnswer(file, base, entry);
      // Another sound verifier may decide otherwise: either way is right, any other error is not.
      if (entry.mayDiffer) return waysOf(claim).forEach((verify) => checkSettled(verify, result));
      if (entry.valid) return checkCompact(result, claim, verifyProof(result, claim));
      const code = refusalByPage(result, claim, claim.hash as HashFamily);
      // A file that names the code says the same as the page.
      if (entry.code !== undefined) checkEqual(code, entry.code, 'code by the page');
      for (const verify of waysOf(claim)) checkRefused(verify, result, code);
    },
  }));
}

type Encode = (bytes: Uint8Array) => Uint8Array;

/** What is hashed of a key and of a value, by the kind that files name. */
export function encodersOf(spec: TreeSpec, kind: unknown): [key: Encode, value: Encode] {
  if (kind === 'account') return [spec.addressBlocks, spec.accountBlocks];
  if (kind === 'storage') return [spec.wordBlocks, spec.wordBlocks];
  if (kind === 'raw') return [(key) => key, (value) => value];
  throw new Error(`kind of key "${kind}" is not known to this runner`);
}

/** A `proof` file is one case: a single proof object under a root. */
export function proofCases(file: VectorFile): Case[] {
  const { json, spec } = file;
  const expect = expectOf(file);
  // The second verifier knows whole answers only: a file whose proof is refused names the code.
  const known = ['impliedRoot', 'oracleReason', 'verifiesUnder', 'proof', 'code'];
  checkMembers(expect, ['valid', 'keyKind'], known, `${file.name} expect`);
  const [encodeKey, encodeValue] = encodersOf(spec, expect.keyKind);
  const result = json.result as { key: string; proof?: { value: string } };
  const hash = (bytes: Uint8Array) => encodeHex(spec.hasher.hash(bytes));
  const verify = (proof: unknown) => {
    const common = {
      hash: spec.hasher.family,
      root: (json.stateRoot ?? expect.impliedRoot) as Hex,
      hKey: hash(encodeKey(fromHex(result.key))),
      proof,
      ...(file.engine && { engine: file.engine }),
    };
    if (!result.proof) return verifyNonExistence(common);
    verifyExistence({ ...common, hValue: hash(encodeValue(fromHex(result.proof.value))) });
  };
  const run = () => {
    if (!expect.valid) return checkRefused(verify, result, expect.code as Json);
    verify(result);
    const proof = expect.proof as JsonObject;
    const members = ['key', 'status', 'hKey', 'nextFreeNode'];
    checkMembers(proof, members, ['value', 'hVal', ...placeMembers], 'expect.proof');
    checkEqual(result.key, proof.key, 'key');
    checkEqual(result.proof?.value, proof.value, 'value');
    checkLeaves(
      parseProofOfKey(result, spec),
      proof,
      spec.hasher.hash(encodeKey(fromHex(result.key))),
    );
  };
  return [{ name: 'proof', run }];
}
