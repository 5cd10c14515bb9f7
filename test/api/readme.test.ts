/** Every code block of the README does what it says, in a project that has the package from its tarball. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { genesisLines, loadStateFile } from '../../src/follow/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { createService, fixedFinality } from '../../src/service/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { accounts, startAnvil } from '../support/anvil.js';
import { genesisAddresses, genesisOf } from '../support/chain.js';
import { newFolder } from '../support/folder.js';
import { compile, installOffline, manifest, pack } from '../support/project.js';
import { honest, patience } from '../support/runs.js';
import { openWorld } from '../support/service.js';
import { implementation, openWorlds } from '../support/worlds.js';
import { checkMembers, type JsonObject } from '../vectors/members.js';
import { loadFolder } from '../vectors/run.js';

const readme = readFileSync('README.md', 'utf8');
const blocksOf = (text: string) =>
  [...text.matchAll(/```(\w*)\n([^]*?)```/g)].map(([, language, code]) => ({
    language: language as string,
    code: code as string,
  }));
const blocks = blocksOf(readme);
const of = (language: string) => blocks.filter((block) => block.language === language);
/** Whether a block asks endpoints, whose URLs it takes from the environment. */
const asks = ({ code }: { code: string }) => code.includes('process.env.');
const guide = ['anchor', 'bridge'].flatMap((name) =>
  blocksOf(readFileSync(`docs/${name}.md`, 'utf8')),
);

/** The commands of the shell block that has a word in it, without comments. */
const shell = (word: string): string[] => {
  const { code } = of('sh').find((block) => block.code.includes(word)) as { code: string };
  const lines = code.split('\n').map((line) => line.replace(/ +#.*/, ''));
  return lines.filter((line) => line !== '');
};

let project: string;
beforeAll(() => {
  project = newFolder();
  const peers = Object.keys(manifest.peerDependencies);
  installOffline(project, pack(project).tarball, [...peers, '@types/node', 'viem']);
}, patience);

/** A folder in the project, for one test. */
function folderOf(name: string): string {
  const folder = join(project, name);
  mkdirSync(folder);
  return folder;
}

/** The program and its arguments that a command of the README stands for. */
function command(line: string): [program: string, args: string[]] {
  const [program, name, ...args] = line.split(' ');
  expect([program, name]).toEqual(['npx', 'l2proof']);
  return [process.execPath, [join(project, 'node_modules/l2proof/dist/cli/main.js'), ...args]];
}

/** Runs a command of the README to its end. */
const run = (line: string, cwd: string) =>
  spawnSync(...command(line), { cwd, encoding: 'utf8' as const });

test('installing stands first, and every block is of a language that is tested here', () => {
  expect(shell('install')).toEqual(['npm install l2proof']);
  expect(blocks[0]).toBe(of('sh')[0]);
  expect(of('sh')[0]?.code).toBe('npm install l2proof\n');
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'json']));
  expect([of('ts').length, of('sh').length, of('json').length]).toEqual([12, 8, 2]);
});

test(
  'the examples compile under --strict, and run as printed',
  () => {
    const examples = of('ts').filter((block) => !asks(block));
    const names = examples.map((_, i) => `example${i}`);
    for (const [i, { code }] of examples.entries()) {
      writeFileSync(join(project, `example${i}.ts`), code);
    }
    expect(
      compile(
        project,
        names.map((name) => `${name}.ts`),
      ),
    ).toBe('');
    const outputs = names.map((name) => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [`${name}.js`], {
        cwd: project,
        encoding: 'utf8',
      });
      expect([name, stderr, status]).toEqual([name, '', 0]);
      return stdout.trim();
    });
    // Nonce, value, absence and size of the code as the vector file expects them.
    const { json } = loadFolder('vectors').find(
      ({ name }) => name === 'getproof-poseidon2-synthetic-slots.json',
    ) as { json: JsonObject };
    const { account, storage } = json.expect as { account: JsonObject; storage: JsonObject[] };
    const [first, second] = storage as [JsonObject, JsonObject];
    expect(outputs[0]).toBe(`${account.nonce}n ${first.value} ${second.status === 'present'}`);
    // As ethers and viem compute them.
    expect(outputs[1]?.split('\n')).toEqual([
      `0x${'00'.repeat(31)}02`,
      '0xf043c50fe795c69f30b8ff78b84032dc53a9d87ca283ae10a1dacfbb648e83ef',
      '0xc1c5f965d29f0d4614dc5d7a10929cd88a089f67386275dfd83b6bd3e280c8cd',
    ]);
    expect(outputs[2]).toBe(`${account.codeSize}n\n[ true, false ]`);
    expect(outputs[3]).toBe('32 32\ntrue');
    expect(outputs[4]).toBe('[ true, false ]\ntrue');
    expect(outputs[5]).toBe('true\ntrue\nverifyProof(bytes[],uint256,bytes32) true');
    // The end root of one block, which is the parent root of the next in the whole run.
    expect(outputs[6]).toMatch(
      /^0x32facb0f35f56e0602132b053b86362277a3a3e578c92e200fe2bfcc4d9a3e15 1$/,
    );
    // One ether and 0x2a, as the example writes them.
    expect(outputs[7]).toBe('1000000000000000000n 42n');
    expect(outputs[8]).toBe('1 2');
    expect(outputs[9]).toBe('1 1\ntrue');
    expect(outputs[10]).toMatch(/^1 \{/);
    expect(outputs[10]).toContain('nonce: 7n');
  },
  patience,
);

test(
  'the examples that ask two endpoints compile, and print what the nodes have',
  async () => {
    const worlds = await openWorlds(1);
    try {
      const examples = [...of('ts').filter(asks), ...guide];
      expect(guide.map(({ language }) => language)).toEqual(guide.map(() => 'ts'));
      const names = examples.map((_, i) => `asking${i}`);
      for (const [i, { code }] of examples.entries()) {
        writeFileSync(join(project, `asking${i}.ts`), code);
      }
      const files = names.map((name) => `${name}.ts`);
      expect(compile(project, files, { skipLibCheck: true })).toBe('');
      const { hash } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false);
      const env = {
        ...process.env,
        L1_URL: worlds.l1.url,
        // Whatever serves the hash: Anvil stands for the light client.
        HELIOS_URL: worlds.l1.url,
        L1_BLOCK_HASH: hash,
        L2_URL: worlds.proofs,
      };
      const outputs: string[] = [];
      for (const name of names) {
        // In turn with the service, which runs in this process.
        const args = [`${name}.js`];
        const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
          cwd: project,
          env,
        });
        expect([name, stderr]).toEqual([name, '']);
        outputs.push(stdout.trim());
      }
      const [second, first] = await Promise.all(
        [accounts[1], accounts[0]].map(
          async (address) => `${BigInt(await worlds.l2.call('eth_getBalance', address, '0x8'))}n`,
        ),
      );
      expect(outputs).toEqual([
        `${second} 8 call`,
        `${second} 8 call`,
        `[ ${second}, ${first} ]`,
        `${second} proof true`,
        `${second} 8 ${implementation}`,
        `0x${'119'.padStart(64, '0')}`,
        `${second} 8 true`,
        `${second} 8`,
        expect.stringMatching(/^verifyProof\(bytes\[\],uint256,bytes32\) \| [^]*\b(STATE_ROOT)$/m),
      ]);
      const [line] = shell('fetch') as [string];
      const [program, commandArgs] = command(line);
      const { stdout } = await promisify(execFile)(program, commandArgs, {
        cwd: project,
        env: { ...process.env, L2PROOF_L1: worlds.l1.url, L2PROOF_L2: worlds.proofs },
      });
      expect(stdout).toContain(`${(second as string).slice(0, -1)} wei`);
    } finally {
      await worlds.close();
    }
  },
  patience,
);

test('the guide names every code of the anchor, and its picture is there', () => {
  const text = readFileSync('docs/anchor.md', 'utf8');
  const codes = [...readFileSync('src/anchor/errors.ts', 'utf8').matchAll(/^ {2}\| '(\w+)'/gm)];
  const listed = [...text.matchAll(/^\| `([A-Z_0-9]+)` +\|/gm)].map(([, code]) => code as string);
  expect(listed.sort()).toEqual(codes.map(([, code]) => code as string).sort());
  const [, picture] = /!\[[^\]]*\]\(([^)]*)\)/.exec(text) as unknown as [string, string];
  expect(readFileSync(join('docs', picture), 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
});

test('the set-up commands are scripts of the package', () => {
  expect(shell('npm ci')).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  expect(Object.keys(manifest.scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'prestart', 'pretest']),
  );
});

test('the command line verifies', () => {
  const [line] = shell('--root') as [string];
  const { status, stdout, stderr } = run(line, project);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^verified\n/);
});

test('the command line verifies a stream', () => {
  const folder = folderOf('stream');
  const { result, claim } = honest('poseidon2');
  const line = { root: claim.stateRoot, address: claim.address, slots: claim.storageKeys, result };
  writeFileSync(join(folder, 'answers.ndjson'), `${JSON.stringify(line)}\n`);
  const [shown] = shell('--ndjson') as [string];
  expect(run(shown, folder)).toMatchObject({ status: 0, stderr: '', stdout: '1: verified\n' });
});

test('the command line makes and verifies a compact proof', () => {
  const folder = folderOf('compact');
  const example = join(project, 'node_modules/l2proof/docs/example/answer.json');
  writeFileSync(join(folder, 'answer.json'), readFileSync(example));
  const [compact, verify] = shell('--out') as [string, string];
  expect(run(compact, folder)).toMatchObject({ status: 0, stderr: '' });
  const { status, stdout } = run(verify, folder);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: run(verify.replace('proof.bin', 'answer.json'), folder).stdout,
  });
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
  const folder = folderOf('feed');
  const node = await startAnvil('--hardfork', 'prague');
  try {
    const genesis = [...genesisLines(await genesisOf(node, genesisAddresses))];
    writeFileSync(join(folder, 'genesis.jsonl'), genesis.join('\n'));
    await node.mine({ value: 1n, to: genesisAddresses[1] as string });
    const outputs = shell('load').map((line) =>
      run(line.replace('http://127.0.0.1:8545', node.url), folder),
    );
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
  const folder = folderOf('serve');
  await (await openWorld(lmdbStore({ path: join(folder, 'state') }))).close();
  const [line] = shell('--finality') as [string];
  // Any free port, for that of the example may be taken.
  const child = spawn(...command(line.replace(' 8645', ' 0')), { cwd: folder });
  const [said] = await once(child.stdout, 'data');
  const { msg, port } = JSON.parse(String(said));
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
