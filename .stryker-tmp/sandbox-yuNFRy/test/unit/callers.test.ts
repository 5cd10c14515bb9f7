/** The usual mistakes of callers are named, and what callers need around a verified state. */
// @ts-nocheck

import { describe, expect, test } from 'vitest';
import {
  createVerifier,
  parseProof,
  stateToJson,
  verifyExistence,
  verifyNonExistence,
  verifyProof,
  verifyProofs,
} from '../../src/index.js';
import type { RpcErrorDetails } from '../../src/rpc/index.js';
import { families, honest } from '../support/runs.js';

const { result, claim } = honest('poseidon2');

describe('a JSON-RPC answer in place of its result', () => {
  const whole = { jsonrpc: '2.0', id: 1, result };
  const verifier = createVerifier({ stateRoot: claim.stateRoot });
  test.each<[string, (answer: unknown) => unknown]>([
    ['verifyProof', (answer) => verifyProof(answer, claim)],
    ['parseProof', (answer) => parseProof(answer)],
    ['a verifier', (answer) => verifier.verify(answer, claim)],
  ])('%s says what to pass', (_, verify) => {
    const named = { name: 'ShapeError', path: '' };
    expect(() => verify(whole)).toThrow(
      expect.objectContaining({
        ...named,
        message: expect.stringMatching(/pass its `result` member$/),
      }),
    );
    const refused = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'busy' } };
    expect(() => verify(refused)).toThrow(
      expect.objectContaining({
        ...named,
        message: expect.stringMatching(/an error that the server/),
      }),
    );
    // Other members of a result are nobody's business.
    expect(() => verify({ ...result, result: whole, error: 1 })).not.toThrow();
  });
});

describe('a claim that is missing', () => {
  const missing = undefined as never;
  const nothing = null as never;
  const whole = '{ stateRoot, address, storageKeys, hash, engine }';
  test.each<[string, () => unknown, string]>([
    [
      'no claim',
      () => verifyProof(result, missing),
      `"claim" expected an object ${whole}, got undefined`,
    ],
    ['null', () => verifyProof(result, nothing), `"claim" expected an object ${whole}, got null`],
    [
      'text',
      () => verifyProof(result, claim.stateRoot as never),
      `"claim" expected an object ${whole}, got string`,
    ],
    [
      'no claim for a verifier',
      () => createVerifier({ stateRoot: claim.stateRoot }).verify(result, missing),
      '"claim" expected an object { address, storageKeys }, got undefined',
    ],
    [
      'no options',
      () => createVerifier(missing),
      '"options" expected an object { stateRoot, hash, maxNodes, engine }, got undefined',
    ],
    [
      'no existence',
      () => verifyExistence(missing),
      '"options" expected an object { hash, root, hKey, hValue, proof, engine }, got undefined',
    ],
    [
      'no absence',
      () => verifyNonExistence(nothing),
      '"options" expected an object { hash, root, hKey, proof, engine }, got null',
    ],
    [
      'no root',
      () => verifyProof(result, { address: claim.address } as never),
      '"stateRoot" expected a hex string, got undefined',
    ],
    [
      'no address',
      () => verifyProof(result, { stateRoot: claim.stateRoot } as never),
      '"address" expected a hex string, got undefined',
    ],
  ])('%s is a TypeError that names it', (_, verify, message) => {
    expect(verify).toThrow(expect.objectContaining({ name: 'TypeError', message }));
  });

  test('in a batch it fails alone', () => {
    const [first, second] = verifyProofs([
      { result, claim: missing },
      { result, claim },
    ]);
    expect(first).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^"claim"/) },
    });
    expect(second).toMatchObject({ ok: true });
  });
});

test.each(families)('a state of %s goes through JSON with its numbers in decimal', (family) => {
  const { result: answer, claim: asked } = honest(family);
  const state = verifyProof(answer, asked);
  const json = stateToJson(state);
  expect(JSON.parse(JSON.stringify(json))).toEqual({
    stateRoot: asked.stateRoot,
    address: asked.address,
    hash: family,
    account: {
      ...state.account,
      nonce: '3',
      balance: '1000000000000000000',
      codeSize: String(state.account?.codeSize),
    },
    storage: state.storage,
  });
  expect(stateToJson({ ...state, account: null }).account).toBeNull();
});

test('what an RpcError says more is a public type', () => {
  const details: RpcErrorDetails = { status: 503 };
  expect(details.status).toBe(503);
});
