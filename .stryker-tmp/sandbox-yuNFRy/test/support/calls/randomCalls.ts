/** Random calls of every function of the world's contracts, with arguments of the right types. */
// @ts-nocheck

import fc from 'fast-check';
import { type Abi, type AbiFunction, type AbiParameter, encodeFunctionData } from 'viem';
import { toHex } from '../hex.js';
import type { CallRequest } from './case.js';
import { type CallWorld, first, saver, second, stranger } from './world.js';

interface Target {
  readonly address: string;
  readonly abi: Abi;
}

function targetsOf(world: CallWorld): Target[] {
  const { gold, deed, goods, wrapped, rebasing, multicall, resolver, pair, uniswap } = world;
  const { safe, proxyFactory } = world.wallet;
  return [
    ...[gold, deed, goods, wrapped, rebasing, multicall, resolver, pair.contract],
    ...[uniswap.factory, uniswap.router, safe, proxyFactory],
    ...Object.values(world.entryPoints).flatMap((one) => [one.entryPoint, one.accountFactory]),
  ];
}

const bytes = (options: fc.IntArrayConstraints): fc.Arbitrary<string> =>
  fc.uint8Array(options).map((some) => toHex(some));

function integer(bits: bigint, isSigned: boolean): fc.Arbitrary<bigint> {
  const max = 2n ** (isSigned ? bits - 1n : bits) - 1n;
  const usual = [0n, 1n, 2n, 3n, 7n, 10n ** 18n].filter((value) => value <= max);
  return fc.oneof(fc.constantFrom(...usual, max), fc.bigInt({ min: 0n, max }));
}

/** A value of a type of the ABI. */
function valueOf(type: AbiParameter, addresses: readonly string[]): fc.Arbitrary<unknown> {
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? [];
  if (element !== undefined) {
    const inner = valueOf({ ...type, type: element }, addresses);
    const count = Number(length);
    return fc.array(inner, length ? { minLength: count, maxLength: count } : { maxLength: 3 });
  }
  if ('components' in type) {
    const { components } = type;
    return fc
      .tuple(...components.map((one) => valueOf(one, addresses)))
      .map((values) => Object.fromEntries(values.map((one, i) => [components[i]?.name, one])));
  }
  const [, kind, width] = /^([a-z]+)(\d*)$/.exec(type.type) as unknown as [string, string, string];
  if (kind === 'address') return fc.constantFrom(...addresses);
  if (kind === 'bool') return fc.boolean();
  if (kind === 'string') return fc.string({ maxLength: 70 });
  if (kind === 'bytes') {
    const size = Number(width);
    return bytes(width ? { minLength: size, maxLength: size } : { maxLength: 100 });
  }
  const bits = BigInt(width);
  const value = integer(bits, kind === 'int');
  // viem takes numbers up to 48 bits.
  return bits <= 48n ? value.map(Number) : value;
}

/** A call of some function by somebody, at times with a value. */
export function contractCall(world: CallWorld): fc.Arbitrary<CallRequest> {
  const targets = targetsOf(world);
  const others = [first, second, stranger, saver, `0x${'0'.repeat(39)}2`];
  const addresses = [...others, ...targets.map(({ address }) => address)];
  const functions = targets.flatMap(({ address, abi }) =>
    abi
      .filter((one): one is AbiFunction => one.type === 'function')
      .map((definition) => ({ to: address, definition })),
  );
  return fc.constantFrom(...functions).chain(({ to, definition }) =>
    fc.record({
      from: fc.constantFrom(first, second, stranger, to),
      to: fc.constant(to),
      data: fc
        .tuple(...definition.inputs.map((input) => valueOf(input, addresses)))
        .map((args) => encodeFunctionData({ abi: [definition], args } as never)),
      value: fc.constantFrom('0x0', '0x0', '0x5'),
      // Both sides then begin with the same.
      gas: fc.constant('0xf00000'),
    }),
  ) as fc.Arbitrary<CallRequest>;
}
