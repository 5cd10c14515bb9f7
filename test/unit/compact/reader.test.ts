/** What is taken for the bytes of a compact proof, and what is not; claims that are wrong. */
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { compactProof, verifyAnswer, verifyCompactProof } from '../../../src/compact/index.js';
import { type ProofClaim, verifyProof } from '../../../src/index.js';
import { refusal } from '../../compact/support.js';
import { digits } from '../../support/reference.js';
import { honest } from '../../support/runs.js';

describe('what is no Uint8Array, or a strange one', () => {
  const { result, claim } = honest('poseidon2');
  const bytes = compactProof(result, claim);
  const state = verifyProof(result, claim);
  const verify = (value: unknown) => () => verifyCompactProof(value as Uint8Array, claim);
  const revoked = Proxy.revocable(new Uint8Array(8), {});
  revoked.revoke();
  const transferred = new Uint8Array(bytes);
  structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
  const lying = Object.defineProperty(new Uint8Array(0), 'length', { value: bytes.length });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', Buffer.from(bytes).toString('base64')],
    ['an array', [...bytes]],
    ['an ArrayBuffer', bytes.buffer],
    ['a DataView', new DataView(bytes.buffer)],
    ['16-bit words', new Uint16Array(8)],
    ['a clamped array', new Uint8ClampedArray(bytes)],
    ['a Proxy', new Proxy(bytes, {})],
    ['a revoked Proxy', revoked.proxy],
    ['an object with the prototype', Object.create(Uint8Array.prototype)],
    ['an array-like with a tag', { [Symbol.toStringTag]: 'Uint8Array', length: 8 }],
    ['no bytes', new Uint8Array(0)],
    ['a buffer that was transferred', transferred],
    ['an own length', lying],
    ['more bytes than any proof has', new Uint8Array(60_000_000)],
  ])('%s', (_, value) => {
    expect(refusal(verify(value))).toBe('ShapeError');
    // A value that is not bytes is read as a result, and refused.
    expect(refusal(() => verifyAnswer(value, claim))).toBe('ShapeError');
  });

  test('the length is looked at before the bytes are', () => {
    expect(verify(new Uint8Array(60_000_000))).toThrow(/expected 1 to \d+ bytes, got 60000000/);
  });

  class Mischief extends Uint8Array {
    override get length() {
      return 3;
    }
    override subarray(): never {
      throw new Error('its own');
    }
    override [Symbol.iterator](): never {
      throw new Error('its own');
    }
    static get [Symbol.species](): never {
      throw new Error('its own');
    }
  }
  const throwing = Object.defineProperty(bytes.slice(), 'constructor', {
    get() {
      throw new Error('its own');
    },
  });
  Object.defineProperty(throwing.buffer, 'constructor', {
    get() {
      throw new Error('its own');
    },
  });
  const inWasm = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 5, bytes.length);
  inWasm.set(bytes);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const elsewhere = runInNewContext('new Uint8Array(given)', { given: [...bytes] });

  test.each<[string, Uint8Array]>([
    ['a Buffer', Buffer.from(bytes)],
    ['a part of a larger buffer', Uint8Array.from([9, 9, 9, ...bytes, 9]).subarray(3, -1)],
    ['bytes of a WebAssembly memory', inWasm],
    ['shared bytes', shared],
    ['bytes of another realm', elsewhere],
    ['a subclass whose members lie', new Mischief(bytes)],
    ['own members that throw', throwing],
  ])('%s is taken for the bytes that it holds', (_, value) => {
    expect(verify(value)()).toEqual(state);
    expect(verifyAnswer(value, claim)).toEqual(state);
  });
});

describe('claims', () => {
  const { result, claim } = honest('poseidon2');
  const bytes = compactProof(result, claim);
  const never = new Proxy({}, { getPrototypeOf: () => expect.unreachable() });

  test.each<[string, unknown, 'TypeError' | 'RangeError']>([
    ['none', undefined, 'TypeError'],
    ['a text', 'claim', 'TypeError'],
    ['no root', { ...claim, stateRoot: undefined }, 'TypeError'],
    ['a root of zeros', { ...claim, stateRoot: `0x${digits(0n)}` }, 'RangeError'],
    ['a short address', { ...claim, address: '0x11' }, 'RangeError'],
    ['no keys', { ...claim, storageKeys: null }, 'TypeError'],
    ['keys that are no array', { ...claim, storageKeys: { length: 16385 } }, 'TypeError'],
    ['too many keys', { ...claim, storageKeys: new Array(16385) }, 'RangeError'],
    ['another family', { ...claim, hash: 'keccak' }, 'TypeError'],
    ['another engine', { ...claim, engine: 'none' }, 'TypeError'],
  ])('%s: an error of the caller, before the answer is looked at', (_, own, type) => {
    for (const call of [verifyCompactProof, verifyAnswer, compactProof]) {
      const action = () => (call as (a: unknown, b: unknown) => unknown)(never, own);
      expect(refusal(action)).toBe(type);
    }
    expect(refusal(() => verifyCompactProof(bytes, own as ProofClaim))).toBe(type);
  });
});
