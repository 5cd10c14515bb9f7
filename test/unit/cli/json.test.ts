/** `--json` of each command: a refusal is one object on one line of stdout, beside what people read; so is what is new of results. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Command, commands } from '../../../src/cli/help/usage.js';
import { mapConcurrently } from '../../../src/concurrent.js';
import { blockLine, genesisLines } from '../../../src/follow/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { newFolder } from '../../support/folder.js';
import { honest, patience } from '../../support/runs.js';
import { openWorld } from '../../support/service.js';

const { result, claim } = honest('poseidon2');
const folder = newFolder();
const at = (name: string) => join(folder, name);
const save = (name: string, content: string) => {
  writeFileSync(at(name), content);
  return at(name);
};

const good = save('good.json', JSON.stringify(result));
const rubbish = save('rubbish', 'rubbish');
const none = at('none');
const store = at('state');
const address = `0x${'a1'.repeat(20)}` as const;
const genesis = { number: 0, changes: [{ address, account: { nonce: 1n, balance: 5n } }] };
const blocks = save(
  'blocks.jsonl',
  [...genesisLines(genesis), blockLine({ number: 1, changes: [{ address, account: null }] })].join(
    '\n',
  ),
);
let taken: Server;
let port: string;
let stateRoot: string;
beforeAll(async () => {
  const tree = await openWorld(lmdbStore({ path: store }));
  stateRoot = await tree.stateRoot(11);
  await tree.close();
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  port = String((taken.address() as { port: number }).port);
});
afterAll(() => {
  taken.close();
});

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function l2proof(args: readonly string[], node: readonly string[] = []): Promise<Ended> {
  const env = { ...process.env, L2PROOF_KEYS: '', L2PROOF_L1: '', L2PROOF_L2: '' };
  const child = spawn(process.execPath, [...node, 'dist/cli/main.js', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => {
    out.stdout += part;
  });
  child.stderr.on('data', (part) => {
    out.stderr += part;
  });
  const [status] = await once(child, 'close');
  return { status, ...out };
}

/** What a program reads of a refusal. */
function refusalOf({ stdout }: Ended): Record<string, unknown> {
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  const refusal = JSON.parse(stdout);
  expect(Object.keys(refusal)).toEqual(['ok', 'code', 'path', 'reason']);
  expect(refusal.ok).toBe(false);
  return refusal;
}

/** Nothing listens on the first port. */
const dead = 'http://127.0.0.1:1';
const slots = (claim.storageKeys ?? []).flatMap((key) => ['--slot', key]);
const asked = ['--root', claim.stateRoot, '--address', claim.address, ...slots];
const other = ['--root', `0x${'01'.repeat(32)}`, '--address', claim.address, ...slots];
const hash = `0x${'11'.repeat(32)}`;
const ends = ['--l1', dead, '--l2', dead];
/** Each line has a store of its own: they run side by side. */
const follow = (name: string) => [
  ...['follow', '--store', at(name), '--l2', dead, '--once', '--fork', 'prague'],
];
const proof = [...ends, '--network', 'mainnet'];
const noNetwork = [...ends, '--network', none];
const listed = ['--url', dead, '--chain', 'x'];
const snapshotRoot = ['--root', `0x${'01'.repeat(32)}`];

type Line = readonly [args: readonly string[], status: number, code: string];

/** For each command, beside a mistake in the command line: a file or store that is missing, and what it refuses. */
const lines: Record<Exclude<Command, 'devnet'>, readonly Line[]> = {
  verify: [
    [['verify', none, ...asked], 3, 'FILE'],
    [['verify', '--ndjson', none], 3, 'FILE'],
    [['verify', rubbish, ...asked], 2, 'MALFORMED'],
    [['verify', good, ...other], 1, 'ROOT_MISMATCH'],
    // It is given twice, or has a value.
    [['verify', good, ...asked, '--json'], 3, 'USAGE'],
    [['verify', good, ...asked, '--json=yes'], 3, 'USAGE'],
  ],
  // What is refused is explained: commands/explain.test.ts.
  explain: [
    [['explain', none, ...asked], 3, 'FILE'],
    [['explain', rubbish, ...asked], 2, 'MALFORMED'],
  ],
  compact: [
    [['compact', none, '--out', at('out'), ...asked], 3, 'FILE'],
    [['compact', good, '--out', join(none, 'out'), ...asked], 3, 'FILE'],
    [['compact', good, '--out', at('out'), ...other], 1, 'ROOT_MISMATCH'],
  ],
  fetch: [
    [['fetch', '--address', address, ...ends, '--network', none], 3, 'FILE'],
    [['fetch', '--address', address, ...ends, '--network', 'mainnet'], 4, 'NETWORK'],
  ],
  proxy: [
    [['proxy', ...ends, '--network', none], 3, 'FILE'],
    [['proxy', ...ends, '--network', 'mainnet', '--port', 'TAKEN'], 3, 'PORT'],
  ],
  calldata: [
    [['calldata', none, ...asked], 3, 'FILE'],
    [['calldata', rubbish, ...asked], 2, 'MALFORMED'],
    [['calldata', good, ...other], 1, 'ROOT_MISMATCH'],
  ],
  message: [
    [['message', hash, ...noNetwork], 3, 'FILE'],
    [['message', '0x12', ...proof], 3, 'USAGE'],
    [['message', hash, ...proof], 4, 'NETWORK'],
  ],
  tx: [
    [['tx', hash, ...noNetwork], 3, 'FILE'],
    [['tx', '0x12', ...proof], 3, 'USAGE'],
    [['tx', hash, ...proof], 4, 'NETWORK'],
  ],
  block: [
    [['block', '7', ...noNetwork], 3, 'FILE'],
    [['block', 'seven', ...proof], 3, 'USAGE'],
    [['block', '7', ...proof], 4, 'NETWORK'],
  ],
  logs: [
    [['logs', ...noNetwork], 3, 'FILE'],
    [['logs', '--topic', '0x12', ...proof], 3, 'USAGE'],
    [['logs', ...proof], 4, 'NETWORK'],
  ],
  decode: [
    [['decode', hash, '--l2', dead, '--abis', none], 3, 'FILE'],
    [['decode', hash, '--l2', dead], 4, 'NETWORK'],
  ],
  balances: [
    [
      [
        ...['balances', '--address', address, '--url', dead, '--chain', 'x'],
        ...['--prove', '--l1', dead, '--network', none],
      ],
      3,
      'FILE',
    ],
    [['balances', '--address', address, '--url', dead, '--chain', 'x'], 4, 'NETWORK'],
  ],
  transactions: [
    [['transactions', '0x12', ...listed], 3, 'USAGE'],
    [['transactions', ...listed], 3, 'USAGE'],
    [['transactions', address, ...listed], 4, 'NETWORK'],
  ],
  transfers: [
    [['transfers', address, ...listed, '--from', '6', '--to', '5'], 3, 'USAGE'],
    [['transfers', address, ...listed, '--token', address], 4, 'NETWORK'],
  ],
  holders: [
    [['holders', address, ...listed, '--limit', '0'], 3, 'USAGE'],
    [['holders', address, ...listed], 4, 'NETWORK'],
  ],
  activity: [
    [['activity', address, '--chain', 'x'], 3, 'USAGE'],
    [['activity', address, '--url', dead], 4, 'NETWORK'],
  ],
  portfolio: [
    [['portfolio', address, ...listed, '--days', '367'], 3, 'USAGE'],
    [['portfolio', address, ...listed], 4, 'NETWORK'],
  ],
  allowances: [
    [['allowances', address, ...listed, '--limit', '0'], 3, 'USAGE'],
    [['allowances', address, ...listed], 4, 'NETWORK'],
  ],
  nfts: [
    [['nfts', address, ...listed, '--limit', '0'], 3, 'USAGE'],
    [['nfts', address, ...listed], 4, 'NETWORK'],
  ],
  load: [
    [['load', '--store', at('load'), none], 3, 'FILE'],
    [['load', '--store', at('load-rubbish'), rubbish], 2, 'BAD_FILE'],
    [['load', '--store', rubbish, blocks], 3, 'WRONG_STORE'],
  ],
  follow: [
    [[...follow('f1'), '--genesis', none], 3, 'FILE'],
    [follow('f2'), 3, 'WRONG_STORE'],
    [[...follow('f3'), '--genesis', blocks], 4, 'NODE_FAILED'],
  ],
  serve: [
    [['serve', '--store', none, '--finality', '1'], 3, 'WRONG_STORE'],
    [['serve', '--store', store, '--finality', '1', '--host', '0.0.0.0'], 3, 'KEYS_REQUIRED'],
    [['serve', '--store', store, '--finality', '1', '--port', 'TAKEN'], 3, 'PORT'],
    [['serve', '--store', none, '--finality', '1', '--processes', '2'], 3, 'WRONG_STORE'],
  ],
  index: [
    [['index', '--store', at('index'), '--l2', dead, '--once'], 4, 'NETWORK'],
    [['index', '--store', 'http://x', '--l2', dead], 3, 'USAGE'],
    [['index', '--store', at('index')], 3, 'USAGE'],
    [['index', '--store', none, '--check'], 3, 'WRONG_STORE'],
  ],
  snapshot: [
    [['snapshot', 'export', '--store', none, '--out', at('out')], 3, 'WRONG_STORE'],
    [['snapshot', 'export', '--store', store, '--out', '-'], 3, 'USAGE'],
    [['snapshot', 'verify', none, ...snapshotRoot], 3, 'FILE'],
    [['snapshot', 'verify', rubbish, ...snapshotRoot], 2, 'BAD_SNAPSHOT'],
    [['snapshot', 'import', rubbish, '--store', at('import'), ...snapshotRoot], 2, 'BAD_SNAPSHOT'],
    [['snapshot', 'verify', good], 3, 'USAGE'],
    [['snapshot', 'nothing'], 3, 'USAGE'],
  ],
  status: [
    [['status', '--store', none], 3, 'WRONG_STORE'],
    [['status', '--store', rubbish], 3, 'WRONG_STORE'],
  ],
  migrate: [[['migrate', '--store', none], 3, 'WRONG_STORE']],
  completion: [[['completion', 'csh'], 3, 'USAGE']],
};

const all = [
  ...commands.map((name): Line => [[name, '--bogus'], 3, 'USAGE']),
  ...commands.map((name): Line => [[name, '--jsn'], 3, 'USAGE']),
  ...Object.values(lines).flat(),
  [['nothing'], 3, 'USAGE'],
] as const;

test('each command has a row', () => {
  expect(Object.keys(lines).sort()).toEqual(commands.filter((name) => name !== 'devnet').sort());
});

test(
  'a refusal is one object on one line, with the exit code and the lines on stderr that it has without --json',
  async () => {
    const faults: unknown[] = [];
    await mapConcurrently(all, 4, async ([given, status, code]) => {
      const args = given.map((arg) => (arg === 'TAKEN' ? port : arg));
      const ended = await l2proof([...args, '--json']);
      const refusal = refusalOf(ended);
      if (ended.status !== status || refusal.code !== code || refusal.reason === '') {
        faults.push([args, ended]);
      }
      // People read the same, with advice around it.
      expect(ended.stderr).toContain(refusal.reason);
    });
    expect(faults).toEqual([]);
  },
  8 * patience,
);

test(
  'without --json, stdout stays empty',
  async () => {
    for (const [args, status] of [
      [['verify', good, ...other], 1],
      [['verify', none, ...asked], 3],
      [['load', '--bogus'], 3],
      [['verify', ...asked, '--', '--json'], 3],
    ] as const) {
      expect(await l2proof(args)).toMatchObject({ status, stdout: '' });
    }
  },
  patience,
);

test(
  'the path and the reason are those of the library',
  async () => {
    const edited = structuredClone(result);
    edited.accountProof.proof.proofRelatedNodes.pop();
    const cut = save('cut.json', JSON.stringify(edited));
    const shape = refusalOf(await l2proof(['verify', cut, ...asked, '--json']));
    expect(shape).toMatchObject({
      code: 'MALFORMED',
      path: 'accountProof.proof.proofRelatedNodes',
      reason: expect.stringMatching(/^expected 42 nodes/),
    });
    edited.accountProof = structuredClone(result.accountProof);
    edited.storageProofs[0].proof.value = `0x${'11'.repeat(32)}`;
    const wrong = save('wrong.json', JSON.stringify(edited));
    expect(refusalOf(await l2proof(['verify', wrong, ...asked, '--json']))).toEqual({
      ok: false,
      code: 'HVALUE_MISMATCH',
      path: expect.stringMatching(/^storageProofs\[0\]/),
      reason: expect.not.stringMatching(/HVALUE_MISMATCH|not verified/),
    });
  },
  patience,
);

test(
  'a missing package and a failure of the command itself are refusals, too',
  async () => {
    const loader = save(
      'hooks.mjs',
      "export function resolve(name, context, next) { if (name === '@ethereumjs/rlp') throw new Error('gone'); return next(name, context); }",
    );
    const register = `data:text/javascript,import { register } from 'node:module'; register(${JSON.stringify(`file://${loader}`)});`;
    const answer = save('answer', JSON.stringify(result));
    const blockHash = `0x${'11'.repeat(32)}`;
    const args = [
      'verify',
      answer,
      '--block-hash',
      blockHash,
      '--address',
      claim.address,
      '--json',
    ];
    const ended = await l2proof(args, ['--import', register]);
    expect(refusalOf(ended)).toMatchObject({ code: 'MISSING_PEER', path: null });
    expect(ended.status).toBe(3);

    // Thrown once the command listens for it, while it reads a line without end.
    const breaks = `data:text/javascript,const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return;
      clearInterval(timer);
      throw new Error('by itself');
    }, 50);`;
    const endless = ['verify', '--ndjson', '/dev/zero', '--json'];
    const failed = await l2proof(endless, ['--import', breaks]);
    expect(refusalOf(failed)).toMatchObject({ code: 'FAILED' });
    expect(failed.stderr).toContain('by itself');
    expect(failed.status).toBe(4);
  },
  patience,
);

describe('a result', () => {
  const read = async (...args: string[]) => {
    const ended = await l2proof([...args, '--json']);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    return JSON.parse(ended.stdout);
  };

  test(
    'of each command that had none is an object',
    async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      expect(await read('version')).toEqual({ version });
      const out = at('proof.bin');
      expect(await read('compact', good, '--out', out, ...asked)).toEqual({
        file: out,
        bytes: statSync(out).size,
        answerBytes: statSync(good).size,
      });
      const loaded = at('loaded');
      const state = { block: 1, final: 1, stateRoot: expect.stringMatching(/^0x[\da-f]{64}$/) };
      expect(await read('load', '--store', loaded, blocks)).toEqual({ applied: 2, ...state });
      expect(await read('load', '--store', loaded, blocks)).toEqual({ applied: 0, ...state });
      expect(await read('migrate', '--store', loaded)).toEqual({ store: loaded });
      const { shell, script } = await read('completion', 'bash');
      expect(shell).toBe('bash');
      expect(script).toContain('complete -F');
    },
    2 * patience,
  );

  test(
    'of a snapshot says what it claims alone',
    async () => {
      const file = at('state.snapshot');
      expect(await read('snapshot', 'export', '--store', store, '--out', file)).toMatchObject({
        file,
      });
      const own = { block: 11, stateRoot, accounts: 3, slots: 3 };
      const root = ['--root', stateRoot];
      expect(await read('snapshot', 'verify', file, ...root)).toMatchObject({
        ...own,
        claimed: ['block'],
      });
      expect(await read('snapshot', 'verify', file, ...root, '--block', '11')).toMatchObject({
        claimed: [],
      });
      const to = ['--store', at('imported')];
      expect(await read('snapshot', 'import', file, ...to, ...root)).toMatchObject(own);
    },
    2 * patience,
  );
});
