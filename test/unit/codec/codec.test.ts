/** Codecs at their edges: what is written, against the reference, and what is refused, by its place and reason. */
import { describe, expect, test } from 'vitest';
import { type AccountValue, decodeAccount, encodeAccount } from '../../../src/codec/account.js';
import { checkDigest, checkRoot } from '../../../src/codec/argument.js';
import { hashCode } from '../../../src/codec/code.js';
import {
  decodeLeafOpening,
  decodeTopNode,
  encodeLeafOpening,
  encodeTopNode,
  hashLeafOpening,
  hashTopNode,
} from '../../../src/codec/node.js';
import {
  familyOfNumber,
  fileNumberOf,
  otherFamilies,
  otherFamilyOf,
  ownSpecOf,
  specOf,
} from '../../../src/codec/spec.js';
import { fromHex, toHex } from '../../support/hex.js';
import {
  digits,
  hash,
  hashCode as hashCodeAgain,
  integer,
  moduli,
} from '../../support/reference.js';
import { families } from '../../support/runs.js';

const zero = new Uint8Array(32);

describe.each(families)('%s', (family) => {
  const spec = specOf(family);
  const other = family === 'mimc' ? 'poseidon2' : 'mimc';

  test('integers are written into zeros as they are encoded', () => {
    const { integer: codec } = spec;
    for (const value of [0, 1, 255, 256, 65_535, 65_536, 2 ** 32 + 5, 2 ** 40, 2 ** 53 - 1]) {
      const out = new Uint8Array(codec.width + 8);
      codec.write(value, out, 4);
      const expected = `0x${'00'.repeat(4)}${integer(family, BigInt(value))}${'00'.repeat(4)}`;
      expect(toHex(out)).toBe(expected);
      expect(toHex(codec.encode(BigInt(value)))).toBe(`0x${integer(family, BigInt(value))}`);
    }
  });

  test('integers are read to the unit, beyond what a double holds as well', () => {
    const { integer: codec } = spec;
    for (const value of [0n, 65_536n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 64n + 3n]) {
      expect(codec.decode(fromHex(`0x${integer(family, value)}`), 0), `${value}`).toBe(value);
    }
  });

  test('code is hashed chunk by chunk', () => {
    for (const length of [0, 1, 2, 15, 16, 17, 31, 32, 33, 62, 63, 100]) {
      const code = Uint8Array.from({ length }, (_, i) => 255 - i);
      const text = toHex(code).slice(2);
      expect(toHex(hashCode(spec, code)), `${length}`).toBe(`0x${hashCodeAgain(family, text)}`);
    }
  });

  test('leaves and roots are the hashes of what they open', () => {
    const leaf = { prev: 3n, next: 1n, hKey: fromHex(`0x${digits(7n)}`), hValue: zero };
    const opening = integer(family, 3n) + integer(family, 1n) + digits(7n) + digits(0n);
    expect(toHex(encodeLeafOpening(spec, leaf))).toBe(`0x${opening}`);
    expect(toHex(hashLeafOpening(spec, leaf))).toBe(`0x${hash(family, opening)}`);
    const top = { nextFreeNode: 2n ** 40n, subTreeRoot: leaf.hKey };
    const preimage = integer(family, 2n ** 40n) + digits(7n);
    expect(toHex(hashTopNode(spec, top))).toBe(`0x${hash(family, preimage)}`);
  });

  test('pointers beyond the tree are refused, by their names', () => {
    const leaf = { prev: 0n, next: 0n, hKey: zero, hValue: zero };
    const edge = 2n ** 40n;
    for (const name of ['prev', 'next'] as const) {
      const bytes = encodeLeafOpening(spec, { ...leaf, [name]: edge });
      expect(() => decodeLeafOpening(spec, { bytes, offset: 0, at: 'leaf' })).toThrow(
        `"leaf.${name}" expected an index below ${edge}, got ${edge}`,
      );
    }
    const top = encodeTopNode(spec, { nextFreeNode: edge + 1n, subTreeRoot: zero });
    expect(() => decodeTopNode(spec, { bytes: top, offset: 0, at: 'top' })).toThrow(
      `"top.nextFreeNode" expected an index below ${edge + 1n}, got ${edge + 1n}`,
    );
  });

  test('account fields out of range are refused, by their names', () => {
    const account: AccountValue = {
      ...{ nonce: 2n ** 64n - 1n, balance: 1n, codeSize: 2n ** 64n - 1n },
      ...{ storageRoot: zero, snarkCodeHash: zero, keccakCodeHash: zero },
    };
    const decode = (members: Partial<AccountValue>) =>
      decodeAccount(spec, encodeAccount({ ...account, ...members }), 'value');
    expect(decode({})).toEqual(account);
    for (const name of ['nonce', 'codeSize'] as const) {
      const wrong = () => decode({ [name]: 2n ** 64n });
      expect(wrong).toThrow(`"value.${name}" expected below 2^64, got ${2n ** 64n}`);
    }
    const width = family === 'mimc' ? 32 : 4;
    const tooLarge = fromHex(`0x${digits(moduli[family], width).repeat(32 / width)}`);
    for (const name of ['storageRoot', 'snarkCodeHash'] as const) {
      const wrong = () => decode({ [name]: tooLarge });
      expect(wrong).toThrow(`"value.${name}" expected canonical elements of ${spec.hasher.title}`);
    }
    const large = { balance: moduli[family] };
    if (family === 'poseidon2') expect(decode(large).balance).toBe(moduli[family]);
    else expect(() => decode(large)).toThrow('"value.balance" expected canonical elements of');
  });

  test('a wrong root or digest is told by what it is', () => {
    const width = family === 'mimc' ? 32 : 4;
    const tooLarge = `0x${digits(moduli[family], width).repeat(32 / width)}`;
    expect(() => checkRoot(spec, toHex(zero), 'root')).toThrow(
      '"root" is zero, which is no root: L1 holds none for that block',
    );
    expect(() => checkRoot(spec, tooLarge, 'root')).toThrow(
      `"root" is no root of ${spec.hasher.title} (hash: '${family}'). Pass hash: '${other}' if`,
    );
    expect(() => checkDigest(spec, tooLarge, 'hKey')).toThrow(
      `"hKey" expected a digest of ${spec.hasher.title}, got a larger number`,
    );
    expect(checkDigest(spec, toHex(zero), 'hKey')).toEqual(zero);
  });

  test('the other family is told by the width of its top nodes', () => {
    expect(otherFamilies(spec)).toEqual([other]);
    expect(otherFamilyOf(spec, specOf(other).widths.topNode)).toBe(other);
    expect(otherFamilyOf(spec, spec.widths.topNode)).toBeUndefined();
    expect(otherFamilyOf(spec, 1)).toBeUndefined();
  });

  test('all callers share one spec, and so the nodes that it remembers', () => {
    expect(specOf(family)).toBe(spec);
    expect(specOf(other)).not.toBe(spec);
  });

  test('a spec of its own has a hasher of its own', () => {
    const own = ownSpecOf(family);
    expect({ ...own, hasher: undefined }).toEqual({ ...spec, hasher: undefined });
    expect(own.hasher).not.toBe(spec.hasher);
    expect(own.hasher.hash(zero)).toEqual(spec.hasher.hash(zero));
    expect(() => ownSpecOf('sha256' as never)).toThrow(
      `"hash" expected 'poseidon2' or 'mimc', got "sha256"`,
    );
  });
});

test.each([0, 1])('a limb above 0xffff is refused by its place: byte %i', (upper) => {
  const spec = specOf('poseidon2');
  const leaf = { prev: 0n, next: 0n, hKey: zero, hValue: zero };
  const bytes = encodeLeafOpening(spec, leaf);
  bytes[spec.integer.width + upper] = 1;
  expect(() => decodeLeafOpening(spec, { bytes, offset: 0, at: 'leaf' })).toThrow(
    '"leaf.next" expected limbs of two bytes, got one above 0xffff',
  );
});

test('the contract hashes keys of accounts as the library does', () => {
  const address = Uint8Array.from({ length: 20 }, (_, i) => i + 1);
  const { mimc, poseidon2 } = Object.fromEntries(families.map((name) => [name, specOf(name)]));
  const call = (spec: typeof mimc) => spec?.contract.accountKey(address);
  const padded = fromHex(`0x${'00'.repeat(12)}${toHex(address).slice(2)}`);
  expect(call(mimc)).toEqual({ signature: 'mimcHash(bytes)', argument: padded });
  expect(call(poseidon2)).toEqual({ signature: 'hashAccountKey(address)', argument: address });
});

test('families have the numbers of docs/snapshot.md in files', () => {
  expect([fileNumberOf('mimc'), fileNumberOf('poseidon2')]).toEqual([1, 2]);
  expect([0, 1, 2, 3].map(familyOfNumber)).toEqual([undefined, 'mimc', 'poseidon2', undefined]);
});
