/** Calls that show what single opcodes and the rules of transactions do. */
import type { Hex } from '../../../src/bytes.js';
import { beaconRoots, blockHashes } from '../chain.js';
import { assemble, initOf } from '../contracts/assemble.js';
import { type CallCase, hex, word } from './case.js';
import { type CallWorld, first, saver, second, stranger } from './world.js';

const answer = 'PUSH0 MSTORE 0x20 PUSH0 RETURN';
/** Runs without a deployment. What it returns would be the contract's code, and so must not begin with ef: a word of 0. */
const run = (source: string): Hex => assemble(`${source} 0x20 MSTORE 0x40 PUSH0 RETURN`);

function accounts({ samples, gold }: CallWorld): CallCase[] {
  const at = (name: string, address: string): CallCase => ({
    name: `BALANCE, EXTCODESIZE, EXTCODEHASH and EXTCODECOPY of ${name}`,
    call: { to: samples.look, data: `0x${word(address as Hex)}` },
  });
  return [
    at('an account with a key', first),
    at('an account that is not there', stranger),
    at('a contract', gold.address),
    at('a precompile', `0x${'0'.repeat(38)}02`),
    at('the zero address, which has fees', `0x${'0'.repeat(40)}`),
    at('the contract itself', samples.look),
    at('the beacon roots contract', beaconRoots),
    at('the block hashes contract', blockHashes),
  ];
}

function storage({ samples }: CallWorld): CallCase[] {
  const { loop, list, transient, counter, proxy } = samples;
  return [
    { name: '200 slots in a loop', call: { to: loop }, isMeasured: true },
    { name: 'a linked list of 100 slots', call: { to: list }, isMeasured: true },
    { name: 'transient storage over two frames', call: { to: transient }, isMeasured: true },
    { name: 'a slot that is written', call: { to: counter }, isMeasured: true },
    {
      name: 'a slot that is cleared',
      call: { to: counter, data: '0x01' },
      isMeasured: true,
    },
    {
      name: 'a proxy: its own slots, the code of another',
      call: { to: proxy },
      isMeasured: true,
    },
  ];
}

function creations({ samples }: CallWorld): CallCase[] {
  const { creator, forward, ending, ledger } = samples;
  const small = initOf('0x6001600055');
  const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
  const counter = initOf(assemble('PUSH0 SLOAD 0x01 ADD DUP1 PUSH0 SSTORE'));
  return [
    { name: 'a deployment', call: { from: first, data: small }, isMeasured: true },
    { name: 'a deployment without a sender', call: { data: small } },
    {
      name: 'a deployment that reverts',
      call: { data: assemble('0x2a PUSH0 MSTORE 0x20 PUSH0 REVERT') },
      gives: 'revert',
    },
    {
      name: 'a deployment of code that begins with ef',
      call: { data: assemble('0xef PUSH0 MSTORE8 0x01 PUSH0 RETURN') },
      gives: 'failure',
    },
    {
      name: 'a deployment of code that is too long',
      call: { data: assemble('0x6001 PUSH0 RETURN') },
      gives: 'failure',
    },
    {
      name: 'init code that is too long',
      call: { from: first, data: `0x${'00'.repeat(49_153)}` },
      gives: 'failure',
    },
    { name: 'CREATE', call: { to: creator, data: small }, isMeasured: true },
    {
      name: 'CREATE with a value',
      call: { from: first, to: creator, data: small, value: '0x9' },
    },
    {
      name: 'CREATE that reverts',
      call: { to: creator, data: assemble('PUSH0 PUSH0 REVERT') },
    },
    {
      name: 'CREATE2 by the factory',
      call: { to: factory, data: `0x${word(9)}${small.slice(2)}` },
      isMeasured: true,
    },
    {
      name: 'CREATE2 at a used address',
      call: {
        to: factory,
        // The salt and the init code by which `ledger` came to be.
        data: `0x${word(0)}${initOf(ledgerCode).slice(2)}`,
      },
      gives: 'revert',
    },
    {
      name: 'SELFDESTRUCT of a contract that stays',
      call: { to: forward, data: `0x${word(ending)}${word(second as Hex)}` },
      isMeasured: true,
    },
    {
      name: 'SELFDESTRUCT in the creation',
      call: { from: first, data: assemble(`${second} SELFDESTRUCT`), value: '0x9' },
      isMeasured: true,
    },
    {
      name: 'a contract that is created, destroyed and looked at',
      call: {
        to: creator,
        data: assemble('CALLER SELFDESTRUCT'),
      },
    },
    { name: 'a new contract and its slot', call: { from: second, data: counter } },
    {
      name: 'what a contract sees of its caller',
      call: { from: second, to: ledger, value: '0x7' },
      isMeasured: true,
    },
  ];
}

/** As `samples.ts` has it. */
const ledgerCode = assemble(`
  CALLER PUSH0 SSTORE CALLVALUE 0x01 SSTORE
  ADDRESS PUSH0 MSTORE CALLER 0x20 MSTORE CALLVALUE 0x40 MSTORE
  0x60 PUSH0 RETURN`);

function values({ samples, gold }: CallWorld): CallCase[] {
  return [
    {
      name: 'a value to an account',
      call: { from: first, to: saver, value: '0x1' },
      isMeasured: true,
    },
    {
      name: 'a value to an account that is not there',
      call: { from: first, to: stranger, value: '0x1' },
      isMeasured: true,
    },
    {
      name: 'a value from an account without balance',
      call: { from: stranger, to: first, value: '0x1' },
      gives: 'failure',
    },
    {
      name: 'more value than there is',
      call: { from: first, to: stranger, value: hex(10n ** 40n) },
      gives: 'failure',
    },
    {
      name: 'a call from an account without balance',
      call: { from: stranger, ...gold.call('totalSupply') },
      isMeasured: true,
    },
    {
      name: 'a value that a contract does not have',
      call: {
        to: samples.creator,
        data: assemble(`PUSH0 PUSH0 PUSH0 PUSH0 0x63 ADDRESS GAS CALL ${answer}`),
      },
    },
    { name: 'an empty call', call: { from: first, to: stranger } },
    {
      name: 'call data to an account',
      call: { to: stranger, data: `0x${'ab00'.repeat(600)}` },
      isMeasured: true,
    },
    { name: 'ORIGIN', call: { from: second, data: run('ORIGIN') } },
    { name: 'CALLER without a sender', call: { data: run('CALLER') } },
    { name: 'ADDRESS in a deployment', call: { from: second, data: run('ADDRESS') } },
    {
      name: 'SELFBALANCE in a deployment',
      call: { from: second, data: run('SELFBALANCE'), value: '0x63' },
    },
    { name: 'GASPRICE', call: { data: run('GASPRICE') } },
  ];
}

function gas({ samples }: CallWorld): CallCase[] {
  const { gasLeft, endless } = samples;
  const accessList = [{ address: samples.loop, storageKeys: [`0x${word(1)}`, `0x${word(2)}`] }];
  const entries = { to: gasLeft, gas: '0x186a0' } as const;
  return [
    { name: 'GAS', call: entries },
    { name: 'GAS after call data', call: { ...entries, data: `0x${'00ff'.repeat(100)}` } },
    { name: 'GAS after an access list', call: { ...entries, accessList } },
    {
      name: 'GAS after an access list and a cold slot',
      call: { ...entries, to: samples.loop, gas: '0x100000', accessList },
    },
    { name: 'GAS in a deployment', call: { data: run('GAS'), gas: '0x186a0' } },
    {
      name: 'GAS after a call to another',
      call: {
        data: run(`PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ${samples.counter} GAS CALL POP GAS`),
        gas: '0x186a0',
      },
    },
    {
      name: 'GAS after calls to warm and cold accounts and precompiles',
      call: {
        data: run(`
          ${stranger} BALANCE POP ${stranger} EXTCODESIZE POP
          ${samples.loop} EXTCODEHASH POP 0x02 BALANCE POP 0x0100 BALANCE POP
          PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 0x01 GAS CALL POP ORIGIN BALANCE POP GAS`),
        gas: '0x186a0',
      },
    },
    { name: 'less gas than a call costs', call: { ...entries, gas: '0x5207' }, gives: 'failure' },
    {
      name: 'less gas than the floor of call data (EIP-7623)',
      call: { to: stranger, data: `0x${'ff'.repeat(100)}`, gas: '0x5a00' },
      gives: 'failure',
    },
    {
      name: 'no more gas than the floor of call data (EIP-7623)',
      call: { to: stranger, data: `0x${'ff'.repeat(100)}`, gas: '0x61a8' },
    },
    { name: 'an endless loop', call: { to: endless, gas: '0x100000' }, gives: 'failure' },
    {
      name: 'an endless loop inside a call, which leaves 1/64',
      call: { to: samples.forward, data: `0x${word(endless)}`, gas: '0x100000' },
    },
    { name: 'INVALID', call: { data: '0xfe' }, gives: 'failure' },
    { name: 'an opcode that is not there', call: { data: '0x0c' }, gives: 'failure' },
    { name: 'an empty stack', call: { data: '0x01' }, gives: 'failure' },
    { name: 'a jump to nowhere', call: { data: '0x600056' }, gives: 'failure' },
    {
      name: 'REVERT without data',
      call: { data: '0x5f5ffd' },
      gives: 'revert',
    },
  ];
}

function header(_: CallWorld): CallCase[] {
  return [
    { name: 'NUMBER', call: { data: run('NUMBER') } },
    { name: 'TIMESTAMP', call: { data: run('TIMESTAMP') } },
    { name: 'CHAINID', call: { data: run('CHAINID') } },
    { name: 'BLOBHASH, of which a call has none', call: { data: run('PUSH0 BLOBHASH') } },
    ...[1, 2, 20].map((back) => ({
      name: `BLOCKHASH of ${back} before`,
      call: { data: run(`0x${hex(back).slice(2).padStart(2, '0')} NUMBER SUB BLOCKHASH`) },
    })),
    { name: 'BLOCKHASH of the block itself', call: { data: run('NUMBER BLOCKHASH') } },
    { name: 'BLOCKHASH of the future', call: { data: run('0x01 NUMBER ADD BLOCKHASH') } },
    { name: 'BLOCKHASH of a number that is too large', call: { data: run('PUSH0 NOT BLOCKHASH') } },
    ...['COINBASE', 'PREVRANDAO', 'GASLIMIT', 'BASEFEE', 'BLOBBASEFEE'].map((name) => ({
      name: `${name}, which the caller tells`,
      call: { data: run(name) },
      isTold: true,
    })),
    {
      name: 'the block hashes contract, asked itself',
      call: { to: blockHashes, data: `0x${word(5)}` },
    },
  ];
}

export const opcodeCases = (world: CallWorld): CallCase[] =>
  [accounts, storage, creations, values, gas, header].flatMap((cases) => cases(world));
