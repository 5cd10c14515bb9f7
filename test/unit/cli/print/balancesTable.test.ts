/** What `l2proof balances` prints of a server that has bad intentions. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { visible, visibleLines } from '../../../../src/visible.js';
import { startHttp } from '../../../support/http.js';
import { patience } from '../../../support/runs.js';

const wallet = `0x${'5e'.repeat(20)}`;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function run(data: object, more: readonly string[] = []) {
  let asked = 0;
  const server = await startHttp((_, response) => {
    asked++;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { address: wallet, items: [], ...data }, error: false }));
  });
  closing.push(() => server.close());
  const main = resolve('dist/cli/main.js');
  const args = ['balances', '--address', wallet, '--chain', 'a', '--url', server.url, ...more];
  const ended = await promisify(execFile)(process.execPath, [main, ...args]).then(
    (output) => ({ code: 0, ...output }),
    (error) => error as { code: number; stdout: string; stderr: string },
  );
  return { ...ended, asked };
}

/** One of each kind: C0, DEL, C1, marks of direction, of no width, separators, a tag, half a pair. */
const hidden = [
  ...[0x00, 0x07, 0x0a, 0x0d, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xad, 0x61c, 0x200b, 0x200d, 0x200e],
  ...[0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xe0041, 0xd800],
].map((code) => String.fromCodePoint(code));

test('what cannot be seen is escaped, and JSON keeps its value', () => {
  for (const character of hidden) {
    const text = `a${character}b`;
    expect(visible(text)).toMatch(/^a(\\u[0-9a-f]{4}){1,2}b$/);
    expect(JSON.parse(visible(JSON.stringify(text)))).toBe(text);
  }
  expect(visible('Gold é 金 ★ 😀')).toBe('Gold é 金 ★ 😀');
  expect(visibleLines('a\n\u009bb\r')).toBe('a\n\\u009bb\\u000d');
});

test(
  'names of a server come without what would move the cursor or turn text',
  async () => {
    const name = `G${hidden.join('')}D`;
    const item = {
      ...{ contract_address: `0x${'ab'.repeat(20)}`, balance: '5', contract_decimals: 0 },
      ...{ contract_ticker_symbol: name, pretty_quote: name },
    };
    const shown = await run({ items: [item] });
    expect(shown.stdout).toMatch(/^5 {2}G\\u0000[\x20-\x7e]*\n$/);
    const json = await run({ items: [item] }, ['--json']);
    expect(json.stdout).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(json.stdout)).toEqual({ ...item });
  },
  patience,
);

test(
  'a server that always has more is asked for 1,024 pages, and the list says that it is cut',
  async () => {
    const { code, stderr, asked } = await run({ pagination: { has_more: true } });
    expect([code, asked]).toEqual([4, 1024]);
    expect(stderr).toBe('the list is cut after 0 items: the server has more than 1024 pages\n');
  },
  patience,
);
