/** Every code block of the decoder's guide, in a project that has the package from its tarball. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { devNetwork } from '../../src/cli/devnet/network.js';
import type { EventDefinition, Protocol } from '../../src/decode/definition/definition.js';
import type { DecodedEvent, DecodeResponse } from '../../src/decode/index.js';
import { splitName } from '../../src/decode/receipt/text.js';
import { compileDeclaration } from '../../src/decode/registry/registry.js';
import { type AnvilCalls, accounts } from '../support/anvil.js';
import { endCommands, startCommand, urlOf } from '../support/commands.js';
import { send } from '../support/contracts/contract.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { serveDecoder } from '../support/decoder.js';
import { type GuideDevnet, openGuideDevnet } from '../support/devnet.js';
import { newProject, serverCommand, writeProgram } from '../support/installed.js';
import { addressOf, logOf, receiptOf, sender, transactionOf } from '../support/logs.js';
import { commandOf, like, programsOf, shellOf } from '../support/pages.js';
import { manifest } from '../support/project.js';
import { patience } from '../support/runs.js';

const page = 'docs/decoder.md';
const [guide, endpoint] = readFileSync(page, 'utf8').split(/\n(?=## The endpoint)/) as [
  string,
  string,
];
const blocks = [...guide.matchAll(/```(\w*)\n([^]*?)```/g)].map(([, language, code]) => ({
  language: language as string,
  code: code as string,
}));
const programs = blocks.filter(({ code }) => code.includes("from 'l2proof/decode'"));
/** What the page says that its programs print, in their order. */
const printed = programsOf(page).flatMap(({ prints }) => prints ?? []);
const { code: file } = blocks.find(({ code }) => code.includes('definition.js')) as {
  code: string;
};

let project: string;
let world: GuideDevnet;
let node: AnvilCalls;
beforeAll(async () => {
  project = await newProject();
  world = await openGuideDevnet(devNetwork);
  node = world.l2;
}, patience);
afterAll(async () => {
  endCommands();
  await world?.close();
});

test('the blocks are of languages that are tested, and install the versions tested', () => {
  const known = blocks.filter(({ code }) => code === file || programs.some((p) => p.code === code));
  expect(blocks.filter((block) => !known.includes(block)).map(({ language }) => language)).toEqual([
    ...['sh', 'text', 'text', 'text'],
  ]);
  expect(programs.length).toBe(3);
  for (const [, name, version] of guide.matchAll(/(@?[\w/-]+)@(\d+\.\d+\.\d+)/g)) {
    expect(manifest.devDependencies[name as string]).toBe(version);
  }
});

test(
  'they print what the node has',
  async () => {
    const [first, second] = accounts;
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', first, 10n ** 21n));
    const { transactionHash } = await send(node, gold.call('transfer', second, 2n * 10n ** 18n));
    const counted = logOf(
      'event Counted(address indexed, uint256)',
      [sender, 5n],
      addressOf(0xc0de5),
    );
    const example = JSON.parse(readFileSync('docs/example/counted.json', 'utf8'));
    expect(example).toEqual({ receipt: receiptOf([counted]), transaction: transactionOf() });

    for (const [i, { code }] of programs.entries()) writeProgram(project, `guide${i}`, code);
    const env = { ...process.env, L2_URL: node.url, TX_HASH: transactionHash };
    const run = async (i: number) => {
      const options = { cwd: project, env };
      const args = [`guide${i}.js`];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
      expect([i, stderr]).toEqual([i, '']);
      expect(stdout.trim()).toMatch(like(printed[i]));
      return stdout.trim();
    };
    expect(await run(0)).toBe(`Transfer From ${getAddress(first)}, To ${getAddress(second)}`);
    expect((await run(1)).split('\n')).toEqual(['1 0', '2000000000000000000 GLD $2,469.00']);
    const lines = (await run(2)).replaceAll(/\s+/g, ' ');
    expect(lines).toContain('Counter Counted');
    expect(lines).toContain(`heading: 'By', value: '${getAddress(sender)}'`);
    expect(lines).toContain("heading: 'New Count', value: '5'");
  },
  patience,
);

test(
  'the examples of endpoint and client print what the node has',
  async () => {
    const examples = [...endpoint.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code as string);
    expect(examples).toHaveLength(2);
    for (const [i, code] of examples.entries()) writeProgram(project, `endpoint${i}`, code);
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', accounts[0], 10n ** 21n));
    const transfer = gold.call('transfer', accounts[1], 2n * 10n ** 18n);
    const { transactionHash } = await send(node, transfer);
    const key = 'some-secret-key';
    const chains = [{ name: 'l2-mainnet', url: node.url }];
    const served = await serveDecoder(node.url, { chains }, { keys: [key] });
    const env = {
      ...process.env,
      L2_URL: node.url,
      TX_HASH: transactionHash,
      DECODER_URL: served.url,
      DECODER_KEY: key,
    };
    const outputs: string[] = [];
    for (const name of ['endpoint0.js', 'endpoint1.js']) {
      const options = { cwd: project, env };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], options);
      expect([name, stderr]).toEqual([name, '']);
      outputs.push(stdout.trim());
    }
    await served.close();
    expect(outputs).toEqual(['200 Transfer $2.50', '1 true 0\nNOT_FOUND 404']);
    expect(printed.slice(-2)).toEqual(outputs);
  },
  patience,
);

test(
  'the commands that serve and ask answer what the node has',
  async () => {
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', accounts[0], 10n ** 21n));
    const transfer = gold.call('transfer', accounts[1], 2n * 10n ** 18n);
    const { transactionHash } = await send(node, transfer);
    const [install, line] = shellOf(page, '--decode-store') as [string, string];
    expect(install).toBe('npm install -g l2proof-server');
    const here = line.replace('http://127.0.0.1:8545', node.url);
    const [, args] = commandOf(here, await serverCommand());
    const served = startCommand([...args, '--port', '0'], { cwd: project });
    const url = await urlOf(served);
    const [ask] = shellOf(page, 'curl') as [string];
    // What curl would be told; not every machine has it.
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', ask.replace('curl', "printf '%s\\n'")],
      { env: { ...process.env, TX_HASH: transactionHash } },
    );
    const [where, option, body] = stdout.split('\n') as [string, string, string];
    expect(option).toBe('--data');
    const response = await fetch(where.replace('http://127.0.0.1:8645', url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    const answer = (await response.json()) as DecodeResponse;
    expect(answer).toMatchObject({ success: true, tx_metadata: { tx_hash: transactionHash } });
    expect(answer.events.map(({ name }: DecodedEvent) => name)).toEqual(['Transfer']);
    expect(existsSync(join(project, 'decoded'))).toBe(true);
  },
  patience,
);

test('the endpoint names the versions tested', () => {
  for (const [, name, version] of endpoint.matchAll(/(@?[\w/-]+)@(\d+\.\d+\.\d+)/g)) {
    expect(manifest.devDependencies[name as string]).toBe(version);
  }
});

test('the example of a protocol is one', async () => {
  const { code } = await transform(file, { loader: 'ts' });
  const { counter } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { events } = counter as Protocol;
  for (const definition of events) {
    const event = compileDeclaration(definition.event);
    if ('isSilent' in definition) continue;
    const names = (definition.details ?? []).map(([, name]) => name);
    const tokens = (definition.tokens ?? []).map(({ amount }) => amount);
    for (const name of [...names, ...tokens]) expect(event?.places.has(name)).toBe(true);
  }
});

const nameOf = (definition: EventDefinition): string =>
  'name' in definition && definition.name
    ? definition.name
    : splitName(/event (\w+)/.exec(definition.event)?.[1] as string);

test('the table names every event of every file', async () => {
  const rows = [...guide.matchAll(/^\| `(\w+)\.ts` +\| (.*?) +\| (.*?) *\|$/gm)];
  const files = readdirSync('src/decode/events').map((name) => name.slice(0, -3));
  expect(rows.map(([, name]) => name)).toEqual(files.filter((name) => name !== 'index').sort());
  for (const [, name, shown, silent] of rows) {
    const module = await import(`../../src/decode/events/${name}.ts`);
    const events = (Object.values(module) as Protocol[]).flatMap((protocol) => protocol.events);
    const names = (isSilent: boolean) =>
      new Set(events.filter((event) => 'isSilent' in event === isSilent).map(nameOf));
    const told = (list = '') => new Set(list.split(', ').filter((text) => text !== ''));
    expect([name, told(shown)]).toEqual([name, names(false)]);
    expect([name, told(silent)]).toEqual([name, names(true)]);
  }
});

test('the guide names every code, option and bound', () => {
  const errors = readFileSync('src/decode/receipt/errors.ts', 'utf8');
  const codes = [
    ...(/type DecodeErrorCode =([^;]*);/.exec(errors)?.[1] ?? '').matchAll(/'(\w+)'/g),
  ];
  const named = [...guide.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, code]) => code);
  expect(named).toEqual(codes.map(([, code]) => code));
  const limits = readFileSync('src/decode/receipt/limits.ts', 'utf8');
  for (const bound of ['16_384', '4 << 20', '100', '64', '256']) expect(limits).toContain(bound);
  for (const bound of ['16,384', '4 MiB', 'first 100', '64 characters', '256 characters']) {
    expect(guide).toContain(bound);
  }
});
