/** What servers and files say is shown on a terminal, a real one if the system has one: nothing in it is active there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.js';
import { startHttp, type TestServer } from '../../support/http.js';
import { addressOf, blockOf, logOf, receiptOf, transactionOf, txHash } from '../../support/logs.js';
import { patience } from '../../support/runs.js';

const main = resolve('dist/cli/main.js');
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');
/** Controls of both sets, marks of direction, and what has no width. */
const marks = [
  ...[range(0, 0x1f), range(0x7f, 0x9f), '\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad'],
  ...[range(0x202a, 0x202e), range(0x2066, 0x2069), '\u2028\u2029\u180e\u{e0041}'],
].join('');
/** In front the most dangerous ones: texts are cut. */
const hostile = `A\u001b]0;title\u0007\u001b[2J\u009b31m\u202eB\u2066${marks}Z`;

/** What a terminal may get beside visible characters: ends of lines, in its own form. */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const activeIn = (text: string) =>
  [...text.replace(/\r?\n/g, ' ').matchAll(active)].map(([one]) =>
    (one.codePointAt(0) as number).toString(16),
  );

interface Shown {
  readonly bytes: Buffer;
  readonly text: string;
}

async function collect(command: string, args: readonly string[], env = {}): Promise<Shown> {
  // Colours of our own are color.test.ts's: here nothing is active at all.
  const options = {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'] as const,
  };
  const child = spawn(command, args, { ...options, stdio: [...options.stdio] });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
  await once(child, 'close');
  const bytes = Buffer.concat(parts);
  return { bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
}

const quoted = (arg: string) => `'${arg.replaceAll("'", "'\\''")}'`;

/** How a command is run: with pipes, and on a terminal if `script` of Linux is there to open one. */
const ways: Record<string, (args: readonly string[], env?: object) => Promise<Shown>> = {
  'with pipes': (args, env) => collect(process.execPath, [main, ...args], env),
  ...(process.platform === 'linux' && existsSync('/usr/bin/script')
    ? {
        'on a terminal': (args, env) => {
          const line = [process.execPath, main, ...args].map(quoted).join(' ');
          return collect('/usr/bin/script', ['-qec', line, '/dev/null'], env);
        },
      }
    : {}),
};

/** Serves JSON. @param answer from the body of the request */
const serveJson = (answer: (body: string) => unknown, status = 200) =>
  startHttp(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(body)));
  });

const address = addressOf('a');

/** A data interface that says hostile things wherever it has words. */
const balancesServer = () =>
  serveJson(() => ({
    ...{ error: false, error_message: null, error_code: null },
    data: {
      ...{ address, chain_id: 1, chain_name: hostile, quote_currency: hostile },
      ...{ updated_at: hostile, next_update_at: hostile },
      items: [
        {
          ...{ contract_address: addressOf('c'), contract_decimals: 2, balance: '12345' },
          ...{ contract_name: hostile, contract_ticker_symbol: hostile, logo_url: hostile },
          ...{ supports_erc: [hostile], type: hostile, pretty_quote: hostile, quote: 1 },
          ...{ [hostile]: hostile, last_transferred_at: hostile },
        },
        {
          ...{ contract_address: addressOf('d'), contract_decimals: 0, balance: '1' },
          ...{ contract_name: hostile, contract_ticker_symbol: null, type: 'nft' },
          nft_data: [{ token_id: hostile, token_balance: '1', token_url: hostile }],
        },
      ],
      pagination: null,
    },
  }));

/** A node whose tokens are called hostile things; the transaction moves one. */
function nodeAnswer(method: string, params: [{ data: string }]): unknown {
  const text = Buffer.from(hostile);
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const padded = text.toString('hex').padEnd(Math.ceil(text.length / 32) * 64, '0');
  const declaration = 'event Transfer(address indexed, address indexed, uint256)';
  switch (method) {
    case 'eth_chainId':
      return '0x1';
    case 'eth_getTransactionByHash':
      return { ...transactionOf(), hash: txHash, blockHash: `0x${'22'.repeat(32)}` };
    case 'eth_getTransactionReceipt':
      return receiptOf([logOf(declaration, [address, addressOf('b'), 5n])]);
    case 'eth_getBlockByNumber':
      return blockOf();
    case 'eth_call':
      return params[0].data.startsWith('0x313ce567')
        ? `0x${word(2)}`
        : `0x${word(32)}${word(text.length)}${padded}`;
    default:
      return undefined;
  }
}

const rpcServer = (answer: (method: string, params: [{ data: string }]) => unknown) =>
  serveJson((body) => {
    const { id, method, params } = JSON.parse(body);
    const result = answer(method, params);
    const error = { code: -32000, message: hostile };
    return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
  });

async function check(shown: Promise<Shown>, ...expected: (string | RegExp)[]) {
  const { bytes, text } = await shown;
  expect(activeIn(text)).toEqual([]);
  // Neither a byte of C0, nor half a character.
  expect([...bytes].filter((byte) => byte < 0x20 && byte !== 0x0a && byte !== 0x0d)).toEqual([]);
  for (const one of expected) expect(text).toMatch(one);
}

const escapes = /\\u001b\]0;title\\u0007\\u001b\[2J\\u009b31m\\u202eB/;
/** Of what was JSON already: the same value. */
const inJson = /\\u001b\]0;title\\u0007\\u001b\[2J\\u009b31m\\u202eB\\u2066/;

describe.each(Object.entries(ways))('%s', (_, run) => {
  test(
    'balances',
    async () => {
      server = await balancesServer();
      const ask = ['balances', '--address', address, '--url', server.url, '--chain', 'x'];
      await check(run(ask), escapes, '123.45', addressOf('d'));
      await check(run([...ask, '--json']), inJson, '"contract_decimals":2');
    },
    patience,
  );

  test(
    'what a server says in an error',
    async () => {
      server = await serveJson(() => ({ error: true, error_message: hostile }), 400);
      const ask = ['balances', '--address', address, '--url', server.url, '--chain', 'x'];
      await check(run(ask), escapes, 'INVALID_REQUEST');
      await server.close();
      server = await rpcServer(() => undefined);
      const both = ['--l1', server.url, '--l2', server.url, '--network', 'mainnet'];
      await check(run(['fetch', '--address', address, ...both]), escapes);
      await check(run(['fetch', '--address', address, '--json', ...both]), escapes);
      await check(run(['decode', txHash, '--l2', server.url]), escapes);
    },
    2 * patience,
  );

  test(
    'a decoded transaction',
    async () => {
      server = await rpcServer(nodeAnswer);
      const ask = ['decode', txHash, '--l2', server.url];
      await check(run(ask), /A\\u001b|A ?\]0;title/, 'Transfer');
      await check(run([...ask, '--json']), /"success": ?true/);
    },
    2 * patience,
  );

  test(
    'files and arguments',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'proof.json');
      const stateRoot = `0x${'11'.repeat(32)}`;
      const claim = ['--root', stateRoot, '--address', address];
      for (const body of [
        hostile,
        JSON.stringify(hostile),
        JSON.stringify({ [hostile]: hostile }),
      ]) {
        writeFileSync(file, body);
        await check(run(['verify', file, ...claim]), /./);
        await check(run(['verify', file, ...claim, '--json']), /./);
      }
      const named = hostile.replaceAll('\0', '').replaceAll('/', '');
      await check(run(['verify', join(folder, named), ...claim]), /\\u001b|\\u009b/);
      await check(run(['verify', file, '--root', named, '--address', address]), /./);
      await check(run([named]), /./);
      await check(run(['verify', `--${named}`]), /./);
      await check(run(['balances', '--address', named, '--url', 'http://x', '--chain', 'x']), /./);
      await check(run(['balances', '--address', address, '--url', named, '--chain', named]), /./);
    },
    4 * patience,
  );
});
