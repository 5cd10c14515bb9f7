/**
 * `npm run bench -- gas`: what a unit of gas costs in processor time at worst, by precompiled contract and by opcode, and how
 * long a call keeps the event loop. Writes GAS.md. `--seconds 5` has more of the slow ones; `--only NAME` writes nothing.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../src/bytes.js';
import { openSession, type StateSource } from '../src/evm/index.js';
import { workLimits } from '../src/evm/state/budget.js';
import type { CallFork } from '../src/forks.js';
import { word } from '../test/support/anvil.js';
import { precompileInputs } from '../test/support/calls/precompiles.js';
import { assemble } from '../test/support/contracts/assemble.js';
import { fromHex, toHex } from '../test/support/hex.js';
import { madeBy, pageOf } from './frame.js';
import { publish } from './pictures.js';
import { holdOfProof, slots } from './proofHold.js';
import { digits } from './report.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const seconds = Number(values.seconds);
/** Most ms that the event loop may be kept. */
const bar = 50;
/** The last is what a provider has by default. */
const limits = [100_000n, 1_000_000n, 4_000_000n, 16_000_000n, 50_000_000n];

interface Case {
  readonly name: string;
  /** A precompiled contract does the work. */
  readonly isPrecompiled?: boolean;
  readonly code: Hex;
  readonly data?: Hex;
  readonly fork?: CallFork;
}

interface Figures {
  readonly name: string;
  readonly isPrecompiled: boolean;
  /** Processor time of a unit of gas, in ns, in the longest run that had the time to end; undefined: none had. */
  readonly perGas: number | undefined;
  /** Longest processor time between two turns of the event loop, in ms. */
  readonly held: number;
}

const target: Hex = `0x${'aa'.repeat(20)}`;

/** Every account has the code, and no slot holds anything. */
const sourceOf = (code: Hex): StateSource => {
  const zero: Hex = `0x${word(0)}`;
  const account = {
    ...{ nonce: 1n, balance: 0n, storageRoot: zero, snarkCodeHash: zero },
    ...{ keccakCodeHash: toHex(keccak_256(fromHex(code))), codeSize: BigInt(code.length / 2 - 1) },
  };
  return {
    known: () => undefined,
    knownCode: () => undefined,
    read: async (questions) =>
      questions.map(({ storageKeys }) => ({ account, values: storageKeys.map(() => zero) })),
    code: async () => code,
  };
};

/**
 * Processor time of this thread in ms: others use the machine, too, and so do V8's own threads. Where the system does not tell
 * it, that of the process, which is more.
 */
function used(): number {
  try {
    const [time] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(time) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

async function measure({
  name,
  code,
  data = '0x',
  fork = 'osaka',
  isPrecompiled = false,
}: Case): Promise<Figures> {
  const run = async (limit: bigint, time: number) => {
    const environment = { chainId: 1, fork, number: 1, proven: {}, assumed: {} };
    const work = { ...workLimits, time };
    const session = await openSession({ source: sourceOf(code), environment, work });
    const call = { from: target, to: target, data: fromHex(data), value: 0n, gas: limit };
    return session.execute({ ...call, gasPrice: 0n, maxGasPrice: 0n, accessList: [] });
  };
  let last = used();
  let held = 0;
  const look = () => {
    const now = used();
    held = Math.max(held, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  // Once before, for what is made with the first use: its time is none of the gas, but it keeps the loop, too.
  await run(1_000_000n, seconds * 1000).catch(() => undefined);
  let perGas: number | undefined;
  // Less gas does not pay for that much memory.
  const runs = name.includes('4 MiB') ? limits.slice(-1) : limits;
  const time = (seconds * 1000 * limits.length) / runs.length;
  for (const limit of runs) {
    const began = used();
    const outcome = await run(limit, time).catch(() => undefined);
    if (outcome === undefined) break;
    perGas = ((used() - began) * 1e6) / Number(outcome.gasUsed);
  }
  look();
  clearInterval(timer);
  return { name, isPrecompiled, perGas, held };
}

/** A loop over an opcode, after what it needs is in memory. */
const loop = (name: string, body: string, more: Partial<Case> & { before?: string } = {}): Case => {
  const { before = '', ...rest } = more;
  return { name, code: assemble(`${before} next: ${body} @next JUMP`), ...rest };
};

/** Bytes of a contract's code at most, and of code that is run at all. */
const contract = 24_576;
const longest = 256 * 1024;

/** The same again and again, in a contract that calls itself: no jump gives a turn. */
const straight = (name: string, body: string, { before = '', size = contract } = {}): Case => {
  const head = assemble(before);
  const tail = assemble('PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS CALL STOP');
  const part = assemble(body);
  const bytes = (hex: string) => hex.length / 2 - 1;
  const times = Math.floor((size - bytes(head) - bytes(tail)) / bytes(part));
  const code: Hex = `0x${head.slice(2)}${part.slice(2).repeat(times)}${tail.slice(2)}`;
  return { name: `${name}, no jumps`, code };
};

/** Does something until little gas is left, and reverts. */
const reverting = (name: string, body: string): Case => ({
  name,
  code: assemble(`next: ${body} 0x020000 GAS GT @next JUMPI PUSH0 PUSH0 REVERT`),
});

const callItself = (gasLeft: string) =>
  `PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS ${gasLeft} CALL POP @next JUMP`;
/** In front of much that is no jump destination. */
const jumping = assemble(
  `CALLER ADDRESS EQ @inner JUMPI next: ${callItself('0x1000')} inner: STOP`,
).slice(2);
const nowhere = assemble(
  `CALLER ADDRESS EQ @inner JUMPI next: ${callItself('0x1000')} inner: 0x01 JUMP`,
).slice(2);

const precompileCase = (name: string, number: number, input: string): Case => ({
  name,
  isPrecompiled: true,
  data: `0x${input}`,
  code: assemble(`
    CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY
    next: PUSH0 PUSH0 CALLDATASIZE PUSH0 ${`0x${number.toString(16).padStart(4, '0')}`} GAS STATICCALL POP
    @next JUMP`),
});

/** Memory of so many bytes, as one operand. */
const wide = (name: string, number: number, size: string): Case =>
  loop(
    name,
    `PUSH0 PUSH0 ${size} PUSH0 0x${number.toString(16).padStart(2, '0')} GAS STATICCALL POP`,
    { isPrecompiled: true },
  );

const megabyte = '0x100000';
const many = '0x400000';
const least = '0x1000';

async function allCases(): Promise<Case[]> {
  const inputs = (await precompileInputs()).filter(([name]) => !/ (of|off|that) /.test(name));
  const [, , blake] = inputs.find(([name]) => name === 'BLAKE2F') as (typeof inputs)[number];
  const rounds = (count: number) => count.toString(16).padStart(8, '0') + blake.slice(8);
  const bySame = (name: string, count: number) => {
    const [, number, input] = inputs.find((one) => one[0] === name) as (typeof inputs)[number];
    return precompileCase(`${name} x ${count}`, number, input.repeat(count));
  };
  return [
    ...inputs.map(([name, number, input]) => precompileCase(name, number, input)),
    ...[2, 4, 20].flatMap((n) => [bySame('BN254 PAIRING', n), bySame('BLS PAIRING', n)]),
    ...[1, 4, 5, 64].flatMap((n) => [bySame('BLS G1MSM', n), bySame('BLS G2MSM', n)]),
    precompileCase('BLAKE2F of 8,192 rounds', 9, rounds(8192)),
    precompileCase('BLAKE2F of 1,000,000 rounds', 9, rounds(1_000_000)),
    wide('SHA256 of 4 MiB', 2, many),
    wide('RIPEMD160 of 4 MiB', 3, many),
    wide('IDENTITY of 4 MiB', 4, many),
    loop('KECCAK256 of 4 MiB', `${many} PUSH0 KECCAK256 POP`),
    loop('KECCAK256 of 32 bytes', '0x20 PUSH0 KECCAK256 POP'),
    loop('EXP', `PUSH0 NOT DUP1 EXP POP`),
    loop('MULMOD', 'PUSH0 NOT DUP1 0x03 SWAP1 DUP2 MULMOD POP POP'),
    loop('CREATE of 48 KiB', '0xc000 PUSH0 PUSH0 CREATE POP'),
    loop('CREATE2 of 48 KiB', 'GAS 0xc000 PUSH0 PUSH0 CREATE2 POP'),
    loop('CREATE2 of 4 MiB (london)', `0x00 ${many} 0x00 0x00 CREATE2 POP`, { fork: 'london' }),
    loop('a call with little gas', `PUSH0 PUSH0 PUSH0 PUSH0 0xbb 0x0a STATICCALL POP`),
    straight('PUSH, POP', 'PUSH0 POP'),
    straight('MULMOD', 'PUSH0 NOT DUP1 DUP1 MULMOD POP'),
    straight('SDIV', 'PUSH0 NOT 0x03 SDIV POP'),
    straight('MLOAD', 'PUSH0 MLOAD POP'),
    straight('SLOAD', 'PUSH0 SLOAD POP'),
    straight('TLOAD', 'PUSH0 TLOAD POP'),
    straight('TSTORE', 'PUSH0 PUSH0 TSTORE'),
    straight('BALANCE', 'ADDRESS BALANCE POP'),
    straight('EXTCODESIZE', 'ADDRESS EXTCODESIZE POP'),
    straight('EXTCODEHASH', 'ADDRESS EXTCODEHASH POP'),
    straight('LOG of 4 KiB', `${least} PUSH0 LOG0`),
    ...['CODECOPY', 'CALLDATACOPY', 'MCOPY'].flatMap((copy) => [
      straight(`${copy} of 4 KiB`, `${least} PUSH0 PUSH0 ${copy}`),
      straight(`${copy} of 1 MiB`, `${megabyte} PUSH0 PUSH0 ${copy}`),
    ]),
    straight('EXTCODECOPY of 1 MiB', `${megabyte} PUSH0 PUSH0 ADDRESS EXTCODECOPY`),
    straight('RETURNDATACOPY of 1 MiB', `${megabyte} PUSH0 PUSH0 RETURNDATACOPY`, {
      before: `PUSH0 PUSH0 ${megabyte} PUSH0 0x04 GAS STATICCALL POP`,
    }),
    straight('MSTORE, memory growing', 'PUSH0 MSIZE MSTORE'),
    straight('MSTORE, memory growing by 8 KiB', 'PUSH0 MSIZE 0x2000 ADD MSTORE'),
    reverting('TSTORE, all of it reverted', 'GAS DUP1 TSTORE'),
    reverting('SSTORE, all of it reverted', 'GAS 0x01 SSTORE'),
    reverting('LOG0, all of it reverted', 'PUSH0 PUSH0 LOG0'),
    straight('PUSH, POP in 256 KiB', 'PUSH0 POP', { size: longest }),
    straight('ISZERO in 256 KiB', 'ISZERO', { before: 'PUSH0', size: longest }),
    {
      name: 'jump destinations of 256 KiB',
      code: `0x${jumping}${'6001'.repeat(longest / 2 - 20)}`,
    },
    { name: 'a jump to nowhere in 256 KiB', code: `0x${nowhere}${'00'.repeat(longest - 40)}` },
  ];
}

const figures: Figures[] = [];
for (const one of await allCases()) {
  if (values.only !== undefined && !one.name.includes(values.only)) continue;
  const measured = await measure(one);
  figures.push(measured);
  const { name, perGas, held } = measured;
  console.log(
    [
      name.padEnd(40),
      perGas === undefined ? '-' : `${digits(perGas)} ns`,
      `${digits(held)} ms`,
    ].join('\t'),
  );
}

const held = digits(await holdOfProof(used));
const proofText = `To verify a proof of ${slots.toLocaleString('en')} slots keeps the event loop for ${held} ms at most.`;
console.log(proofText);

const gasText = (perGas = Number.NaN) => (Number.isNaN(perGas) ? '-' : `${digits(perGas)} ns`);
const table = (what: string, rows: readonly Figures[]) => ({
  head: [what, 'a unit of gas', 'event loop kept'],
  rows: rows.map(({ name, perGas, held }) => [name, gasText(perGas), `${digits(held)} ms`]),
});
/** The row with the highest figure. */
const most = (of: (one: Figures) => number) =>
  figures.reduce((before, one) => (of(one) > of(before) ? one : before));

function showText(): string {
  const slowest = most(({ held }) => held);
  const dearest = most(({ perGas = 0 }) => perGas);
  const above = figures.filter(({ held }) => held > bar).map(({ name }) => name);
  return [
    above.length === 0 ? 'No row is above the bar:' : `Above the bar are ${above.join('; ')}:`,
    `the longest is ${slowest.name} with ${digits(slowest.held)} ms.`,
    `A unit of gas costs most in ${dearest.name}, ${gasText(dearest.perGas)}, so gas alone does not bound the time of a call.`,
    proofText,
  ].join(' ');
}

if (values.only === undefined) {
  const gasAmounts = limits.map((limit) => limit.toLocaleString('en')).join(', ');
  const page = pageOf({
    title: 'Gas and processor time',
    about: `A contract does one thing in a loop, with ${gasAmounts} gas and ${seconds} s each. A unit of gas is that of the longest
      run that ended in time; "-": none did, or the call is refused. _Event loop kept_ is the longest processor time between two
      turns of the event loop, first use included; the bar is ${bar} ms. \`x 4\` is the same input four times.`,
    made: madeBy('npm run bench -- gas'),
    tables: [
      table(
        'precompiled contract',
        figures.filter(({ isPrecompiled }) => isPrecompiled),
      ),
      table(
        'code',
        figures.filter(({ isPrecompiled }) => !isPrecompiled),
      ),
    ],
    shows: showText(),
  });
  publish('GAS.md', page);
}
