/** Random programs for the EVM: each statement leaves the stack as it was, and most leave something in memory. */
// @ts-nocheck

import fc from 'fast-check';
import type { Hex } from '../../../src/bytes.js';
import { beaconRoots, blockHashes } from '../chain.js';
import { assemble, initOf } from '../contracts/assemble.js';
import { word } from './case.js';
import { type CallWorld, first, saver, second, stranger } from './world.js';

/** A number as a push of the least width. */
const push = (value: bigint | number): string => {
  const hex = value.toString(16);
  return `0x${hex.padStart(hex.length + (hex.length % 2), '0')}`;
};

const edges = [
  0n,
  1n,
  2n,
  31n,
  32n,
  33n,
  255n,
  256n,
  2n ** 64n,
  2n ** 160n,
  2n ** 255n,
  2n ** 256n - 1n,
];
const number = fc.oneof(
  fc.constantFrom(...edges),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.bigInt({ min: 0n, max: 1000n }),
);
/** Sizes and offsets that are seldom more than memory costs. */
const size = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constantFrom(0, 32, 64, 4096));
const key = fc.integer({ min: 0, max: 5 });

const pairs =
  'ADD MUL SUB DIV SDIV MOD SMOD EXP SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR';
const plain =
  'ADDRESS ORIGIN CALLER CALLVALUE CALLDATASIZE CODESIZE RETURNDATASIZE CHAINID SELFBALANCE NUMBER PC MSIZE GAS TIMESTAMP GASPRICE';

/** Keeps what is on the stack in one of eight words of memory. */
const keep = fc.integer({ min: 0, max: 7 }).map((place) => `${push(place * 32)} MSTORE`);
const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(' '));
const value = number.map(push);
const offset = size.map(push);
const text = (words: string) => fc.constantFrom(...words.split(' '));

const inits = [
  initOf('0x600160005500'),
  initOf('0x'),
  assemble('PUSH0 PUSH0 REVERT'),
  assemble('CALLER SELFDESTRUCT'),
  assemble('0xef PUSH0 MSTORE8 0x01 PUSH0 RETURN'),
  assemble('0x07 0x01 SSTORE 0x01 SLOAD PUSH0 MSTORE 0x20 PUSH0 RETURN'),
  assemble('INVALID'),
];

/** Where a program lies, so that it can call itself. */
export const programAddress: Hex = `0x${'99'.repeat(20)}`;
const delegated = ['97', '96', '95'].map((byte): Hex => `0x${byte.repeat(20)}`);

/** Accounts around a program: some that delegate (EIP-7702) to it, to a precompile, and to one that delegates. */
export function accountsAround(code: Hex): Record<Hex, object> {
  const [toProgram, toPrecompile, toDelegated] = delegated as [Hex, Hex, Hex];
  const delegation = (to: string) => ({ code: `0xef0100${to.slice(2)}` });
  return {
    [programAddress]: { code, balance: '0x64' },
    [toProgram]: { ...delegation(programAddress), balance: '0x3' },
    [toPrecompile]: delegation(`0x${'0'.repeat(39)}2`),
    [toDelegated]: delegation(toProgram),
  };
}

/** Addresses that programs look at and call. */
function targetsOf({
  gold,
  deed,
  wallet,
  samples,
  multicall,
  entryPoints,
  pair,
}: CallWorld): bigint[] {
  const contracts = [
    gold,
    deed,
    wallet.safe,
    multicall,
    pair.contract,
    entryPoints['0.7'].entryPoint,
  ];
  const others = [first, second, saver, stranger, beaconRoots, blockHashes, `0x${'7e'.repeat(20)}`];
  const precompiles = Array.from({ length: 18 }, (_, i) => BigInt(i)).concat(256n);
  const own = [programAddress, programAddress, ...delegated];
  return [...contracts.map(({ address }) => address), ...others, ...own, ...Object.values(samples)]
    .map(BigInt)
    .concat(precompiles);
}

function statementOf(world: CallWorld): fc.Arbitrary<string> {
  const target = fc.constantFrom(...targetsOf(world)).map(push);
  const slot = key.map(push);
  const selector = fc.constantFrom(
    ...['0x18160ddd', '0x70a08231', '0xa9059cbb', '0x0902f1ac', '0x40c10f19', '0x00000000'],
  );
  const gas = fc.oneof(
    fc.constant('GAS'),
    fc.constantFrom(0, 700, 2300, 30_000, 1_000_000).map(push),
  );
  const wei = fc.constantFrom('PUSH0', 'PUSH0', '0x01', push(10n ** 30n));
  const ends = join(offset, offset, offset, offset);
  const init = fc.constantFrom(...inits).map((code) => {
    const bytes = code.slice(2);
    const words = bytes.match(/.{1,64}/g) as string[];
    const stores = words.map((part, i) => `0x${part.padEnd(64, '0')} ${push(512 + 32 * i)} MSTORE`);
    return { stores: stores.join(' '), where: `${push(bytes.length / 2)} 0x0200` };
  });
  const endowment = fc.constantFrom('PUSH0', 'PUSH0', '0x01');
  return fc.oneof(
    join(value, value, text(pairs), keep),
    join(value, value, value, text('ADDMOD MULMOD'), keep),
    join(value, text('NOT ISZERO'), keep),
    join(text(plain), keep),
    join(value, fc.constant('CALLDATALOAD'), keep),
    join(offset, offset, fc.constant('KECCAK256'), keep),
    join(slot, text('SLOAD TLOAD'), keep),
    join(value, slot, text('SSTORE TSTORE')),
    join(fc.constant('PUSH0'), slot, fc.constant('SSTORE')),
    join(target, text('BALANCE EXTCODESIZE EXTCODEHASH'), keep),
    join(offset, offset, offset, target, fc.constant('EXTCODECOPY')),
    join(offset, offset, offset, text('CALLDATACOPY CODECOPY MCOPY')),
    join(selector, fc.constant('0xe0 SHL PUSH0 MSTORE'), target, fc.constant('0x04 MSTORE')),
    join(ends, wei, target, gas, text('CALL CALLCODE'), keep),
    join(ends, target, gas, text('DELEGATECALL STATICCALL'), keep),
    fc
      .tuple(init, endowment, keep)
      .map(([{ stores, where }, endow, kept]) =>
        [stores, where, endow, 'CREATE DUP1 EXTCODEHASH', kept, 'POP'].join(' '),
      ),
    fc.tuple(init, endowment, slot, keep).map(([{ stores, where }, endow, salt, kept]) =>
      // The salt goes below.
      [stores, salt, where, endow, 'CREATE2', kept].join(' '),
    ),
    join(fc.constant('RETURNDATASIZE PUSH0 PUSH0 RETURNDATACOPY')),
    join(value, offset, offset, fc.constant('LOG1')),
    join(
      fc.constantFrom(0, 1, 2, 3, 300).map((back) => `${push(back)} NUMBER SUB BLOCKHASH`),
      keep,
    ),
  );
}

/** At its end a program gives 9 words of memory, the last of which is the gas left; some revert with them. */
export function program(world: CallWorld): fc.Arbitrary<Hex> {
  const end = fc.oneof(
    { weight: 8, arbitrary: fc.constant('RETURN') },
    { weight: 1, arbitrary: fc.constant('REVERT') },
  );
  return fc
    .tuple(fc.array(statementOf(world), { minLength: 1, maxLength: 12 }), end)
    .map(([statements, last]) =>
      assemble(`${statements.join('\n')} GAS 0x0100 MSTORE 0x0120 PUSH0 ${last}`),
    );
}

/** A word, for arguments. */
export const callData: fc.Arbitrary<Hex> = fc
  .array(number, { maxLength: 4 })
  .map((words): Hex => `0x${words.map((one) => word(one)).join('')}`);
