/** Every code block of the README does what it says. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { genesisLines, loadStateFile } from '../../src/follow/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { createService, fixedFinality } from '../../src/service/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { startAnvil } from '../support/anvil.js';
import { genesisAddresses, genesisOf } from '../support/chain.js';
import { newFolder } from '../support/folder.js';
import { honest } from '../support/runs.js';
import { openWorld } from '../support/service.js';
import { checkMembers, type JsonObject } from '../vectors/members.js';
import { loadFolder } from '../vectors/run.js';

const readme = readFileSync('README.md', 'utf8');
const blocks = [...readme.matchAll(/```(\w*)\n([^]*?)```/g)].map(([, language, code]) => ({
  language: language as string,
  code: code as string,
}));
const of = (language: string) => blocks.filter((block) => block.language === language);

test('every block is of a language that is tested here', () => {
  expect(blocks.map(({ language }) => language)).toEqual([
    'sh',
    'ts',
    'sh',
    'ts',
    'ts',
    'ts',
    'sh',
    'ts',
    'ts',
    'ts',
    'json',
    'ts',
    'sh',
    'ts',
    'sh',
    'json',
  ]);
});

test('the examples run as printed', () => {
  // But for the folder of the store, which is not to lie among the sources.
  const folder = newFolder();
  const outputs = of('ts').map(({ code }) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module'], {
      input: code.replace("path = 'state'", `path = ${JSON.stringify(folder)}`),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return stdout.trim();
  });
  // Nonce, value and absence as the vector file expects them.
  const { json } = loadFolder('vectors').find(
    ({ name }) => name === 'getproof-poseidon2-synthetic-slots.json',
  ) as { json: JsonObject };
  const { account, storage } = json.expect as { account: JsonObject; storage: JsonObject[] };
  const [first, second] = storage as [JsonObject, JsonObject];
  expect(outputs[0]).toBe(`${account.nonce}n ${first.value} ${second.status === 'present'}`);
  const { json: wallet } = loadFolder('vectors').find(
    ({ name }) => name === 'getproof-mimc-synthetic-no-storage.json',
  ) as { json: JsonObject };
  const { balance } = (wallet.expect as JsonObject).account as JsonObject;
  expect(outputs[1]).toBe(`${balance}n\n[ true, false ]`);
  expect(outputs[2]).toBe('32 32\ntrue');
  expect(outputs[3]).toBe('[ true, false ]\ntrue');
  const { json: run } = loadFolder('vectors').find(
    ({ name }) => name === 'traces-poseidon2-synthetic.json',
  ) as { json: JsonObject };
  expect(outputs[4]).toBe(
    `${(run.expect as JsonObject).endRoot} ${(run.traces as unknown[]).length}`,
  );
  // One ether and 0x2a, as the example writes them.
  expect(outputs[5]).toBe('1000000000000000000n 42n');
  expect(outputs[6]).toBe('1 2');
  expect(outputs[7]).toBe('1 1\ntrue');
  expect(outputs[8]).toMatch(/^1 \{/);
  expect(outputs[8]).toContain('nonce: 7n');
});

test('the set-up commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const commands = (of('sh')[0]?.code ?? '').split('\n').filter((line) => line !== '');
  expect(commands.map((line) => line.replace(/ +#.*/, ''))).toEqual([
    'npm ci && npm start',
    'npm ci && npm test',
  ]);
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'prestart', 'pretest']),
  );
});

test('the command line verifies', () => {
  const folder = newFolder();
  const { result } = honest('poseidon2');
  // The example asks for no slot, and a server then answers none.
  writeFileSync(join(folder, 'answer.json'), JSON.stringify({ ...result, storageProofs: [] }));
  const [program, name, ...args] = (of('sh')[1]?.code ?? '').trim().split(' ');
  expect([program, name]).toEqual(['npx', 'l2proof']);
  const run = spawnSync(process.execPath, [join(process.cwd(), 'dist/cli/main.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toMatch(/^verified\n/);
});

test('the command line verifies a stream', () => {
  const folder = newFolder();
  const { result, claim } = honest('poseidon2');
  const line = { ...claim, result };
  writeFileSync(join(folder, 'answers.ndjson'), `${JSON.stringify(line)}\n`);
  const [program, name, ...args] = (of('sh')[2]?.code ?? '').trim().split(' ');
  expect([program, name]).toEqual(['npx', 'l2proof']);
  const run = spawnSync(process.execPath, [join(process.cwd(), 'dist/cli/main.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stderr: '', stdout: '1: verified\n' });
});

test('the genesis shown is one', async () => {
  const tree = await openStateTree();
  expect(
    await loadStateFile(tree, [JSON.stringify(JSON.parse(of('json')[0]?.code ?? ''))]),
  ).toEqual({ block: 0, applied: 1 });
  const { accountProof } = await tree.getProof('0x00000000000000000000000000000000000a11ce');
  expect(accountProof).toHaveProperty('proof.value');
});

test('the command line feeds a store', async () => {
  const folder = newFolder();
  const node = await startAnvil('--hardfork', 'prague');
  try {
    const genesis = [...genesisLines(await genesisOf(node, genesisAddresses))];
    writeFileSync(join(folder, 'genesis.jsonl'), genesis.join('\n'));
    await node.mine({ value: 1n, to: genesisAddresses[1] as string });
    const outputs = (of('sh')[3]?.code ?? '')
      .trim()
      .split('\n')
      .map((command) => {
        const [program, name, ...args] = command.split(' ');
        expect([program, name]).toEqual(['npx', 'l2proof']);
        const here = args.map((arg) => arg.replace('http://127.0.0.1:8545', node.url));
        return spawnSync(process.execPath, [join(process.cwd(), 'dist/cli/main.js'), ...here], {
          cwd: folder,
          encoding: 'utf8',
        });
      });
    expect(outputs).toMatchObject([
      { status: 0, stderr: '', stdout: expect.stringMatching(/^loaded 1 blocks: block 0/) },
      {
        status: 0,
        stderr: expect.stringMatching(
          /^without L1 no root has confirmed this state: [^\n]*\nblock 0 of 1\nblock 1 of 1\n$/,
        ),
        stdout: expect.stringMatching(/^block 1, final 0/),
      },
    ]);
  } finally {
    await node.close();
  }
});

test('the command line serves', async () => {
  const folder = newFolder();
  await (await openWorld(lmdbStore({ path: join(folder, 'state') }))).close();
  const [program, name, ...args] = (of('sh')[4]?.code ?? '').trim().split(' ');
  expect([program, name]).toEqual(['npx', 'l2proof']);
  // Any free port, for that of the example may be taken.
  const free = args.map((arg) => (arg === '8645' ? '0' : arg));
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/cli/main.js'), ...free], {
    cwd: folder,
  });
  const [line] = await once(child.stdout, 'data');
  const { msg, port } = JSON.parse(String(line));
  expect(msg).toBe('listening');
  const response = await fetch(`http://127.0.0.1:${port}/ready`);
  expect(await response.json()).toEqual({ ready: true, block: 12 });
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the table of answers names the limits that hold', async () => {
  const tree = await openStateTree();
  const { limits } = await createService({ tree, finality: fixedFinality(0) });
  expect(limits).toEqual({
    bodyBytes: 64 * 1024,
    batchCalls: 100,
    storageKeys: 256,
    reads: 5_000_000,
    requestsPerSecond: 10_000,
    concurrent: 256,
    time: 10_000,
  });
  await tree.close();
});

test('the vector file shown has the members that the runner asks for', () => {
  const file = JSON.parse(of('json')[1]?.code ?? '') as JsonObject;
  checkMembers(file, ['kind', 'source', 'hash', 'stateRoot', 'expect', 'result'], [], 'README');
});

test('the error table names every code, once', () => {
  const codes = [...readFileSync('src/errors.ts', 'utf8').matchAll(/^ {2}\| '(\w+)'/gm)].map(
    ([, code]) => code,
  );
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code);
  expect(listed).toEqual(codes);
});
