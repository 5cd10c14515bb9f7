/**
 * `npm run bench -- gas`: what a unit of gas costs in processor time at worst, by precompiled contract and by opcode, and how
 * long a call keeps the event loop. Writes GAS.md. `--seconds 1` takes less time; `--only NAME` writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../src/bytes.js';
import { workLimits } from '../src/evm/budget.js';
import { type Fork, openSession, type StateSource } from '../src/evm/index.js';
import { word } from '../test/support/anvil.js';
import { precompileInputs } from '../test/support/calls/precompiles.js';
import { assemble } from '../test/support/contracts/assemble.js';
import { fromHex, toHex } from '../test/support/hex.js';
import { digits } from './report.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, only: { type: 'string' } },
});
const seconds = Number(values.seconds);
/** Most ms that the event loop may be kept. */
const bar = 50;
/** As a provider has it by default. */
const gas = 50_000_000n;

interface Case {
  readonly name: string;
  readonly code: Hex;
  readonly data?: Hex;
  readonly fork?: Fork;
}

interface Figures {
  readonly name: string;
  /** Processor time of a unit of gas, in ns; undefined if the run had no time to end. */
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

/** Processor time in ms: others use the machine, too. */
const used = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

async function measure({ name, code, data = '0x', fork = 'osaka' }: Case): Promise<Figures> {
  const run = async (limit: bigint, time: number) => {
    const environment = { chainId: 1, fork, number: 1, proven: {}, assumed: {} };
    const work = { ...workLimits, time };
    const session = await openSession({ source: sourceOf(code), environment, work });
    const call = { from: target, to: target, data: fromHex(data), value: 0n, gas: limit };
    return session.execute({ ...call, gasPrice: 0n, maxGasPrice: 0n, accessList: [] });
  };
  // Once before, for what is made with the first use.
  await run(1_000_000n, seconds * 1000).catch(() => undefined);
  const began = process.cpuUsage();
  let last = used();
  let held = 0;
  const look = () => {
    const now = used();
    held = Math.max(held, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  const outcome = await run(gas, seconds * 1000).catch(() => undefined);
  look();
  clearInterval(timer);
  const perGas = outcome && (used(began) * 1e6) / Number(outcome.gasUsed);
  return { name, perGas, held };
}

/** A loop over an opcode, after what it needs is in memory. */
const loop = (name: string, body: string, more: Partial<Case> & { before?: string } = {}): Case => {
  const { before = '', ...rest } = more;
  return { name, code: assemble(`${before} next: ${body} @next JUMP`), ...rest };
};

/** The same again and again, in a contract of the most bytes, that calls itself: no jump gives a turn. */
const straight = (name: string, body: string, before = ''): Case => {
  const head = assemble(before);
  const tail = assemble('PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS STATICCALL STOP');
  const part = assemble(body);
  const bytes = (hex: string) => hex.length / 2 - 1;
  const times = Math.floor((24_576 - bytes(head) - bytes(tail)) / bytes(part));
  const code: Hex = `0x${head.slice(2)}${part.slice(2).repeat(times)}${tail.slice(2)}`;
  return { name: `${name}, no jumps`, code };
};

const precompileCase = (name: string, number: number, input: string): Case => ({
  name,
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
  );

const megabyte = '0x100000';
const many = '0x400000';
const least = '0x1000';

async function allCases(): Promise<Case[]> {
  const inputs = (await precompileInputs()).filter(([name]) => !/ (of|off|that) /.test(name));
  const bySame = (name: string, count: number) => {
    const [, number, input] = inputs.find((one) => one[0] === name) as (typeof inputs)[number];
    return precompileCase(`${name} x ${count}`, number, input.repeat(count));
  };
  return [
    ...inputs.map(([name, number, input]) => precompileCase(name, number, input)),
    ...[bySame('BN254 PAIRING', 2), bySame('BN254 PAIRING', 20)],
    ...[bySame('BLS PAIRING', 2), bySame('BLS PAIRING', 20)],
    ...[bySame('BLS G1MSM', 2), bySame('BLS G1MSM', 32)],
    ...[bySame('BLS G2MSM', 4), bySame('BLS G2MSM', 64)],
    wide('SHA256 of 4 MiB', 2, many),
    wide('RIPEMD160 of 4 MiB', 3, many),
    wide('IDENTITY of 4 MiB', 4, many),
    loop('KECCAK256 of 4 MiB', `${many} PUSH0 KECCAK256 POP`),
    loop('KECCAK256 of 32 bytes', '0x20 PUSH0 KECCAK256 POP'),
    loop('EXP', `PUSH0 NOT DUP1 EXP POP`),
    loop('MULMOD', 'PUSH0 NOT DUP1 0x03 SWAP1 DUP2 MULMOD POP POP'),
    loop('CREATE of 48 KiB', '0xc000 PUSH0 PUSH0 CREATE POP'),
    loop('CREATE2 of 48 KiB', 'PUSH0 0xc000 PUSH0 PUSH0 CREATE2 POP'),
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
    straight(
      'RETURNDATACOPY of 1 MiB',
      `${megabyte} PUSH0 PUSH0 RETURNDATACOPY`,
      `PUSH0 PUSH0 ${megabyte} PUSH0 0x04 GAS STATICCALL POP`,
    ),
    straight('MSTORE, memory growing', 'PUSH0 MSIZE MSTORE'),
    straight('MSTORE, memory growing by 8 KiB', 'PUSH0 MSIZE 0x2000 ADD MSTORE'),
  ];
}

const cells = (row: readonly unknown[]) => `| ${row.join(' | ')} |`;

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

const page = [
  '# Gas and processor time',
  '',
  `Made by \`npm run bench -- gas\` with Node ${process.version} on ${cpus()[0]?.model ?? 'an unknown processor'}. A contract does one thing in a loop, with`,
  `${gas} gas and ${seconds} s. "-" has no figure: the time was over before the gas. The last column is the longest processor time between two`,
  `turns of the event loop; ${bar} ms is the bar.`,
  '',
  cells(['what', 'a unit of gas', 'event loop kept', `≤ ${bar} ms`]),
  cells(['---', '---:', '---:', '---']),
  ...figures.map(({ name, perGas, held }) =>
    cells([
      name,
      perGas === undefined ? '-' : `${digits(perGas)} ns`,
      `${digits(held)} ms`,
      held <= bar ? 'met' : '**missed**',
    ]),
  ),
  '',
];
if (values.only === undefined) {
  writeFileSync(fileURLToPath(new URL('GAS.md', import.meta.url)), page.join('\n'));
}
