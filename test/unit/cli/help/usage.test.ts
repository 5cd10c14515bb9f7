/** What the help of each command says, held against what the command does. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCalldata } from '../../../../src/cli/bridge/calldata.js';
import { runMessage } from '../../../../src/cli/bridge/message.js';
import { runBlock } from '../../../../src/cli/commands/block.js';
import { runCompact } from '../../../../src/cli/commands/compact.js';
import { runCompletion } from '../../../../src/cli/commands/completion.js';
import { runActivity } from '../../../../src/cli/commands/data/activity.js';
import { runAllowances } from '../../../../src/cli/commands/data/allowances.js';
import { runBalances } from '../../../../src/cli/commands/data/balances.js';
import { runDecode } from '../../../../src/cli/commands/data/decode.js';
import { runHolders } from '../../../../src/cli/commands/data/holders.js';
import { runNfts } from '../../../../src/cli/commands/data/nfts.js';
import { runPortfolio } from '../../../../src/cli/commands/data/portfolio.js';
import { runTransactions } from '../../../../src/cli/commands/data/transactions.js';
import { runTransfers } from '../../../../src/cli/commands/data/transfers.js';
import { runDevnet } from '../../../../src/cli/commands/devnet.js';
import { runFetch } from '../../../../src/cli/commands/fetch.js';
import { runFollow } from '../../../../src/cli/commands/follow.js';
import { runIndex } from '../../../../src/cli/commands/indexing.js';
import { runLoad } from '../../../../src/cli/commands/load.js';
import { runLogs } from '../../../../src/cli/commands/logs.js';
import { runMigrate } from '../../../../src/cli/commands/migrate.js';
import { runProxy } from '../../../../src/cli/commands/proxy.js';
import { runServe } from '../../../../src/cli/commands/serve.js';
import { runSnapshot } from '../../../../src/cli/commands/snapshot.js';
import { runStatus } from '../../../../src/cli/commands/status.js';
import { runTx } from '../../../../src/cli/commands/tx.js';
import { runVerify } from '../../../../src/cli/commands/verify.js';
import { runStream } from '../../../../src/cli/commands/verifyLines.js';
import { UsageError } from '../../../../src/cli/exit/exit.js';
import { runExplain } from '../../../../src/cli/explain/explain.js';
import { groups } from '../../../../src/cli/flags/flag.js';
import { parseRequest } from '../../../../src/cli/flags/serve/serveRequest.js';
import {
  type Command,
  mainUsage,
  commands as names,
  usageOf,
} from '../../../../src/cli/help/usage.js';
import { installLine, type Peer, peers } from '../../../../src/peer.js';
import { createPassthrough } from '../../../../src/provider/methods/passthrough.js';
import { createService, fixedFinality } from '../../../../src/service/index.js';
import { defaultConnections } from '../../../../src/service/server.js';
import { openStateTree } from '../../../../src/tree/index.js';

const each = names.map((name): [Command, string] => [name, usageOf(name)]);
const help = Object.fromEntries(each) as Record<Command, string>;

/** Why a command line is refused. */
const refusal = (run: (args: readonly string[]) => Promise<unknown>, args: readonly string[]) =>
  run(args).then(
    () => 'nothing',
    (error: Error) => error.message,
  );

const evm: Peer[] = ['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util'];
const rlp: Peer = '@ethereumjs/rlp';
const needs: Record<Command, Peer[][]> = {
  verify: [[rlp]],
  explain: [],
  compact: [],
  load: [['lmdb'], ['pg']],
  snapshot: [['lmdb'], ['pg'], [rlp]],
  migrate: [['lmdb']],
  status: [['lmdb'], ['pg']],
  follow: [['lmdb'], ['pg'], ['prom-client']],
  serve: [
    ['hono', '@hono/node-server', 'lmdb', 'pino', 'prom-client'],
    ['pg'],
    [rlp],
    ['@hono/zod-openapi', 'zod', 'viem'],
    evm,
  ],
  fetch: [[rlp]],
  calldata: [],
  message: [[rlp]],
  tx: [[rlp]],
  block: [[rlp]],
  logs: [[rlp]],
  decode: [['viem'], [rlp, ...evm]],
  index: [['lmdb'], ['prom-client']],
  balances: [['zod'], [rlp, ...evm]],
  transactions: [['zod'], [rlp, ...evm]],
  transfers: [['zod'], [rlp, ...evm]],
  holders: [['zod'], [rlp, ...evm]],
  activity: [['zod']],
  portfolio: [['zod']],
  allowances: [['zod'], [rlp, ...evm]],
  nfts: [['zod'], [rlp, ...evm]],
  proxy: [[rlp, 'hono', '@hono/node-server'], evm],
  devnet: [
    [
      '@foundry-rs/anvil',
      ...(['hono', '@hono/node-server', 'lmdb', 'pino', 'prom-client'] as const),
      ...(['@hono/zod-openapi', 'zod', 'viem'] as const),
      ...[rlp, ...evm],
    ],
  ],
  completion: [],
};

test.each(each)('%s names the packages that the command needs', (name, text) => {
  const lines = [...text.matchAll(/^(?:Needs|and)\b.*: (npm install .*)$/gm)];
  expect(lines.map(([, line]) => line)).toEqual(needs[name].map((names) => installLine(names)));
});

test('all optional packages are named, but those of the pool and no command', () => {
  const named = [...Object.values(needs).flat(2), 'piscina'];
  expect([...new Set(named)].sort()).toEqual(Object.keys(peers).sort());
});

test.each(each)('%s has exit codes', (_, text) => {
  expect(text).toMatch(/^Exit codes: 0 [^]*\b3 /m);
});

const snapshot = (action: string) => (args: readonly string[]) => runSnapshot([action, ...args]);

const runs: [Command, (args: readonly string[]) => Promise<unknown>][] = [
  ['verify', runVerify],
  ['verify', runStream],
  ['explain', runExplain],
  ['compact', runCompact],
  ['load', runLoad],
  ['snapshot', snapshot('export')],
  ['snapshot', snapshot('verify')],
  ['snapshot', snapshot('import')],
  ['migrate', runMigrate],
  ['status', runStatus],
  ['snapshot', snapshot('info')],
  ['follow', runFollow],
  ['serve', runServe],
  ['fetch', runFetch],
  ['calldata', runCalldata],
  ['message', runMessage],
  ['tx', runTx],
  ['block', runBlock],
  ['logs', runLogs],
  ['decode', runDecode],
  ['index', runIndex],
  ['balances', runBalances],
  ['transactions', runTransactions],
  ['transfers', runTransfers],
  ['holders', runHolders],
  ['activity', runActivity],
  ['portfolio', runPortfolio],
  ['allowances', runAllowances],
  ['nfts', runNfts],
  ['proxy', runProxy],
  ['devnet', runDevnet],
  ['completion', (args) => runCompletion(['bash', ...args])],
];

/** Flags that the help shows. */
const shown = (text: string) => [...text.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name);

test.each(names)('%s takes each flag of its help', async (command) => {
  const flags = shown(help[command]);
  expect(flags).toContain('--json');
  const known = new Set<string>();
  for (const [, run] of runs.filter(([name]) => name === command)) {
    for (const name of flags) {
      const message = await refusal(run, [`${name}`, '--bogus']);
      if (message.startsWith('unknown option "--bogus"')) known.add(name as string);
      else if (message.includes('needs a value')) known.add(name as string);
    }
  }
  expect([...known].sort()).toEqual([...flags].sort());
});

test.each(runs)('%s names what was probably meant', async (_, run) => {
  const hints = new Set<unknown>();
  for (const name of ['--rooot', '--sttore', '--l-2', '--adress', '--nd-json']) {
    const error: unknown = await run([name]).catch((cause) => cause);
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).toBe(`unknown option "${name}"`);
    if (error.hint !== undefined) hints.add(error.hint);
  }
  expect(hints.size).toBeGreaterThan(0);
  for (const hint of hints) expect(hint).toMatch(/^did you mean --[\w-]+\?$/);
});

test.each(each)('the help of %s has 80 columns, an example and groups in order', (name, text) => {
  for (const line of text.split('\n')) {
    // A line that installs packages is copied whole.
    if (!line.includes(': npm install ')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(line).toBe(line.trimEnd());
  }
  expect(text).toMatch(new RegExp(`^Example:\n  l2proof ${name} `, 'm'));
  const titles = [...text.matchAll(/^(\w+):$/gm)].map(([, title]) => title?.toLowerCase());
  const order = groups.filter((group) => titles.includes(group));
  expect(titles).toEqual([...order, 'example']);
  // What most people need stands before all groups, and is little.
  const [common = ''] = text.split(/^\w+:$/m);
  expect(shown(common).length).toBeLessThanOrEqual(7);
});

test('the help of all is a screen, with each command on one line', () => {
  const lines = mainUsage().split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const named = lines.flatMap(
    (line) => /^ {2}(\w+(?:, \w+)*) +[A-Z]/.exec(line)?.[1]?.split(', ') ?? [],
  );
  expect(named.sort()).toEqual([...names].sort());
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
  expect(help.migrate).toMatch(/^ {2}--keep-state +converts/m);
});

test('a flag of the other form of verify is told as such', async () => {
  expect(await refusal(runVerify, ['--jobs', '2'])).toBe(
    'unknown option "--jobs"; it goes with --ndjson',
  );
  expect(await refusal(runStream, ['--ndjson', '--root', '0x'])).toBe(
    'unknown option "--root"; with --ndjson, each line has its claim',
  );
});

test('what the help calls a default of serve is the default of the service', async () => {
  const tree = await openStateTree();
  const { limits } = await createService({ tree, finality: fixedFinality(0) });
  await tree.close();
  const bounds = parseRequest(['--store', 'x', '--finality', '0']);
  expect(bounds.limits).toEqual(limits);
  expect(bounds.server.maxConnections).toBe(defaultConnections);
});

test('the help of the proxy lists what "send" lets through', () => {
  const isAnswered = () => false;
  const isPassed = createPassthrough(['send'], { isAnswered, isOfBlocks: isAnswered });
  const source = readFileSync('src/provider/methods/passthrough.ts', 'utf8');
  const methods = [...new Set(source.match(/eth_\w+/g))];
  const calls = methods.flatMap((method) =>
    ['latest', 'pending', 'safe'].map((tag) => [method, [tag, tag, tag]] as const),
  );
  const passed = new Set(calls.filter((call) => isPassed(...call)).map(([method]) => method));
  const text = help.proxy.replaceAll(/\s+/g, ' ');
  expect([...passed].sort()).toEqual(text.match(/eth_\w+/g)?.sort());
  const ways = (name: string) =>
    calls.filter((call) => call[0] === name && isPassed(...call)).map(([, [tag]]) => tag);
  expect(ways('eth_getTransactionCount')).toEqual(['pending']);
  expect(ways('eth_estimateGas')).toEqual(['pending']);
  expect(text).toContain('eth_getTransactionCount and eth_estimateGas at pending');
  expect(ways('eth_getBlockByNumber')).toEqual(['latest', 'pending', 'safe']);
  expect(text).toContain('only what is not proven is let through: the newest');
});

test('the help says which variables of the environment count', () => {
  const of = (text: string) => [
    ...new Set(
      [...text.replaceAll(/\s+/g, ' ').matchAll(/\(env (L2PROOF_\w+)/g)].map(([, name]) => name),
    ),
  ];
  const named = each.map(([name, text]) => [name, of(text).sort()]);
  expect(Object.fromEntries(named)).toEqual({
    verify: [],
    explain: [],
    compact: [],
    load: [],
    migrate: [],
    devnet: [],
    status: [],
    completion: [],
    balances: ['L2PROOF_BEACON', 'L2PROOF_DATA', 'L2PROOF_L1', 'L2PROOF_L2'],
    transactions: ['L2PROOF_BEACON', 'L2PROOF_DATA', 'L2PROOF_L1', 'L2PROOF_L2'],
    transfers: ['L2PROOF_BEACON', 'L2PROOF_DATA', 'L2PROOF_L1', 'L2PROOF_L2'],
    holders: ['L2PROOF_BEACON', 'L2PROOF_DATA', 'L2PROOF_L1', 'L2PROOF_L2'],
    activity: ['L2PROOF_DATA'],
    portfolio: ['L2PROOF_DATA'],
    allowances: ['L2PROOF_BEACON', 'L2PROOF_DATA', 'L2PROOF_L1', 'L2PROOF_L2'],
    nfts: ['L2PROOF_BEACON', 'L2PROOF_DATA', 'L2PROOF_L1', 'L2PROOF_L2'],
    decode: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2', 'L2PROOF_NODE'],
    fetch: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2'],
    follow: ['L2PROOF_L1', 'L2PROOF_L2'],
    index: ['L2PROOF_L2'],
    block: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2', 'L2PROOF_NODE'],
    logs: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2', 'L2PROOF_NODE'],
    proxy: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2', 'L2PROOF_NODE'],
    calldata: [],
    message: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2', 'L2PROOF_NODE'],
    tx: ['L2PROOF_BEACON', 'L2PROOF_L1', 'L2PROOF_L2', 'L2PROOF_NODE'],
    serve: ['L2PROOF_DECODE', 'L2PROOF_KEYS', 'L2PROOF_L1', 'L2PROOF_NODE'],
    snapshot: ['L2PROOF_BEACON', 'L2PROOF_L1'],
  });
});

test('each limit of serve has its line', () => {
  const limits = help.serve.match(/--max-[\w-]+/g) as string[];
  expect(new Set(limits).size).toBe(8);
  for (const limit of new Set(limits)) {
    expect(help.serve).toMatch(new RegExp(`^  ${limit} \\w+(?: +|\\n {22})\\w+`, 'm'));
  }
});
