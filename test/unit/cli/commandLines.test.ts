/** Right and wrong command lines: what each ends with, and a first line that says what to do. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../src/cli/help/usage.js';
import { genesisLines } from '../../../src/follow/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { newFolder } from '../../support/folder.js';
import { honest } from '../../support/runs.js';
import { openWorld } from '../../support/service.js';

const { result, claim } = honest('poseidon2');
const { stateRoot, address, storageKeys = [] } = claim;
const folder = newFolder();
const at = (name: string) => join(folder, name);
const save = (name: string, content: unknown) => {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
};

const good = save('good.json', result);
const line = JSON.stringify({ ...claim, result });
const lines = save('good.ndjson', `${line}\n\n${line}\n`);
const genesis = save(
  'genesis.jsonl',
  [
    ...genesisLines({ number: 0, changes: [{ address, account: { nonce: 1n, balance: 5n } }] }),
  ].join('\n'),
);
const huge = save('huge.json', '{');
truncateSync(huge, 3 * 2 ** 30);
const store = at('state');
beforeAll(async () => {
  await (await openWorld(lmdbStore({ path: store }))).close();
});

const root = ['--root', stateRoot];
const account = ['--address', address];
const slots = storageKeys.flatMap((key) => ['--slot', key]);
const asked = [...root, ...account, ...slots];
const hex = (byte: string, width: number) => `0x${byte.repeat(width)}`;
/** A node that takes no connection: nothing listens on the first port. */
const dead = 'http://127.0.0.1:1';
const follow = ['follow', '--store', at('followed'), '--fork', 'prague', '--once'];
const serve = ['serve', '--store', store, '--port', '0'];
const rollup = hex('d1', 20);

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function l2proof(args: readonly string[], input = ''): Ended {
  const env = { ...process.env, L2PROOF_KEYS: '', L2PROOF_L1: '', L2PROOF_L2: '' };
  const command = ['dist/cli/main.js', ...args];
  return spawnSync(process.execPath, command, { env, input, encoding: 'utf8', timeout: 55_000 });
}

const firstLine = (text: string) => text.split('\n')[0] as string;
const usage = /^see l2proof help/m;

describe('a right command line', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

  test.each<[string, string[], RegExp, string?]>([
    ...['--version', '-V', 'version'].map((word): [string, string[], RegExp] => [
      word,
      [word],
      new RegExp(`^${version}\n$`),
    ]),
    ...['help', '--help', '-h'].map((word): [string, string[], RegExp] => [
      word,
      [word],
      /^l2proof COMMAND [^]*^ {2}verify +V[^]*^ {2}serve +S/m,
    ]),
    ...['verify', 'explain', 'compact', 'load', 'follow', 'serve'].flatMap((command) =>
      [
        ['help', command],
        [command, 'help'],
        [command, '-h'],
        [command, '--store', 'x', '--help'],
      ].map((args): [string, string[], RegExp] => [
        args.join(' '),
        args,
        new RegExp(`^l2proof ${command} (?![^]*^l2proof (?!${command}))`, 'm'),
      ]),
    ),
    ['verify', ['verify', good, ...asked], /^verified\n/],
    [
      'verify --root=',
      ['verify', `--root=${stateRoot}`, ...account, ...slots, good],
      /^verified\n/,
    ],
    [
      '--state-root',
      ['verify', good, '--state-root', stateRoot, ...account, ...slots],
      /^verified\n/,
    ],
    ['a file behind --', ['verify', ...asked, '--', good], /^verified\n/],
    ['standard input', ['verify', '-', ...asked], /^verified\n/, JSON.stringify(result)],
    ['no file', ['verify', ...asked], /^verified\n/, JSON.stringify(result)],
    ['a byte order mark', ['verify', ...asked], /^verified\n/, `\ufeff${JSON.stringify(result)}\n`],
    ['a whole answer', ['verify', ...asked], /^verified\n/, JSON.stringify({ id: 1, result })],
    ['--json', ['verify', good, ...asked, '--json'], /^\{\n {2}"stateRoot": "0x/],
    ['--hash', ['verify', good, ...asked, '--hash', 'poseidon2'], /^verified\n/],
    ['--ndjson', ['verify', '--ndjson', lines], /^1: verified\n3: verified\n$/],
    [
      '--ndjson --jobs',
      ['verify', '--ndjson', lines, '--jobs', '2'],
      /^1: verified\n3: verified\n$/,
    ],
    ['--ndjson --json', ['verify', '--json', '--ndjson', lines], /^\{"line":1,"ok":true,"state":/],
    ['load', ['load', '--store', at('loaded'), genesis], /^loaded 1 block: block 0, final 0/],
  ])('%s', (_, args, output, input) => {
    const ended = l2proof(args, input);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toMatch(output);
  });
});

describe('a wrong command line ends with 3, in at most three lines that say where to read on', () => {
  test.each<[string, string[], RegExp]>([
    ['an unknown command', ['prove'], /^unknown command "prove"$/],
    ['a misspelt one that asks for help', ['verfy', '-h'], /^unknown command "verfy"$/],
    ['help about an unknown command', ['help', 'prove'], /^unknown command "prove"$/],
    ['an option for a command', ['--root', stateRoot], /^unknown command "--root"$/],
    ['no root', ['verify', good, ...account], /--root is required: the state root/],
    ['no address', ['verify', good, ...root], /--address is required: the account/],
    ['a root without value', ['verify', good, ...account, '--root'], /--root needs a value/],
    ['an option for a value', ['verify', good, '--root', ...account], /--root needs a value/],
    ['an empty value', ['verify', good, '--root=', ...account], /--root needs a value/],
    ['a root twice', ['verify', good, ...root, ...asked], /--root is given more than once/],
    [
      'an address twice',
      ['verify', good, ...account, ...asked],
      /--address is given more than once/,
    ],
    [
      'a switch twice',
      ['migrate', '--keep-state', '--keep-state'],
      /--keep-state is given more than once/,
    ],
    [
      'a root by both names',
      ['verify', good, ...asked, '--state-root', stateRoot],
      /--root and --state-root are one option; give one/,
    ],
    [
      'an unknown option',
      ['verify', good, ...asked, '--rooot', '0x'],
      /^unknown option "--rooot"$/,
    ],
    ['an unknown letter', ['verify', good, ...asked, '-x'], /^unknown option "-x"$/],
    [
      'a name of every object',
      ['verify', good, '--constructor'],
      /^unknown option "--constructor"$/,
    ],
    ['a flag with a value', ['follow', '--once=yes'], /--once takes no value/],
    ['two files', ['verify', good, good, ...asked], /expected one FILE, got 2; give one/],
    [
      'a short root',
      ['verify', good, '--root', '0x12', ...account],
      /--root expected 0x and 64 hex/,
    ],
    [
      'a root without 0x',
      ['verify', good, '--root', stateRoot.slice(2), ...account],
      /--root expected 0x/,
    ],
    [
      'no digits',
      ['verify', good, '--root', hex('zz', 32), ...account],
      /--root expected 0x and 64/,
    ],
    [
      'a zero root',
      ['verify', good, '--root', hex('00', 32), ...account],
      /--root is zero, .* no root/,
    ],
    [
      'a root of no family',
      ['verify', good, '--root', hex('ff', 32), ...account],
      /--root is no root .*Pass --hash mimc if/,
    ],
    [
      'a long address',
      ['verify', good, ...root, '--address', stateRoot],
      /--address expected an address, 20 bytes/,
    ],
    [
      'a short slot',
      ['verify', good, ...root, ...account, '--slot', (storageKeys[0] as string).slice(0, -1)],
      /--slot expected 4, 0x4, .*: hex of up to 16 digits is a number, and a storage key has 64/,
    ],
    [
      'an unknown family',
      ['verify', good, ...asked, '--hash', 'sha'],
      /--hash expected poseidon2 or mimc, got "sha"/,
    ],
    [
      'a claim beside lines',
      ['verify', '--ndjson', lines, ...root],
      /unknown option "--root"; with --ndjson, each line has its claim/,
    ],
    [
      'no jobs',
      ['verify', '--ndjson', lines, '--jobs', '0'],
      /--jobs expected a whole number from 1/,
    ],
    ['load without a store', ['load', genesis], /--store is required: the folder/],
    [
      'load of another family',
      ['load', '--store', at('x'), '--hash', 'MiMC', genesis],
      /--hash expected poseidon2 or mimc/,
    ],
    ['follow without a node', follow, /--l2 or L2PROOF_L2 is required: the URL/],
    [
      'follow without a fork',
      ['follow', '--store', at('x'), '--l2', dead],
      /--fork is required, one of london/,
    ],
    ['follow without a store', ['follow', '--fork', 'prague', '--l2', dead], /--store is required/],
    [
      'follow of an unknown fork',
      ['follow', '--store', at('x'), '--l2', dead, '--fork', 'pargue'],
      /--fork expected one of london, .*got "pargue"/,
    ],
    ['follow of a node that is no URL', [...follow, '--l2', 'node'], /--l2 expected a URL/],
    [
      'follow of a file',
      [...follow, '--l2', dead, genesis],
      /unexpected argument .*takes options only/,
    ],
    ['a contract without L1', [...follow, '--l2', dead, '--rollup', rollup], /--rollup needs --l1/],
    [
      'an invalid contract',
      [...follow, '--l2', dead, '--l1', dead, '--rollup', '0x12', '--genesis', genesis],
      /--rollup expected an address, 20 bytes/,
    ],
    ['serve without finality', serve, /either --finality or --rollup is required/],
    [
      'serve with a short key',
      [...serve, '--finality', '12', '--key', 'short'],
      /key 1 expected 8 to 256/,
    ],
    [
      'serve with no body',
      [...serve, '--finality', '12', '--max-body', '0'],
      /--max-body expected a whole number from 1/,
    ],
    [
      'serve with an invalid port',
      ['serve', '--store', store, '--finality', '12', '--port', 'x'],
      /--port expected a whole number, got "x"/,
    ],
  ])('%s', (_, args, message) => {
    const ended = l2proof(args);
    expect(firstLine(ended.stderr)).toMatch(message);
    expect(ended).toMatchObject({ status: 3, stdout: '' });
    expect(ended.stderr).toMatch(/^[^\n]+\n([^\n]+\n)?see l2proof help( \w+)?\n$/);
    expect(ended.stderr).not.toMatch(/^ +at /m);
  });
});

test('help --json has the same texts', () => {
  const [all, one, flag] = [
    ['help', '--json'],
    ['help', 'logs', '--json'],
    ['logs', '--help', '--json'],
  ].map((args) => JSON.parse(l2proof(args).stdout));
  expect(`${all.help}\n`).toBe(l2proof(['help']).stdout);
  expect(Object.keys(all.commands)).toEqual([...commands]);
  expect(`${all.commands.logs}\n`).toBe(l2proof(['help', 'logs']).stdout);
  expect(one).toEqual({ command: 'logs', help: all.commands.logs });
  expect(flag).toEqual(one);
});

test('no command is given: the help of all, and still 3', () => {
  const ended = l2proof([]);
  expect(ended).toMatchObject({ status: 3, stderr: '' });
  expect(ended.stdout).toBe(l2proof(['help']).stdout);
});

test.each([
  [
    ['serve', '--prot', '1'],
    'unknown option "--prot"\ndid you mean --port?\nsee l2proof help serve\n',
  ],
  [['verfy'], 'unknown command "verfy"\ndid you mean verify?\nsee l2proof help\n'],
  [['hlep', 'serve'], 'unknown command "hlep"\ndid you mean help?\nsee l2proof help\n'],
  [
    ['snapshot', 'verify', '--blok-hash=1'],
    'unknown option "--blok-hash"\ndid you mean --block-hash?\nsee l2proof help snapshot\n',
  ],
  [['index', '--nothing-near'], 'unknown option "--nothing-near"\nsee l2proof help index\n'],
])('%j says what was probably meant', (args, stderr) => {
  expect(l2proof(args)).toMatchObject({ status: 3, stdout: '', stderr });
});

test.each<[string[], string, string]>([
  [['status', '--color', 'alwasy'], '--color expected one of auto, always, never', 'always'],
  [
    ['verify', good, ...asked, '--hash', 'posiedon2'],
    '--hash expected poseidon2 or mimc',
    'poseidon2',
  ],
  [
    [...follow.slice(0, 3), '--l2', dead, '--fork', 'prage'],
    '--fork expected one of london, paris, shanghai, cancun, prague, osaka, amsterdam',
    'prague',
  ],
  [['snapshot', 'verfy'], 'snapshot expected one of export, info, verify, import', 'verify'],
  [['completion', 'bsh'], 'completion expected one of bash, zsh, fish', 'bash'],
  [[...serve, '--finality', 'stor'], '--finality expected a whole number or store', 'store'],
])('%j says which choice was probably meant', (args, text, near) => {
  const given = JSON.stringify(args.at(-1));
  const stderr = `${text}, got ${given}\ndid you mean ${near}?\nsee l2proof help ${args[0]}\n`;
  expect(l2proof(args)).toMatchObject({ status: 3, stdout: '', stderr });
});

test('a network that is none names the one that was probably meant', () => {
  const ended = l2proof(['fetch', ...account, '--l1', dead, '--l2', dead, '--network', 'mainet']);
  expect(ended).toMatchObject({ status: 3, stdout: '' });
  expect(ended.stderr).toMatch(/^--network "mainet": neither .*; did you mean mainnet\?\n$/);
});

describe('what is no mistake in the command line has a line of its own, and no usage', () => {
  const wrong = (count: number) => [...root, ...account, ...slots.slice(0, 2 * count)];

  test.each<[string, number, string[], RegExp, string?]>([
    [
      'a missing file',
      3,
      ['verify', at('none.json'), ...asked],
      /cannot read .*none.json: there is no such file; name .*ENOENT/,
    ],
    ['a folder', 3, ['verify', folder, ...asked], /it is a folder; name a file in it \(EISDIR\)/],
    ['a missing file of lines', 3, ['verify', '--ndjson', at('none')], /there is no such file/],
    ['a folder of lines', 3, ['verify', '--ndjson', folder], /it is a folder/],
    ['a missing state file', 3, ['load', '--store', at('x'), at('none')], /there is no such file/],
    ['an empty file', 2, ['verify', ...asked], /standard input is empty; expected the answer/],
    ['no JSON', 2, ['verify', ...asked], /standard input holds no JSON; save the answer/, '<html>'],
    [
      'half an answer',
      2,
      ['verify', ...asked],
      /holds no JSON; save the answer/,
      '{"accountProof":',
    ],
    ['a huge file', 2, ['verify', huge, ...asked], /huge.json is longer than 268435456 bytes/],
    ['null', 2, ['verify', ...asked], /malformed answer: expected an object, got null/, 'null'],
    [
      'an error',
      2,
      ['verify', ...asked],
      /the server answered an error: -32000 "busy"; ask again/,
      '{"error":{"code":-32000,"message":"busy"}}',
    ],
    ['a batch', 2, ['verify', ...asked], /expected one answer, got an array; save/, '[{}]'],
    [
      'an answer of another method',
      2,
      ['verify', ...asked],
      /malformed answer: .*; ask another server/,
      '{"result":{"accountProof":[]}}',
    ],
    ['a slot not named', 1, ['verify', good, ...wrong(2)], /not verified: .*SLOT_COUNT.*--slot/],
    [
      'a root of another block',
      1,
      ['verify', good, '--root', hex('01', 32), ...account, ...slots],
      /ROOT_MISMATCH/,
    ],
    [
      'another account',
      1,
      ['verify', good, ...root, '--address', hex('ab', 20), ...slots],
      /KEY_MISMATCH.*check --root/,
    ],
    [
      'a state file of rubbish',
      2,
      ['load', '--store', at('x'), '-'],
      /line 1: "line" expected JSON/,
      'rubbish',
    ],
    ['a state file of nothing', 2, ['load', '--store', at('x')], /the state file has no genesis/],
    ['a store that is a file', 3, ['load', '--store', good, genesis], /a store is a folder/],
    [
      'a dead node',
      4,
      [...follow, '--l2', dead, '--genesis', genesis],
      /the L2 node does not answer: .*; check its URL, and run it again/,
    ],
    [
      'a store that is not there',
      3,
      ['serve', '--store', at('none'), '--finality', '1'],
      /there is no store at/,
    ],
    ['another host', 3, [...serve, '--finality', '12', '--host', '0.0.0.0'], /without API keys/],
    [
      'an invalid host',
      3,
      [...serve, '--finality', '12', '--host', '192.0.2.1', '--key', 'long-enough'],
      /cannot listen on 192.0.2.1 port 0; give another --host/,
    ],
  ])('%s', (_, code, args, message, input) => {
    const ended = l2proof(args, input);
    // A node is waited for: after ten seconds a line with the time says for what.
    const said = ended.stderr.replace(/^\S+Z asking the node .*\n/, '');
    expect(firstLine(said)).toMatch(message);
    expect(ended).toMatchObject({ status: code, stdout: '' });
    expect(ended.stderr).not.toMatch(usage);
    expect(ended.stderr).not.toMatch(/^ +at /m);
  });

  test('a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const args = ['serve', '--store', store, '--finality', '12', '--port', String(port)];
    const { status, stderr } = l2proof(args);
    server.close();
    expect(stderr).toMatch(
      /^cannot listen on 127.0.0.1 port \d+; give another --port: .*EADDRINUSE/,
    );
    expect(stderr).not.toMatch(usage);
    expect(status).toBe(3);
  });

  test('an answer without end on standard input is not kept', async () => {
    const child = spawn(process.execPath, ['dist/cli/main.js', 'verify', ...asked]);
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdin.on('error', () => {});
    const block = Buffer.alloc(2 ** 22, ' ');
    const ended = once(child, 'close');
    const write = (): void => {
      while (!child.stdin.destroyed && child.exitCode === null && child.stdin.write(block)) {}
    };
    child.stdin.on('drain', write);
    write();
    expect(await ended).toEqual([2, null]);
    expect(stderr).toMatch(/^standard input is longer than 268435456 bytes/);
  });
});

describe('a reader that goes away', () => {
  const shell = (command: string) =>
    spawnSync('bash', ['-c', `${command}; echo "\${PIPESTATUS[0]}"`], {
      encoding: 'utf8',
      timeout: 55_000,
    });
  const command = (...args: string[]) => [process.execPath, 'dist/cli/main.js', ...args].join(' ');

  test('is told nothing, and it ends', () => {
    const many = save('many.ndjson', `${line}\n`.repeat(2000));
    const { stdout, stderr } = shell(`${command('verify', '--ndjson', many)} | head -1`);
    expect(stdout).toMatch(/^1: verified\n[03]\n$/);
    expect(stderr).toBe('');
  });

  test('a disk that is full is named', () => {
    const { stdout, stderr } = shell(`${command('verify', good, ...asked)} > /dev/full`);
    expect(stderr).toMatch(/^cannot write the output: ENOSPC.*\n$/);
    expect(stdout).toBe('4\n');
  });

  test('nobody reads what is wrong either', () => {
    const { stdout } = shell(`${command('verify')} 2>&1 | true`);
    expect(stdout).toBe('3\n');
  });
});
