/** What the help of each command says, held against what the command does. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runBalances } from '../../../../src/cli/commands/balances.js';
import { runCompact } from '../../../../src/cli/commands/compact.js';
import { runDecode } from '../../../../src/cli/commands/decode.js';
import { runFetch } from '../../../../src/cli/commands/fetch.js';
import { runFollow } from '../../../../src/cli/commands/follow.js';
import { runIndex } from '../../../../src/cli/commands/indexing.js';
import { runLoad } from '../../../../src/cli/commands/load.js';
import { runMigrate } from '../../../../src/cli/commands/migrate.js';
import { runProxy } from '../../../../src/cli/commands/proxy.js';
import { runServe } from '../../../../src/cli/commands/serve.js';
import { runSnapshot } from '../../../../src/cli/commands/snapshot.js';
import { runStream } from '../../../../src/cli/commands/stream.js';
import { runVerify } from '../../../../src/cli/commands/verify.js';
import { usages as help } from '../../../../src/cli/help/usage.js';
import { installLine, type Peer, peers } from '../../../../src/peer.js';
import { createPassthrough } from '../../../../src/provider/methods/passthrough.js';

const each = Object.entries(help);

/** Why a command line is refused. */
const refusal = (run: (args: readonly string[]) => Promise<unknown>, args: readonly string[]) =>
  run(args).then(
    () => 'nothing',
    (error: Error) => error.message,
  );

const evm: Peer[] = ['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util'];
const rlp: Peer = '@ethereumjs/rlp';
const bar: Peer = 'cli-progress';
const needs: Record<keyof typeof help, Peer[][]> = {
  verify: [['piscina'], [bar]],
  compact: [],
  load: [['lmdb'], ['pg'], [bar]],
  snapshot: [['lmdb'], ['pg'], [rlp], [bar]],
  migrate: [['lmdb'], [bar]],
  follow: [['lmdb'], ['pg'], ['prom-client'], [bar]],
  serve: [
    ['hono', '@hono/node-server', 'lmdb', 'pino', 'prom-client'],
    ['pg'],
    ['@hono/zod-openapi', 'zod', 'viem'],
    evm,
  ],
  fetch: [[rlp]],
  decode: [['viem']],
  index: [['lmdb'], ['prom-client'], [bar]],
  balances: [['zod'], [rlp, ...evm]],
  proxy: [[rlp, 'hono', '@hono/node-server'], evm],
};

test.each(each)('%s names the packages that the command needs', (name, text) => {
  const lines = [...text.matchAll(/^(?:Needs|and)\b.*: (npm install .*)$/gm)];
  expect(lines.map(([, line]) => line)).toEqual(
    needs[name as keyof typeof help].map((names) => installLine(names)),
  );
});

test('all optional packages are named', () => {
  const named = Object.values(needs).flat(2);
  expect([...new Set(named)].sort()).toEqual(Object.keys(peers).sort());
});

test.each(each)('%s has exit codes', (_, text) => {
  expect(text).toMatch(/^Exit codes: 0 [^]*\b3 /m);
});

/** How the part of a message begins that lists the options. */
const listed = /(?<=(?:the options are|those of many lines are) ).*?(?=;|$)/g;

describe('each option stands in the help', () => {
  const snapshot = (action: string) => (args: readonly string[]) => runSnapshot([action, ...args]);

  test.each<[keyof typeof help, (args: readonly string[]) => Promise<unknown>, number]>([
    ['verify', runVerify, 11],
    ['verify', runStream, 5],
    ['compact', runCompact, 6],
    ['load', runLoad, 2],
    ['snapshot', snapshot('export'), 5],
    ['snapshot', snapshot('verify'), 8],
    ['snapshot', snapshot('import'), 9],
    ['migrate', runMigrate, 2],
    ['follow', runFollow, 12],
    ['serve', runServe, 31],
    ['fetch', runFetch, 8],
    ['decode', runDecode, 6],
    ['index', runIndex, 4],
    ['balances', runBalances, 12],
    ['proxy', runProxy, 7],
  ])('%s', async (name, run, count) => {
    const message = await refusal(run, ['--bogus']);
    expect(message).toMatch(/^unknown option "--bogus"; the options are --/);
    const options = [...message.matchAll(listed)].flatMap(([names]) => names.split(', '));
    expect(options).toHaveLength(count);
    // The help of compact refers to that of verify.
    const text = name === 'compact' ? `${help[name]}\n${help.verify}` : help[name];
    const missing = options.filter(
      (option) => !new RegExp(`^ {2}(?! ).*${option}(?![\\w-])`, 'm').test(text),
    );
    expect(missing).toEqual([]);
  });
});

test('--keep-state is accepted as before, and named only where it has an effect', async () => {
  const accepting: [string, (args: readonly string[]) => Promise<unknown>, string, RegExp][] = [
    ['load', runLoad, help.load, /^--store is required/],
    ['follow', runFollow, help.follow, /^--l2 or L2PROOF_L2 is required/],
    ['serve', runServe, help.serve, /^--store is required/],
  ];
  for (const [name, run, text, next] of accepting) {
    expect(await refusal(run, ['--keep-state']), name).toMatch(next);
    expect(await refusal(run, ['--keep-state=1']), name).toMatch(/^--keep-state takes no value/);
    expect(await refusal(run, ['--bogus']), name).not.toContain('keep-state');
    expect(text, name).not.toContain('keep-state');
  }
  expect(help.migrate).toMatch(/^ {2}--keep-state$/m);
});

test('an unknown option of verify names the options of many lines, too', async () => {
  expect(await refusal(runVerify, ['--jobs', '2'])).toBe(
    'unknown option "--jobs"; the options are --root, --state-root, --address, --slot, --hash, --json; those of many lines are --ndjson, --jobs, --json, --shard, --out',
  );
});

test('the help of the proxy lists what "send" lets through', () => {
  const isPassed = createPassthrough(['send'], () => false);
  const source = readFileSync('src/provider/methods/passthrough.ts', 'utf8');
  const methods = [...new Set(source.match(/eth_\w+/g))];
  const calls = methods.flatMap((method) =>
    ['latest', 'pending', 'safe'].map((tag) => [method, [tag, tag, tag]] as const),
  );
  const passed = new Set(calls.filter((call) => isPassed(...call)).map(([method]) => method));
  expect([...passed].sort()).toEqual(help.proxy.match(/eth_\w+/g)?.sort());
  const ways = (name: string) =>
    calls.filter((call) => call[0] === name && isPassed(...call)).map(([, [tag]]) => tag);
  expect(ways('eth_getTransactionCount')).toEqual(['pending']);
  expect(help.proxy).toContain('eth_getTransactionCount at pending');
  expect(ways('eth_getBlockByNumber')).toEqual(['latest', 'pending']);
  expect(help.proxy).toContain('eth_getBlockByNumber at latest and pending');
});

test('the help says which variables of the environment count', () => {
  const line = (text: string) => /^ {4}or (L2PROOF_.*) in the environment/m.exec(text)?.[1];
  expect(each.flatMap(([name, text]) => (line(text) ? [[name, line(text)]] : [])).sort()).toEqual([
    ['balances', 'L2PROOF_DATA and L2PROOF_L1'],
    ['decode', 'L2PROOF_L2'],
    ['fetch', 'L2PROOF_L2 and L2PROOF_L1'],
    ['follow', 'L2PROOF_L2 and L2PROOF_L1'],
    ['index', 'L2PROOF_L2'],
    ['proxy', 'L2PROOF_L2 and L2PROOF_L1'],
    ['serve', 'L2PROOF_L1, L2PROOF_KEYS and L2PROOF_DECODE'],
    ['snapshot', 'L2PROOF_L1'],
  ]);
});

test('each limit of serve has its line', () => {
  const limits = help.serve.match(/--max-[\w-]+/g) as string[];
  expect(new Set(limits).size).toBe(8);
  for (const limit of new Set(limits)) {
    expect(help.serve).toMatch(new RegExp(`^  ${limit}(?: +|\\n {14})\\w+`, 'm'));
  }
});
