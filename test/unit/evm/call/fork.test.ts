/** What follows from the fork: which addresses are precompiled contracts, and what an override makes of them. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import {
  type Call,
  createAccessList,
  estimateGas,
  openSession,
  type StateSource,
} from '../../../../src/evm/index.js';
import type { CallFork } from '../../../../src/forks.js';
import { type Anvil, accounts, startAnvil, word } from '../../../support/anvil.js';
import { assemble } from '../../../support/contracts/assemble.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { patience } from '../../../support/runs.js';

const [sender] = accounts as unknown as [Hex];
const caller: Hex = `0x${'ca'.repeat(20)}`;
const addressOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;

/** Calls what its call data name, without data: returns the gas of that, whether it succeeded, and how much came back. */
const callerCode = assemble(`
  0x00 0x00 0x00 0x00 0x00 CALLDATALOAD
  GAS 0x0080 MSTORE
  0x00002710 STATICCALL
  GAS 0x0080 MLOAD SUB 0x00 MSTORE
  0x20 MSTORE RETURNDATASIZE 0x40 MSTORE
  0x60 0x00 RETURN`);

/** Addresses around those that any fork has. The first account is left out: it is the fee recipient. */
const numbers = [...Array.from({ length: 0x13 }, (_, i) => i + 1), 0xff, 0x100, 0x101];

/** The state of a node, which is believed here, and the addresses that were asked for. */
function sourceOf(node: Anvil): { source: StateSource; asked: Set<Hex> } {
  const asked = new Set<Hex>();
  const codeOf = async (address: Hex): Promise<Hex> => node.call('eth_getCode', address, 'latest');
  const source: StateSource = {
    known: () => undefined,
    knownCode: () => undefined,
    read: (questions) =>
      Promise.all(
        questions.map(async ({ address, storageKeys }) => {
          asked.add(address);
          const [code, balance, nonce] = await Promise.all([
            codeOf(address),
            node.call('eth_getBalance', address, 'latest'),
            node.call('eth_getTransactionCount', address, 'latest'),
          ]);
          const zero: Hex = `0x${word(0)}`;
          const bytes = fromHex(code);
          const account = {
            ...{ nonce: BigInt(nonce), balance: BigInt(balance) },
            ...{ storageRoot: zero, snarkCodeHash: zero },
            ...{ keccakCodeHash: toHex(keccak_256(bytes)), codeSize: BigInt(bytes.length) },
          };
          const isThere = bytes.length > 0 || account.balance > 0n || account.nonce > 0n;
          return { account: isThere ? account : null, values: storageKeys.map(() => zero) };
        }),
      ),
    code: codeOf,
  };
  return { source, asked };
}

const callOf = (to: Hex, data: Hex = '0x'): Call => ({
  ...{ from: sender, to, data: fromHex(data), value: 0n, gas: 10_000_000n },
  ...{ gasPrice: 0n, maxGasPrice: 0n, accessList: [] },
});

const environmentOf = (fork: CallFork) => ({
  ...{ chainId: 31337, fork, number: 1, proven: {}, assumed: {} },
});

/** The last number of the row that starts at 1, and those beyond. */
const precompiles: [CallFork, number, number[]][] = [
  ['london', 0x09, []],
  ['paris', 0x09, []],
  ['shanghai', 0x09, []],
  ['cancun', 0x0a, []],
  ['prague', 0x11, []],
  ['osaka', 0x11, [0x100]],
];

describe.each(precompiles)('on %s', (fork, last, more) => {
  const isPrecompile = (number: number) => (number >= 1 && number <= last) || more.includes(number);
  let node: Anvil;
  beforeAll(async () => {
    node = await startAnvil('--hardfork', fork);
    await node.call('anvil_setCode', caller, callerCode);
    await node.call('evm_mine');
  }, patience);
  afterAll(() => node.close());

  test(
    'the same addresses are precompiled contracts as on a node',
    async () => {
      for (const number of numbers) {
        const data: Hex = `0x${word(number)}`;
        const { source, asked } = sourceOf(node);
        const options = { source, environment: environmentOf(fork), reportsAccess: true };
        const session = await openSession(options);
        const request = { from: sender, to: caller, data, gas: '0x989680' };
        const name = `0x${number.toString(16)}`;

        const { output } = await session.execute(callOf(caller, data));
        expect(toHex(output), name).toBe(await node.call('eth_call', request, 'latest'));
        // Warm from the start: 100, and the rest is what the precompile itself takes of an empty input.
        const spent = BigInt(toHex(output.subarray(0, 32)));
        if (!isPrecompile(number)) expect(spent, name).toBeGreaterThan(2600n);
        // From Prague on the package looks for a delegation of whatever a contract calls, of a precompiled one too.
        if (!isPrecompile(number)) expect(asked, name).toContain(addressOf(number));

        const { accessList, outcome } = await createAccessList(session, callOf(caller, data));
        const theirs = await node.call('eth_createAccessList', request, 'latest');
        expect({ accessList, gasUsed: `0x${outcome.gasUsed.toString(16)}` }, name).toEqual(theirs);
        expect(accessList.length, name).toBe(isPrecompile(number) ? 0 : 1);
      }
    },
    patience,
  );

  test(
    'a call of one needs no account, and one of any other does',
    async () => {
      for (const number of numbers) {
        const { source, asked } = sourceOf(node);
        const session = await openSession({ source, environment: environmentOf(fork) });
        const to = addressOf(number);
        const outcome = await session.execute(callOf(to));
        const request = { from: sender, to, gas: '0x989680' };
        const theirs = await node.call('eth_call', request, 'latest').catch(() => 'failed');
        const ours = outcome.kind === 'success' ? toHex(outcome.output) : 'failed';
        expect(ours, to).toBe(theirs);
        expect(asked.has(to), to).toBe(!isPrecompile(number));
      }
    },
    patience,
  );

  test(
    'an override of any kind takes a precompiled contract away, and leaves the others',
    async () => {
      const code = fromHex(assemble('0x2a 0x00 MSTORE 0x20 0x00 RETURN'));
      const answer = `0x${word(42)}`;
      for (const number of numbers) {
        const to = addressOf(number);
        const data: Hex = `0x${word(number)}`;
        for (const [override, output] of [
          [{ code }, answer],
          [{ balance: 7n }, '0x'],
          [{}, '0x'],
        ] as const) {
          const { source } = sourceOf(node);
          const overrides = new Map([[to, override]]);
          const options = { source, environment: environmentOf(fork), overrides };
          const session = await openSession(options);
          const outcome = await session.execute(callOf(to));
          expect([outcome.kind, toHex(outcome.output)], to).toEqual(['success', output]);
          // Called by another contract, it is warm nevertheless: geth warms the addresses of the fork.
          const called = await session.execute(callOf(caller, data));
          const [spent, success, length] = [0, 32, 64].map((at) =>
            BigInt(toHex(called.output.subarray(at, at + 32))),
          ) as [bigint, bigint, bigint];
          expect([success, length], to).toEqual([1n, output === '0x' ? 0n : 32n]);
          expect(spent < 2600n, to).toBe(isPrecompile(number));
          // SHA-256 of nothing, whatever else was replaced.
          const other = await session.execute(callOf(addressOf(2)));
          const hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
          if (number !== 2) expect(toHex(other.output)).toBe(hash);
        }
      }
    },
    patience,
  );

  test('an estimate of a call of a replaced one is that of an account with its code', async () => {
    const runtime = assemble('0x2a 0x00 MSTORE 0x20 0x00 RETURN');
    const { source } = sourceOf(node);
    const overrides = new Map([[addressOf(1), { code: fromHex(runtime) }]]);
    const options = { source, environment: environmentOf(fork), overrides };
    const { gas } = await estimateGas(await openSession(options), callOf(addressOf(1)));
    const other: Hex = `0x${'dd'.repeat(20)}`;
    await node.call('anvil_setCode', other, runtime);
    expect(gas).toBe(BigInt(await node.call('eth_estimateGas', { from: sender, to: other })));
  });
});
