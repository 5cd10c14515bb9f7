/** `l2proof tx`, `block`, `logs` and `decode --prove`, held against the node's own answers; some as built commands. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { getAddress } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { runBlock } from '../../../../src/cli/commands/block.js';
import { runDecode } from '../../../../src/cli/commands/data/decode.js';
import { runLogs } from '../../../../src/cli/commands/logs.js';
import { runTx } from '../../../../src/cli/commands/tx.js';
import { CliError, UsageError } from '../../../../src/cli/exit/exit.js';
import { failureOf } from '../../../../src/cli/exit/failures.js';
import { printResult, type Result } from '../../../../src/cli/print/result.js';
import { setWords } from '../../../../src/errors.js';
import { installLine } from '../../../../src/peer.js';
import { visible } from '../../../../src/visible.js';
import { emit, emitInVain, emitter, putEmitter } from '../../../support/allTypes.js';
import { accounts, word } from '../../../support/anvil.js';
import { beaconOver } from '../../../support/beacon/overL1.js';
import { type Contract, send } from '../../../support/contracts/contract.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { newFolder } from '../../../support/folder.js';
import { edit, type Living, type Meddle, openLiving } from '../../../support/living.js';
import { blockOf, receiptOf } from '../../../support/normalised.js';
import { patience, type Wire } from '../../../support/runs.js';

const main = resolve('dist/cli/main.js');
const folder = newFolder();
const networkFile = join(folder, 'network.json');
const [first, second] = accounts;

let world: Living;
let beacon: Awaited<ReturnType<typeof beaconOver>>;
let gold: Contract;
let moved: Hex;
/** Of a block that has a value, a creation that fails, two logs and a call in vain. */
let mixed: { number: number; hashes: Hex[] };
/** The newest block whose header is proven. */
let newest: number;
/** In the block after it. */
let tooNew: Hex;

beforeAll(async () => {
  world = await openLiving({ keepFinal: 64, prepare: putEmitter });
  const { l2 } = world;
  gold = await deployErc20(l2);
  await send(l2, gold.call('mint', first, 10n ** 21n));
  const number = await l2.mine(
    { to: second, value: 15n * 10n ** 17n },
    { data: '0xfe', gas: '0x186a0' },
    emit([1, 2], 'aa'.repeat(200)),
    { ...emitInVain, gas: '0x186a0' },
    emit([1]),
  );
  mixed = { number, hashes: (await block(number)).transactions };
  moved = (await send(l2, gold.call('transfer', second, 15n * 10n ** 17n))).transactionHash;
  newest = Number(await l2.call('eth_blockNumber'));
  tooNew = (await send(l2, { to: second, value: 1n })).transactionHash;
  await world.finalize();
  beacon = await beaconOver(world.l1);
  writeFileSync(networkFile, JSON.stringify({ ...world.network, beacon: beacon.network }));
}, patience);
afterAll(async () => {
  // Other tests of this process have the library's own words.
  setWords({ maxBlocks: '"maxBlocks"', maxRange: '"maxRange"' });
  await beacon?.close();
  await world?.close();
});
afterEach(() => world.meddle());

const block = (number: number): Promise<Wire> =>
  world.l2.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command. */
async function runBuilt(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const none = { L2PROOF_L1: '', L2PROOF_L2: '', L2PROOF_NODE: '', XDG_CACHE_HOME: folder };
  const options = { env: { ...process.env, ...none, ...env } };
  try {
    const out = await promisify(execFile)(process.execPath, [main, ...args], options);
    return { status: 0, ...out };
  } catch (error) {
    const { code: status, stdout, stderr } = error as Record<'code' | 'stdout' | 'stderr', string>;
    return { status: Number(status), stdout, stderr };
  }
}

const commands: Record<string, (args: readonly string[]) => Promise<Result | undefined>> = {
  ...{ tx: runTx, block: runBlock, logs: runLogs, decode: runDecode },
};

/** Runs a command in this process, which takes less time. A refusal is a line of what it says. */
async function run([name = '', ...args]: readonly string[]): Promise<Ended> {
  const out = { stdout: '', stderr: '' };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text) => void (out.stdout += `${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void (out.stderr += `${text}\n`)),
  ];
  try {
    const result = await commands[name]?.(args);
    if (result) printResult(result, args.includes('--json'));
    return { status: 0, ...out };
  } catch (error) {
    const failure = error instanceof CliError ? error : failureOf(error, name);
    if (failure === undefined) throw error;
    const hint = failure instanceof UsageError && failure.hint ? `${failure.hint}\n` : '';
    const stderr = `${out.stderr}${visible(failure.message)}\n${hint}`;
    return { status: failure.exitCode, stdout: out.stdout, stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const source = () => ['--l1', world.l1.url, '--l2', world.url, '--network', networkFile];

async function found(...args: string[]): Promise<string> {
  const ended = await run([...args, ...source()]);
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  return ended.stdout;
}

const json = async (...args: string[]) => JSON.parse(await found(...args, '--json'));

/** Rows without their alignment. */
const rowsOf = (text: string) =>
  text.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '));

const secondsOf = async (number: number) =>
  new Date(1000 * Number((await block(number)).timestamp)).toISOString().replace('.000', '');

const anchorOf = () => ({ l2BlockNumber: newest + 1, how: 'call', l1: { chainId: 900 } });

describe('tx', () => {
  test(
    'as JSON is the transaction and receipt of the node, and what they rest on',
    async () => {
      for (const hash of [...mixed.hashes, moved]) {
        const { transaction, receipt, ...ground } = await json('tx', hash);
        const [sent, mined] = await Promise.all(
          ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) =>
            world.l2.call(method, hash),
          ),
        );
        expect(transaction).toEqual(sent);
        expect(receipt).toEqual(receiptOf(mined));
        expect(ground).toMatchObject({
          proven: true,
          restsOn: 'operator',
          anchor: anchorOf(),
        });
      }
    },
    4 * patience,
  );

  test(
    'is a form that a person can read',
    async () => {
      const { number, hashes } = mixed;
      const [value, creation, logging, inVain] = hashes as [Hex, Hex, Hex, Hex];
      const receipt = await world.l2.call('eth_getTransactionReceipt', value);
      const price = BigInt(receipt.effectiveGasPrice);
      const paid = rowsOf(await found('tx', value));
      expect(paid[0]).toBe('verified');
      expect(paid).toContain(`transaction  ${value}`);
      expect(paid).toContain('status  successful');
      expect(paid).toContain(`block  ${number}, ${await secondsOf(number)}`);
      expect(paid).toContain(`to  ${getAddress(second)}`);
      expect(paid).toContain('value  1.5 ether');
      expect(paid).toContain('input  none');
      expect(paid).toContain('logs  none');
      expect(paid.find((row) => row.startsWith('from  '))).toContain(getAddress(first));
      const fee = paid.find((row) => row.startsWith('fee  ')) as string;
      const [, ether = '', gwei = ''] =
        /^fee {2}([\d.]+) ether \(21000 gas at ([\d.]+) gwei\)$/.exec(fee) ?? [];
      expect(Number(ether)).toBeCloseTo(Number(21_000n * price) / 1e18, 12);
      expect(Number(gwei)).toBeCloseTo(Number(price) / 1e9, 6);
      const rest = paid.slice(paid.indexOf('it rests on'));
      expect(rest[1]).toBe(
        `header  by hashes in the state of L2 block ${newest + 1} (EIP-2935): the operator's word, frozen on L1`,
      );
      expect(rest).toContain(`L2 block  ${newest + 1} of chain 31337`);

      const failed = rowsOf(await found('tx', creation));
      expect(failed).toContain('status  reverted');
      expect(failed).toContainEqual(expect.stringMatching(/^to {2}none: would have created 0x/));
      const logged = await found('tx', logging);
      expect(rowsOf(logged)).toContain('log 0  ' + getAddress(emitter));
      expect(rowsOf(logged)).toContain(`topics  0x${word(1)}`);
      expect(rowsOf(logged)).toContain(`data  0x${'aa'.repeat(96)}... (200 bytes)`);
      expect(rowsOf(await found('tx', inVain))).toContain('status  reverted');
      for (const line of logged.split('\n')) expect(line).toBe(line.trimEnd());
    },
    3 * patience,
  );

  test(
    'rests on a checkpoint, or on an L1 block hash; proofs and all else may come from two servers',
    async () => {
      const trust = ['--checkpoint', beacon.checkpoint, '--beacon', beacon.url];
      const light = await runBuilt(['tx', moved, ...source(), ...trust]);
      expect(light).toMatchObject({ status: 0, stderr: '' });
      expect(light.stdout).toContain(
        "from a block that L1's consensus finalized, from your checkpoint",
      );
      expect(rowsOf(light.stdout)).toContain(`final slot  ${beacon.slot}, signed by 32 of 32`);
      const { anchor } = JSON.parse(
        (await runBuilt(['tx', moved, ...source(), ...trust, '--json'])).stdout,
      );
      expect(anchor).toMatchObject({ how: 'consensus', l1: { proven: true } });
      expect(anchor.consensus).toMatchObject({ checkpoint: beacon.checkpoint, slot: beacon.slot });

      const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
      const env = {
        L2PROOF_L1: world.l1.url,
        L2PROOF_L2: world.proofs,
        L2PROOF_NODE: world.l2.url,
      };
      const own = await runBuilt(
        ['tx', moved, '--network', networkFile, '--l1-block-hash', hash],
        env,
      );
      expect(own).toMatchObject({ status: 0, stderr: '' });
      expect(rowsOf(own.stdout)).toContain('its root  proven from the L1 block hash that you gave');
    },
    2 * patience,
  );
});

test(
  'block: by its number, its hash or a tag, as the node has it',
  async () => {
    const { number } = mixed;
    const own = await block(number);
    for (const name of [String(number), `0x${number.toString(16)}`, own.hash]) {
      const { block: shown, ...ground } = await json('block', name);
      expect(shown).toEqual(blockOf(own));
      expect(ground).toMatchObject({ proven: true, restsOn: 'operator', anchor: anchorOf() });
    }
    for (const [tag, at] of [
      ['latest', newest],
      ['earliest', 0],
    ] as const) {
      expect((await json('block', tag)).block.hash).toBe((await block(at)).hash);
    }
    const rows = rowsOf(await found('block', String(number)));
    expect(rows.slice(0, 4)).toEqual([
      'verified',
      `block  ${number}`,
      `hash  ${own.hash}`,
      `time  ${await secondsOf(number)}`,
    ]);
    expect(rows).toContainEqual(
      expect.stringMatching(
        `^gas used {2}${Number(own.gasUsed)} of 30000000 \\(\\d+(\\.\\d)?%\\)$`,
      ),
    );
    const at = rows.indexOf('transactions  5');
    expect(rows.slice(at + 1, at + 6)).toEqual(own.transactions);
  },
  2 * patience,
);

describe('logs', () => {
  test(
    'are those of the node, a line each, and a last line says that they are all',
    async () => {
      const to = `0x${newest.toString(16)}`;
      const filters: [string[], object][] = [
        [[], {}],
        [['--address', emitter], { address: emitter }],
        [['--address', emitter, '--address', gold.address], { address: [emitter, gold.address] }],
        [['--topic', `0x${word(1)}`], { topics: [`0x${word(1)}`] }],
        [
          ['--topic', 'any', '--topic', getAddress(first)],
          { topics: [null, `0x${first.slice(2).padStart(64, '0')}`] },
        ],
        [
          ['--topic', 'any', '--topic', `0x${word(2)},0x${word(3)}`],
          { topics: [null, [`0x${word(2)}`, `0x${word(3)}`]] },
        ],
        [['--topic', `0x${word(9)}`], { topics: [`0x${word(9)}`] }],
      ];
      for (const [args, filter] of filters) {
        const lines = (await found('logs', '--from', '0', ...args, '--json')).trimEnd().split('\n');
        const logs = lines.map((line) => JSON.parse(line));
        const last = logs.pop();
        const expected = await world.l2.call('eth_getLogs', {
          fromBlock: '0x0',
          toBlock: to,
          ...filter,
        });
        expect(logs).toEqual(expected);
        expect(last).toMatchObject({
          ...{ complete: true, logs: logs.length, fromBlock: 0, toBlock: newest },
          ...{ proven: true, restsOn: 'operator', anchor: anchorOf() },
        });
      }
    },
    4 * patience,
  );

  test(
    'for a person',
    async () => {
      const { number, hashes } = mixed;
      const at = String(number);
      const shown = rowsOf(await found('logs', '--to', at, '--address', emitter));
      expect(shown[0]).toBe(`verified: 2 logs in block ${at}, none left out`);
      expect(shown).toContain(`block ${at}, log 1, ${await secondsOf(number)}`);
      expect(shown).toContain(`transaction  ${hashes[4]}`);
      expect(shown).toContain(`contract  ${getAddress(emitter)}`);
      const none = await found('logs', '--from', '1', '--to', at, '--topic', `0x${word(9)}`);
      expect(none).toMatch(new RegExp(`^verified: no logs in blocks 1 to ${at}, none left out\n`));
    },
    2 * patience,
  );
});

describe('decode --prove', () => {
  const proving = () => ['decode', moved, '--prove', '--fork', 'prague', ...source()];

  test(
    'shows what the decoder shows, with each event proven, and the names and decimals that contracts prove',
    async () => {
      const trusting = JSON.parse(
        (await run(['decode', moved, '--l2', world.l2.url, '--json'])).stdout,
      );
      const ended = await run([...proving(), '--json']);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      const { proven, restsOn, anchor, assumed, ...response } = JSON.parse(ended.stdout);
      expect({ proven, restsOn, anchor, assumed }).toMatchObject({
        ...{ proven: true, restsOn: 'operator', anchor: anchorOf(), assumed: ['fork'] },
      });
      const { events, ...rest } = response;
      expect(rest).toEqual({ ...trusting, events: undefined });
      const bare = events.map(({ proven, raw_log: log, ...event }: Wire) => {
        expect({ proven, sender: log.sender_address }).toEqual({
          proven: true,
          sender: gold.address,
        });
        return event;
      });
      expect(bare).toEqual(trusting.events);

      const text = await run(proving());
      expect(rowsOf(text.stdout)).toEqual(
        expect.arrayContaining([
          'verified',
          '1. Transfer (Transferred), Gold: proven',
          `Contract  ${getAddress(gold.address)}`,
          'Token Amount  1.5 GLD',
          'it rests on',
        ]),
      );
      expect(text.stdout).toContain('names and decimals: fork\n');
    },
    2 * patience,
  );

  test(
    'a contract whose state is not proven has no name, and is told',
    async () => {
      world.meddle(async (method, params, answer) =>
        /getProof$/.test(method) && params[0] === gold.address
          ? { error: { code: -32000, message: 'no \u001b[31mproof' } }
          : answer,
      );
      const { status, stdout, stderr } = await run(proving());
      expect(status).toBe(0);
      expect(stderr).toMatch(`not proven, and left out: what ${gold.address} says of itself: `);
      expect(stderr).not.toContain('\u001b');
      expect(rowsOf(stdout)).toContain('Token Amount  1500000000000000000 units');
      expect(stdout).not.toContain('GLD');
    },
    patience,
  );

  test(
    'needs packages, which one line names together, and flags that go with it',
    async () => {
      const line = installLine([
        ...(['viem', '@ethereumjs/rlp', '@ethereumjs/evm', '@ethereumjs/common'] as const),
        '@ethereumjs/util',
      ]);
      for (const missing of ['Rlp', 'Evm']) {
        const refuse = { NODE_OPTIONS: `--import=${resolve(`test/support/refuse${missing}.mjs`)}` };
        expect(await runBuilt(proving(), refuse)).toEqual({
          status: 3,
          stdout: '',
          stderr: `l2proof decode --prove needs more packages; run: ${line}\n`,
        });
      }
      const alone = await run(['decode', moved, '--l2', world.l2.url, '--network', networkFile]);
      expect(alone).toMatchObject({
        status: 3,
        stderr: expect.stringMatching('^--network needs --prove\n'),
      });
    },
    patience,
  );
});

test(
  'a server that lies: exit code 1 or 2, nothing on stdout, and no word of what it said is active',
  async () => {
    const receipts = /^eth_getBlockReceipts$/;
    const lies: [Meddle, number, RegExp][] = [
      [
        edit(receipts, (list) => [{ ...list[0], status: '0x0' }, ...list.slice(1)]),
        1,
        /^not verified: .*\(WRONG_RECEIPTS\); ask another L2 server\n$/,
      ],
      [
        edit(receipts, () => '\u001b[31m'),
        2,
        /^malformed answer: .*\(BAD_ANSWER\); ask another L2 server\n$/,
      ],
      [
        edit(/^eth_getBlockBy/, (one) => ({ ...one, gasUsed: '0x1' })),
        1,
        /^not verified: .*\(WRONG_HEADER\); /,
      ],
      [edit(receipts, () => null), 4, /proven to be there.*\(BLOCK_HELD_BACK\)\n$/],
      [edit(/Proof$/, (answer) => ({ ...answer, storageProofs: [] })), 1, /^not verified: /],
    ];
    for (const [lie, status, words] of lies) {
      world.meddle(lie);
      for (const args of [
        ['tx', moved],
        ['logs', '--to', String(newest)],
        ['decode', moved, '--prove'],
      ]) {
        const ended = await run([...args, ...source()]);
        expect(ended).toEqual({ status, stdout: '', stderr: expect.stringMatching(words) });
        expect(ended.stderr).not.toContain('\u001b');
      }
    }
  },
  4 * patience,
);

test(
  'what is not there, or not yet: exit code 4, and as JSON',
  async () => {
    const absent = `0x${'12'.repeat(32)}`;
    const cases: [string[], RegExp][] = [
      [
        ['tx', absent],
        /^the server has no transaction 0x12.*which nothing proves; .*\(NOT_PROVEN\)\n$/,
      ],
      [['decode', absent, '--prove'], /which nothing proves/],
      [['block', absent], /^the server has no block 0x12.*which nothing proves/],
      [['tx', tooNew], /\(TOO_NEW\); run it again once L1 has finalized a later block\n$/],
      [['block', '99999'], /\(TOO_NEW\); run it again/],
    ];
    for (const [args, words] of cases) {
      expect(await run([...args, ...source()])).toEqual({
        ...{ status: 4, stdout: '', stderr: expect.stringMatching(words) },
      });
    }
    const refused = await runBuilt(['tx', absent, ...source(), '--json']);
    expect(refused.status).toBe(4);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, code: 'NOT_PROVEN' });
  },
  4 * patience,
);

test(
  'a wrong command line: exit code 3, in three lines at most, before anybody is asked',
  async () => {
    const none = [
      '--l1',
      'http://127.0.0.1:1',
      '--l2',
      'http://127.0.0.1:1',
      '--network',
      networkFile,
    ];
    const topic = ['--topic', `0x${word(1)}`];
    const cases: [string[], RegExp][] = [
      [['tx'], /^TX is required: the hash of the transaction\n/],
      [['tx', '0x12'], /^TX expected 0x and 64 hex digits; got "0x12"\n/],
      [['tx', moved, moved], /^expected one TX, got 2; give one\n/],
      [['tx', moved, '--beacon', 'http://127.0.0.1:1'], /^--beacon needs --checkpoint\n/],
      [['tx', moved, '--l1-block-hash', '0x12'], /^--l1-block-hash expected/],
      [['tx', moved, '--max-blocks', '-1'], /^--max-blocks needs a value after it\n/],
      [['block'], /^BLOCK is required: the number or hash of a block, or latest\n/],
      [
        ['block', 'newest'],
        /^BLOCK expected the number of a block, or one of latest, .*; got "newest"\n/,
      ],
      [['block', `0x${'1'.repeat(63)}`], /^BLOCK expected a hash of 0x and 64 hex digits/],
      [['logs', 'x'], /^unexpected argument "x"/],
      [
        ['logs', '--from', '9', '--to', '3'],
        /^--from 9 comes after --to 3; give the older block first\n/,
      ],
      [['logs', '--topic', '0x1'], /^--topic expected 0x and 64 hex digits, an address, or any; /],
      [['logs', ...[1, 2, 3, 4, 5].flatMap(() => topic)], /^--topic is given more than four times/],
      [['logs', '--adress', emitter], /^unknown option "--adress"\ndid you mean --address\?\n/],
      [['logs', '--max-range', '0'], /^--max-range expected a whole number from 1/],
    ];
    for (const [args, words] of cases) {
      const { status, stdout, stderr } = await run([...args, ...none]);
      expect([args, status, stdout, stderr]).toEqual([args, 3, '', expect.stringMatching(words)]);
      // A line behind them says where to read on.
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    }
    expect(await runBuilt(['logs', '--adress', emitter])).toEqual({
      status: 3,
      stdout: '',
      stderr: 'unknown option "--adress"\ndid you mean --address?\nsee l2proof help logs\n',
    });
    for (const [args, words] of [
      [
        ['logs', '--from', '0', '--max-range', '2'],
        /^\d+ blocks are more than --max-range, 2; .*\(RANGE_TOO_WIDE\)\n$/,
      ],
      [
        ['logs', '--from', '9999'],
        /^--from is block 9999, after the last block of the range, \d+\n/,
      ],
    ] as const) {
      const ended = await run([...args, ...source()]);
      expect(ended).toEqual({ status: 3, stdout: '', stderr: expect.stringMatching(words) });
    }
    const unanswered = await run(['tx', moved, ...none]);
    expect(unanswered).toMatchObject({ status: 4, stdout: '' });
    expect(unanswered.stderr).toMatch(/\(NETWORK\)\n$/);
  },
  4 * patience,
);
