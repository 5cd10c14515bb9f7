/** The table from errors to exit codes and advice: whole, and as docs/cli.md has it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AnchorError } from '../../../../src/anchor/index.js';
import { ConsensusError } from '../../../../src/beacon/index.js';
import { failureOf, failures } from '../../../../src/cli/exit/failures.js';
import { FollowError } from '../../../../src/follow/index.js';
import { HistoryError } from '../../../../src/history/index.js';
import { ShapeError, VerificationError } from '../../../../src/index.js';
import { PoolError } from '../../../../src/pool/index.js';
import { RpcError } from '../../../../src/rpc/index.js';
import { IndexError } from '../../../../src/service/index.js';
import { TreeError } from '../../../../src/tree/index.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(join('src', name), 'utf8')] as const);
const all = sources.map(([, text]) => text).join('\n');

/** They end no command: answers of the proxy's methods, whose codes are numbers. */
const answers = ['ProviderError'];

/** Each class with codes, and its codes, as the source declares them. */
const declared = new Map(
  [...all.matchAll(/class (\w+)[^{]*?extends (?:CodedError|ProofError)<(\w+Code)>/gs)]
    .filter(([, name = '']) => !answers.includes(name))
    .map(([, name = '', type]) => {
      const list = new RegExp(`export type ${type} =([^;]*);`).exec(all)?.[1] ?? '';
      return [name, [...list.matchAll(/'(\w+)'/g)].map(([, code = '']) => code).sort()];
    }),
);

test('each code of each class that has some has a row', () => {
  expect([...declared.keys()]).toContain('VerificationError');
  expect([...declared.keys()]).toContain('TreeError');
  for (const codes of declared.values()) expect(codes.length).toBeGreaterThan(1);
  const rows = Object.entries(failures).map(([name, codes]) => [name, Object.keys(codes).sort()]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(declared));
});

test('docs/cli.md has the exit code of each', () => {
  const found = new Map<string, number>();
  for (const line of readFileSync('docs/cli.md', 'utf8').split('\n')) {
    const [, name = '', rest = ''] = /^\| `(\w+Error)` +\|(.*)\|$/.exec(line) ?? [];
    for (const [i, cell] of rest.split('|').entries()) {
      const codes = cell.trim() === 'each' ? declared.get(name) : cell.match(/\w+/g);
      for (const code of codes ?? []) {
        expect(found.has(`${name} ${code}`)).toBe(false);
        found.set(`${name} ${code}`, i + 1);
      }
    }
  }
  const own = Object.entries(failures).flatMap(([name, rows]) =>
    Object.entries(rows as Record<string, { exit: number }>).map(
      ([code, { exit }]) => [`${name} ${code}`, exit] as const,
    ),
  );
  expect(Object.fromEntries(own)).toEqual(Object.fromEntries(found));
});

/** What is printed, and the exit code. */
const endOf = (error: unknown, command: string) => {
  const failure = failureOf(error, command);
  return failure && [failure.exitCode, failure.message];
};

const anew = "begin a new store with the chain's genesis";
const wrongGenesis = { detail: 'WRONG_GENESIS' } as const;

describe('what a user is told', () => {
  test.each<[error: unknown, command: string, end: unknown]>([
    [
      new VerificationError('KEY_MISMATCH', 'a', 'is b'),
      'verify',
      [
        1,
        'not verified: "a" is b (KEY_MISMATCH); check --root, --address and --slot, then distrust the server',
      ],
    ],
    [
      new VerificationError('ROOT_MISMATCH', '', 'text'),
      'compact',
      [1, 'not verified: text (ROOT_MISMATCH)'],
    ],
    [
      new VerificationError('ROOT_MISMATCH', '', 'text'),
      'fetch',
      [1, 'not verified: text (ROOT_MISMATCH); distrust the L2 server'],
    ],
    [new ShapeError('a', 'is b'), 'verify', [2, 'malformed answer: "a" is b; ask another server']],
    [
      new ShapeError('a', 'is b'),
      'fetch',
      [2, 'malformed answer: "a" is b; ask another L2 server'],
    ],
    [new AnchorError('STALE', 'text'), 'fetch', [4, 'no trusted root: text (STALE)']],
    [new AnchorError('BAD_PROOF', 'text'), 'balances', [1, 'no trusted root: text (BAD_PROOF)']],
    [new ConsensusError('STALE', 'text'), 'fetch', [4, 'no final block of L1: text (STALE)']],
    [
      new HistoryError('WRONG_RECEIPTS', 'text'),
      'tx',
      [1, 'not verified: text (WRONG_RECEIPTS); ask another L2 server'],
    ],
    [
      new HistoryError('BAD_ANSWER', 'text'),
      'block',
      [2, 'malformed answer: text (BAD_ANSWER); ask another L2 server'],
    ],
    [new HistoryError('NOT_PROVEN', 'text'), 'tx', [4, 'text (NOT_PROVEN)']],
    [new HistoryError('RANGE_TOO_WIDE', 'text'), 'logs', [3, 'text (RANGE_TOO_WIDE)']],
    [new RpcError('NOT_JSON', 'm', 'text'), 'index', [2, 'm: text (NOT_JSON)']],
    [new RpcError('NETWORK', 'm', 'text'), 'index', [4, 'm: text (NETWORK)']],
    [
      new FollowError('NODE_FAILED', 'text'),
      'follow',
      [4, 'text (NODE_FAILED); check its URL, and run it again'],
    ],
    [new FollowError('NODE_FAILED', 'text'), 'index', [4, 'text (NODE_FAILED)']],
    [
      new FollowError('STATE_MISMATCH', 'text'),
      'follow',
      [1, `text (STATE_MISMATCH); ask another node, or ${anew}`],
    ],
    [
      new FollowError('STATE_MISMATCH', 'text', wrongGenesis),
      'follow',
      [1, `text (STATE_MISMATCH); ${anew}`],
    ],
    [
      new FollowError('ROOT_MISMATCH', 'text', wrongGenesis),
      'follow',
      [1, `text (ROOT_MISMATCH); ${anew}`],
    ],
    [
      new FollowError('ROOT_MISMATCH', 'text'),
      'follow',
      [1, `text (ROOT_MISMATCH); check --l1 and --rollup; if they are right, ${anew}`],
    ],
    [
      new FollowError('ROOT_MISMATCH', 'line 3: text', { line: 3 }),
      'load',
      [1, 'line 3: text (ROOT_MISMATCH)'],
    ],
    [
      new TreeError('WRONG_STORE', 'text', { detail: 'NO_STORE' }),
      'follow',
      [3, 'text (WRONG_STORE); load a state file first, or pass --genesis'],
    ],
    [
      new TreeError('WRONG_STORE', 'text', { detail: 'NO_STORE' }),
      'migrate',
      [3, 'text (WRONG_STORE)'],
    ],
    [new TreeError('WRONG_STORE', 'text'), 'follow', [3, 'text (WRONG_STORE)']],
    [
      new TreeError('DAMAGED', 'text'),
      'data',
      [3, '--data: text (DAMAGED); l2proof index feeds one'],
    ],
    [
      new IndexError('WRONG_INDEX', 'text'),
      'data',
      [3, '--data: text (WRONG_INDEX); l2proof index feeds one'],
    ],
    [new IndexError('WRONG_INDEX', 'text'), 'index', [3, 'text (WRONG_INDEX)']],
    [new PoolError('WORKER_DIED', 'text'), 'verify', [4, 'text (WORKER_DIED); run it again']],
    [new PoolError('MISSING_PEER', 'run: npm install a'), 'verify', [3, 'run: npm install a']],
    [new Error('text'), 'verify', undefined],
  ])('%s of %s', (error, command, end) => {
    expect(endOf(error, command)).toEqual(end);
  });
});

/** The command's own modules, and what makes the kernels when the package is built. */
const ownTexts = /^(cli|hash.kernel.generator)\W/;

test('no text of the library names a flag or a command', () => {
  const flag =
    /(^|[\s('"`])--[a-z][a-z-]+|\bl2proof (verify|fetch|compact|load|snapshot|migrate)\b|\bl2proof (follow|serve|index|balances|proxy|decode|tx|block|logs) --/;
  for (const [name, text] of sources.filter(([name]) => !ownTexts.test(name))) {
    const code = text.replace(/\/\*.*?\*\/|(?<=^\s*)\/\/.*$/gms, '');
    const texts = code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
    expect([name, texts.filter((one) => flag.test(one))]).toEqual([name, []]);
  }
});
