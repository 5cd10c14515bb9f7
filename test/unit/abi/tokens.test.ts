/** The calls of token contracts, beside viem's. */
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { holdingCalls, questions } from '../../../src/abi/tokens.js';

const contract = `0x${'c0'.repeat(20)}` as const;
const wallet = `0x${'a1'.repeat(20)}` as const;
const ids = [0n, 2n ** 256n - 1n];

const encode = (signature: string, args: readonly unknown[] = []) =>
  encodeFunctionData({
    abi: parseAbi([`function ${signature}`] as readonly string[]),
    args,
  } as never);
const call = (signature: string, args: readonly unknown[]) => ({
  to: contract,
  data: encode(signature, args),
});

test('a holding is asked by the functions of its standard', () => {
  const whole = call('balanceOf(address)', [wallet]);
  expect(holdingCalls('erc20', { contract, wallet }, [])).toEqual([whole]);
  expect(holdingCalls('erc721', { contract, wallet }, ids)).toEqual([
    whole,
    ...ids.map((id) => call('ownerOf(uint256)', [id])),
  ]);
  expect(holdingCalls('erc1155', { contract, wallet }, ids)).toEqual(
    ids.map((id) => call('balanceOf(address,uint256)', [wallet, id])),
  );
});

test('a question without an argument is a function of its name; a standard is asked for by its interface', () => {
  const { erc721, erc1155, ...named } = questions;
  for (const [name, data] of Object.entries(named)) expect(encode(`${name}()`)).toBe(data);
  const supports = (id: string) => encode('supportsInterface(bytes4)', [id]);
  expect(supports('0x80ac58cd')).toBe(erc721);
  expect(supports('0xd9b67a26')).toBe(erc1155);
});
