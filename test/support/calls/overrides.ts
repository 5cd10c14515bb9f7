/** Calls over a state that the caller changes, as geth has it. */
import { getContractAddress } from 'viem';
import { mappingSlot } from '../../../src/index.js';
import { assemble } from '../contracts/assemble.js';
import { type CallCase, hex, word } from './case.js';
import { type CallWorld, first, second, stranger } from './world.js';

export function overrideCases({ gold, samples, pair, multicall }: CallWorld): CallCase[] {
  const { counter, look, loop, forward, creator } = samples;
  const key = (place: number) => `0x${word(place)}`;
  const rich = hex(10n ** 20n);
  const balanceSlot = mappingSlot(stranger, 2);
  return [
    {
      name: 'a balance that is set',
      call: multicall.call('getEthBalance', stranger),
      overrides: { [stranger]: { balance: rich } },
    },
    {
      name: 'a value from an account whose balance is set',
      call: { from: stranger, to: first, value: rich },
      overrides: { [stranger]: { balance: rich } },
      isMeasured: true,
    },
    {
      name: 'a nonce that is set: where CREATE puts the contract',
      call: { from: first, to: creator, data: '0x00' },
      overrides: { [creator]: { nonce: '0x7' } },
    },
    {
      name: 'a nonce of the sender that is set: where the deployment goes',
      call: { from: stranger, data: assemble('ADDRESS PUSH0 MSTORE 0x20 PUSH0 RETURN') },
      overrides: { [stranger]: { nonce: '0x9' } },
    },
    {
      name: 'code that is set for an account without any',
      call: { to: stranger },
      overrides: { [stranger]: { code: assemble('0x2a PUSH0 MSTORE 0x20 PUSH0 RETURN') } },
      isMeasured: true,
    },
    {
      name: 'code that is set over another: the slots stay',
      call: { to: counter },
      overrides: { [counter]: { code: assemble('PUSH0 SLOAD PUSH0 MSTORE 0x20 PUSH0 RETURN') } },
    },
    {
      name: 'code that is set, as others see it',
      call: { to: look, data: `0x${word(stranger)}` },
      overrides: { [stranger]: { code: '0x600160015500' } },
    },
    {
      name: 'code that is taken away',
      call: gold.call('totalSupply'),
      overrides: { [gold.address]: { code: '0x' } },
    },
    {
      name: 'a slot that is set (stateDiff): the others stay',
      call: { to: loop },
      overrides: { [loop]: { stateDiff: { [key(3)]: key(1_000_000) } } },
    },
    {
      name: 'all slots that are set (state): the others are zero',
      call: { to: loop },
      overrides: { [loop]: { state: { [key(3)]: key(1_000_000) } } },
    },
    {
      name: 'no slots at all (an empty state)',
      call: { to: loop },
      overrides: { [loop]: { state: {} } },
    },
    {
      name: 'tokens that are given by a slot, and then moved',
      call: { from: stranger, ...gold.call('transfer', second, 10n) },
      overrides: { [gold.address]: { stateDiff: { [balanceSlot]: key(50) } } },
      isMeasured: true,
    },
    {
      name: 'tokens that are given, and too few',
      call: { from: stranger, ...gold.call('transfer', second, 51n) },
      overrides: { [gold.address]: { stateDiff: { [balanceSlot]: key(50) } } },
      gives: 'revert',
    },
    {
      name: 'several accounts at once',
      call: { from: stranger, to: forward, data: `0x${word(counter)}`, value: '0x5' },
      overrides: {
        [stranger]: { balance: '0x64' },
        [counter]: { stateDiff: { [key(0)]: key(77) } },
      },
    },
    {
      name: 'a delegation that is set (EIP-7702)',
      call: { to: stranger, data: `0x${word(stranger)}` },
      overrides: { [stranger]: { code: `0xef0100${look.slice(2)}` } },
    },
    {
      name: 'a delegation to a precompile, which runs nothing',
      call: { to: stranger, data: '0x1234' },
      overrides: { [stranger]: { code: `0xef0100${'0'.repeat(39)}2` } },
      isMeasured: true,
    },
    {
      name: 'a delegation to an account that delegates, which is followed once',
      call: { to: stranger },
      overrides: { [stranger]: { code: `0xef0100${second.slice(2)}` } },
      gives: 'failure',
    },
    {
      name: 'CREATE with the last nonce there is',
      call: { to: creator, data: '0x00' },
      overrides: { [creator]: { nonce: '0xffffffffffffffff' } },
    },
    {
      name: 'CREATE of an address that has a nonce',
      call: { from: first, to: creator, data: '0x00' },
      overrides: {
        [creator]: { nonce: '0x7' },
        [getContractAddress({ from: creator, nonce: 7n })]: { nonce: '0x1' },
      },
    },
    {
      name: 'CREATE of an address that has a balance',
      call: { from: first, to: creator, data: '0x00' },
      overrides: {
        [creator]: { nonce: '0x7' },
        [getContractAddress({ from: creator, nonce: 7n })]: { balance: '0x9' },
      },
    },
    {
      name: 'CREATE of an address that has slots',
      call: { from: first, to: creator, data: '0x00' },
      overrides: {
        [creator]: { nonce: '0x7' },
        [getContractAddress({ from: creator, nonce: 7n })]: { stateDiff: { [key(1)]: key(1) } },
      },
    },
    {
      name: 'a lookup that Uniswap gives: reserves that are set',
      call: pair.contract.call('getReserves'),
      overrides: { [pair.contract.address]: { stateDiff: { [key(8)]: `0x${'01'.repeat(32)}` } } },
    },
    {
      name: 'a recursion until the gas is gone',
      call: { to: stranger, gas: '0x100000' },
      overrides: {
        [stranger]: {
          code: assemble(
            'PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS CALL GAS PUSH0 MSTORE 0x20 PUSH0 RETURN',
          ),
        },
      },
    },
  ];
}
