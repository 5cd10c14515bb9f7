/** Precompiled contracts of calls that run in the provider, beside a node's. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineNetwork } from '../../../../src/anchor/index.js';
import type { Hex } from '../../../../src/bytes.js';
import { createProvider, type Provider } from '../../../../src/provider/index.js';
import { type Living, openLiving } from '../../../support/living.js';
import { patience } from '../../../support/runs.js';
import { rollup } from '../../../support/worlds.js';

const network = defineNetwork({
  name: 'precompiles',
  ...{ l1ChainId: 900, l2ChainId: 31337, rollup, forks: { osaka: 0 } },
});

let world: Living;
let provider: Provider;
let block: Hex;
beforeAll(async () => {
  world = await openLiving({ fork: 'osaka', network });
  await world.l2.mine();
  block = `0x${(await world.finalize()).toString(16)}`;
  provider = createProvider({ l2: world.transport, l1: world.l1Transport, network });
}, patience);
afterAll(async () => {
  provider.close();
  await world.close();
});

const hex = (value: bigint, width: number) => value.toString(16).padStart(2 * width, '0');
const addressOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;

/** What both say: the result, or that it failed. */
async function both(number: number, data: string): Promise<{ ours: string; theirs: string }> {
  const call = { to: addressOf(number), data: `0x${data}`, gas: '0x1c9c380' };
  const [ours, theirs] = await Promise.all([
    provider
      .request({ method: 'eth_call', params: [call, block] })
      .then(String, ({ code }) => (code === -32000 ? 'failed' : `refused ${code}`)),
    world.l2.call('eth_call', call, block).then(String, () => 'failed'),
  ]);
  return { ours, theirs };
}

async function expectEqual(number: number, data: string): Promise<string> {
  const { ours, theirs } = await both(number, data);
  expect(ours).toBe(theirs);
  return ours;
}

type Curve = Pick<typeof bn254, 'G1' | 'G2' | 'fields'>;

/** How a curve's points are written: bytes of a coordinate, and which part of one of the second group comes first. */
const encoderOf = (curve: Curve, width: number, isImaginaryFirst: boolean) => {
  const number = (value: bigint) => hex(value, width);
  const fp2 = ({ c0, c1 }: { c0: bigint; c1: bigint }) =>
    isImaginaryFirst ? number(c1) + number(c0) : number(c0) + number(c1);
  const order = curve.fields.Fr.ORDER;
  return {
    infinity: { g1: '0'.repeat(4 * width), g2: '0'.repeat(8 * width) },
    g1(scalar: bigint) {
      const { x, y } = curve.G1.Point.BASE.multiply(((scalar % order) + order) % order).toAffine();
      return number(x) + number(y);
    },
    g2(scalar: bigint) {
      const { x, y } = curve.G2.Point.BASE.multiply(scalar).toAffine();
      return fp2(x) + fp2(y);
    },
  };
};
const bn = encoderOf(bn254, 32, true);
const bls = encoderOf(bls12_381, 64, false);

const one = hex(1n, 32);
const zero = hex(0n, 32);

describe.each([
  ['bn254', 0x08, bn],
  ['BLS12-381', 0x0f, bls],
] as const)('pairings of %s', (_, number, { g1, g2, infinity }) => {
  /** e(i, 1) for i from 1, and one that makes the product one: `off` more and it is not. */
  const pairs = (count: number, off = 0n) => {
    const terms = Array.from({ length: count - 1 }, (_, i) => g1(BigInt(i + 1)) + g2(1n));
    const sum = BigInt((count * (count - 1)) / 2);
    return [...terms, g1(-sum + off) + g2(1n)].join('');
  };

  test.each([2, 4, 5, 12])('of %i pairs', async (count) => {
    expect(await expectEqual(number, pairs(count))).toBe(`0x${one}`);
    expect(await expectEqual(number, pairs(count, 50n))).toBe(`0x${zero}`);
  });

  test('with infinity, and of nothing else', async () => {
    const some = g1(0n + 5n) + infinity.g2 + infinity.g1 + g2(3n);
    expect(await expectEqual(number, pairs(6) + some)).toBe(`0x${one}`);
    expect(await expectEqual(number, (infinity.g1 + infinity.g2).repeat(7))).toBe(`0x${one}`);
  });

  test('of invalid points', async () => {
    const good = g1(2n) + g2(2n);
    const damaged = [
      // Off the curve, a coordinate as large as the field, and half a pair.
      (BigInt(`0x1${g1(2n)}`) ^ 1n).toString(16).slice(1) + g2(2n),
      infinity.g1 + `${'f'.repeat(16)}${infinity.g2.slice(16)}`,
      good.slice(0, -2),
      infinity.g1.slice(0, -1).concat('1') + g2(1n),
      g1(1n) + infinity.g2.slice(0, -1).concat('1'),
    ];
    for (const bad of damaged) {
      expect(await expectEqual(number, pairs(6) + bad)).toBe('failed');
    }
    const { ours } = await both(number, pairs(6) + damaged[0]);
    expect(ours).toBe('failed');
  });
});

describe.each([
  ['G1', 0x0c, (scalar: bigint) => bls.g1(scalar), bls.infinity.g1],
  ['G2', 0x0e, (scalar: bigint) => bls.g2(scalar), bls.infinity.g2],
] as const)('sums of multiples in %s', (_, number, point, infinity) => {
  const terms = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => point(BigInt(i + 1)) + hex((BigInt(i) << 250n) + 7n, 32),
    ).join('');

  test.each([1, 4, 5, 9])('of %i', async (count) => {
    expect(await expectEqual(number, terms(count))).not.toBe('failed');
  });

  test('that cancel out, and with infinity', async () => {
    const order = bls12_381.fields.Fr.ORDER;
    const cancelling = [1n, 2n, 3n, order - 6n, 0n, 0n].map(
      (scalar) => point(1n) + hex(scalar, 32),
    );
    expect(await expectEqual(number, cancelling.join(''))).toBe(`0x${infinity}`);
    expect(await expectEqual(number, terms(5) + infinity + hex(9n, 32))).not.toBe('failed');
  });

  test('of invalid points', async () => {
    const bad = `${infinity.slice(0, -1)}1${hex(1n, 32)}`;
    expect(await expectEqual(number, terms(6) + bad)).toBe('failed');
    expect(await expectEqual(number, terms(6).slice(2))).toBe('failed');
  });
});

describe('KZG point evaluation', () => {
  // The vector of EIP-4844's own tests that geth carries, too.
  const parts = {
    hash: '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b',
    z: '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306',
    y: '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1',
    commitment:
      '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
    proof:
      '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
  };
  const input = (changed: Partial<typeof parts> = {}) =>
    Object.values({ ...parts, ...changed }).join('');

  test('a proof that holds', async () => {
    expect(await expectEqual(0x0a, input())).toMatch(/^0x0{60}1000/);
  });

  test('proofs that do not', async () => {
    const order = bls12_381.fields.Fr.ORDER;
    const changes: Partial<typeof parts>[] = [
      { y: hex(BigInt(`0x${parts.y}`) + 1n, 32) },
      { z: hex(BigInt(`0x${parts.z}`) + 1n, 32) },
      { z: hex(order, 32) },
      { y: hex(order + BigInt(`0x${parts.y}`), 32) },
      { proof: `c0${'0'.repeat(94)}` },
      { proof: '0'.repeat(96) },
      { proof: parts.proof.replace('87', '97') },
      { hash: parts.hash.replace('01', '02') },
      { commitment: parts.proof },
    ];
    for (const changed of changes) {
      expect(await expectEqual(0x0a, input(changed)), JSON.stringify(changed)).toBe('failed');
    }
    expect(await expectEqual(0x0a, input().slice(2))).toBe('failed');
  });
});

test('BLAKE2b of twelve rounds, of many, and of more than the gas pays for', async () => {
  const input = (rounds: bigint) =>
    `${hex(rounds, 4)}${'48'.repeat(64)}${'6d'.repeat(128)}${'00'.repeat(16)}01`;
  expect(await expectEqual(0x09, input(12n))).not.toBe('failed');
  expect(await expectEqual(0x09, input(0xffffffffn))).toBe('failed');
  for (const rounds of [8192n, 8193n, 100_001n, 1_000_000n]) {
    expect(await expectEqual(0x09, input(rounds))).not.toBe('failed');
    expect(await expectEqual(0x09, `${input(rounds).slice(0, -2)}00`)).not.toBe('failed');
    expect(await expectEqual(0x09, `${input(rounds).slice(0, -2)}02`)).toBe('failed');
    expect(await expectEqual(0x09, input(rounds).slice(2))).toBe('failed');
  }
});

test.each([
  ['SHA256', 0x02],
  ['RIPEMD160', 0x03],
])('%s of input that is hashed in parts', async (_, number) => {
  for (const length of [65_536, 65_537, 131_072, 200_001]) {
    const data = Array.from({ length }, (_, i) => hex(BigInt(i % 251), 1)).join('');
    expect(await expectEqual(number, data), `${length}`).not.toBe('failed');
  }
});

test('what takes long lets others have their turns', async () => {
  const data = (bls.g1(5n) + bls.g2(7n)).repeat(40);
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const began = performance.now();
  const call = { to: addressOf(0x0f), data: `0x${data}` };
  await provider.request({ method: 'eth_call', params: [call, block] });
  const total = performance.now() - began;
  clearInterval(timer);
  expect(longest).toBeLessThan(total / 2);
});
