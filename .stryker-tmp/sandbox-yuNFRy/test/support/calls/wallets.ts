/** Calls to wallets: Safe, ERC-4337 and EIP-7702. */
// @ts-nocheck

import { encodeFunctionData } from 'viem';
import type { Hex } from '../../../src/bytes.js';
import { artifact } from '../contracts/contract.js';
import type { AccountAbstraction } from '../contracts/entryPoint.js';
import { type CallCase, hex, word } from './case.js';
import { type CallWorld, first, second, stranger } from './world.js';

const zero = `0x${'0'.repeat(40)}`;
const ether = 10n ** 18n;

async function safe({ wallet, gold }: CallWorld): Promise<CallCase[]> {
  const { safe, singleton, proxyFactory, execute } = wallet;
  const owned = await execute({ to: stranger, value: ether });
  const foreign = await execute({ to: gold.address, data: gold.encode('transfer', second, 1n) });
  const late = await execute({ to: stranger, nonce: 9n });
  return [
    { name: 'Safe getOwners', call: safe.call('getOwners'), isMeasured: true },
    { name: 'Safe getThreshold', call: safe.call('getThreshold') },
    { name: 'Safe domainSeparator, which hashes the chain id', call: safe.call('domainSeparator') },
    {
      name: 'Safe execTransaction that sends value',
      call: { from: first, ...owned },
      isMeasured: true,
    },
    {
      name: 'Safe execTransaction whose inner call fails',
      call: { from: first, ...foreign },
      gives: 'revert',
    },
    {
      name: 'Safe execTransaction of a wrong nonce',
      call: { from: first, ...late },
      gives: 'revert',
    },
    {
      name: 'Safe setup of the singleton, which is locked',
      call: singleton.call('setup', [first], 1n, stranger, '0x', stranger, stranger, 0n, stranger),
      gives: 'revert',
    },
    {
      name: 'Safe createProxyWithNonce',
      call: {
        from: first,
        ...proxyFactory.call('createProxyWithNonce', singleton.address, '0x', 8n),
      },
      isMeasured: true,
    },
  ];
}

async function entryPoint(
  { entryPoint, version, handleOps, signOperation, accountFactory }: AccountAbstraction,
  { gold }: CallWorld,
): Promise<CallCase[]> {
  const name = `EntryPoint ${version}`;
  const create = accountFactory.encode('createAccount', second, 3n).slice(2);
  const good = await signOperation({ to: stranger, value: 0n });
  const failing = await signOperation({
    to: gold.address,
    data: gold.encode('transfer', stranger, ether),
  });
  // From 0.8 on it reads the base fee, whatever the operation says.
  const isTold = version === '0.8';
  const unsigned = { ...good, signature: `0x${'11'.repeat(64)}1b` };
  return [
    {
      name: `${name} getSenderAddress, which answers by an error`,
      call: entryPoint.call('getSenderAddress', `${accountFactory.address}${create}`),
      gives: 'revert',
    },
    { name: `${name} getUserOpHash`, call: entryPoint.call('getUserOpHash', good) },
    { name: `${name} getDepositInfo`, call: entryPoint.call('getDepositInfo', stranger) },
    { name: `${name} handleOps`, call: { from: first, ...handleOps(good) }, isTold },
    {
      name: `${name} handleOps with an operation that fails`,
      call: { from: first, ...handleOps(failing) },
      isTold,
    },
    {
      name: `${name} handleOps with a wrong signature: a custom error`,
      call: { from: first, ...handleOps(unsigned) },
      gives: 'revert',
    },
    {
      name: `${name} depositTo`,
      call: { from: first, ...entryPoint.call('depositTo', stranger), value: hex(ether) },
      isMeasured: true,
    },
    {
      name: `${name} withdrawTo without a deposit`,
      call: { from: first, ...entryPoint.call('withdrawTo', first, 1n) },
      gives: 'revert',
    },
  ];
}

/** What a bundler asks before it takes an operation; the answers hold gas to the unit. */
async function simulated({ entryPoints }: CallWorld): Promise<CallCase[]> {
  const { '0.6': six, '0.7': seven, '0.8': eight } = entryPoints;
  const old = await six.signOperation({ to: stranger });
  const later = await Promise.all(
    [seven, eight].map(async ({ version, entryPoint, signOperation }): Promise<CallCase> => {
      // Bundlers put this code in the place of the EntryPoint's.
      const name = `ep${version.replace('.', '')}/artifacts/EntryPointSimulations.json`;
      const { abi, deployedBytecode: code } = artifact(name);
      const args = [await signOperation({ to: stranger }), zero, '0x'];
      const data = encodeFunctionData({ abi, functionName: 'simulateHandleOp', args });
      return {
        name: `EntryPoint ${version} simulateHandleOp, which is code that is set over it`,
        call: { to: entryPoint.address, data, gas: '0x800000' },
        overrides: { [entryPoint.address]: { code } },
        isTold: version === '0.8',
      };
    }),
  );
  return [
    {
      name: 'EntryPoint 0.6 simulateValidation',
      call: { ...six.entryPoint.call('simulateValidation', old), gas: '0x800000' },
      gives: 'revert',
    },
    {
      name: 'EntryPoint 0.6 simulateHandleOp',
      call: { ...six.entryPoint.call('simulateHandleOp', old, zero, '0x'), gas: '0x800000' },
      gives: 'revert',
    },
    ...later,
  ];
}

function delegated({ samples }: CallWorld): CallCase[] {
  return [
    {
      name: 'EIP-7702: an account that runs the code of a contract',
      call: { from: first, to: second, data: `0x${word(second as Hex)}` },
      isMeasured: true,
    },
    {
      name: 'EIP-7702: what others see of it',
      call: { to: samples.look, data: `0x${word(second as Hex)}` },
    },
    {
      name: 'EIP-7702: a call from it',
      call: { from: second, to: samples.ledger, value: '0x5' },
      isMeasured: true,
    },
    {
      name: 'EIP-7702: a call to it from a contract',
      call: {
        to: samples.forward,
        data: `0x${word(second as Hex)}${word(first as Hex)}`,
      },
      isMeasured: true,
    },
  ];
}

export async function walletCases(world: CallWorld): Promise<CallCase[]> {
  const each = Object.values(world.entryPoints).map((one) => entryPoint(one, world));
  const all = await Promise.all([safe(world), ...each, simulated(world)]);
  return [...all.flat(), ...delegated(world)];
}
