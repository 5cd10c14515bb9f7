/** The programs of the README and of the guides do what they say, in a project that has the package from its tarball. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { networks } from '../../src/anchor/index.js';
import { implementation } from '../../src/cli/devnet/network.js';
import { accounts } from '../support/anvil.js';
import { openGuideDevnet } from '../support/devnet.js';
import { newProject, serverCommand } from '../support/installed.js';
import {
  blocksOf,
  commandOf,
  countsOf,
  like,
  type Program,
  programsOf,
  shellOf,
} from '../support/pages.js';
import { compile, manifest } from '../support/project.js';
import { honest, patience } from '../support/runs.js';

import type { JsonObject } from '../vectors/members.js';
import { loadFolder } from '../vectors/run.js';

const readme = 'README.md';
/** Guides whose programs ask nobody. */
const offline = [
  readme,
  ...['verify', 'transitions', 'proofs', 'operate', 'snapshot'].map((name) => `docs/${name}.md`),
];
/** Whether a block asks endpoints, whose URLs it takes from the environment. */
const asks = ({ code }: Program) => code.includes('process.env.');

let project: string;
beforeAll(async () => {
  project = await newProject();
}, patience);

/** A folder in the project, for one test. */
function folderOf(name: string): string {
  const folder = join(project, name);
  mkdirSync(folder);
  return folder;
}

/** The package as installed. */
const installed = () => join(project, 'node_modules/l2proof');
const main = () => join(installed(), 'dist/cli/main.js');

/** Runs a command of a page to its end. */
const run = (line: string, cwd: string) =>
  spawnSync(...commandOf(line, main()), { cwd, encoding: 'utf8' as const });

test('installing stands first, and every block is of a language that is tested here', () => {
  expect(blocksOf(readme)[0]).toEqual({ language: 'sh', code: 'npm install l2proof\n' });
  expect(offline.map(countsOf)).toEqual([
    { sh: 5, ts: 1, text: 1 },
    { sh: 4, ts: 8, text: 7 },
    { ts: 2, text: 2 },
    { ts: 3, text: 2 },
    { sh: 13, json: 1, ts: 2, text: 4, caddyfile: 1 },
    { sh: 3, ts: 1, text: 2 },
  ]);
});

/** What the programs of the guides print, page by page. */
function expectedOutputs(): (string | RegExp)[] {
  // Nonce, value, absence and size of the code as the vector file expects them.
  const { json } = loadFolder('vectors').find(
    ({ name }) => name === 'getproof-poseidon2-synthetic-slots.json',
  ) as { json: JsonObject };
  const { account, storage } = json.expect as { account: JsonObject; storage: JsonObject[] };
  const [first, second] = storage as [JsonObject, JsonObject];
  const endRoot = '0x32facb0f35f56e0602132b053b86362277a3a3e578c92e200fe2bfcc4d9a3e15';
  return [
    // README
    `${account.nonce}n ${first.value} ${second.status === 'present'}`,
    // Verify: the same as JSON
    new RegExp(`"value": "${first.value}"[^]*"exists": false[^]*"nonce": "${account.nonce}"`),
    // as ethers and viem compute them
    [
      `0x${'00'.repeat(31)}02`,
      '0xf043c50fe795c69f30b8ff78b84032dc53a9d87ca283ae10a1dacfbb648e83ef',
      '0xc1c5f965d29f0d4614dc5d7a10929cd88a089f67386275dfd83b6bd3e280c8cd',
    ].join('\n'),
    `${account.codeSize}n\n[ true, false ]`,
    '[ true, false ]\ntrue',
    // a file of lines
    '',
    'true\ntrue\nverifyProof(bytes[],uint256,bytes32) true',
    // an answer taken apart: the neighbours name each other, and the node that was changed is on the left one's path
    /^true 4\nabsent 3 3 2\nSUB_TREE_ROOT_MISMATCH [^]*path: 'left'/,
    '32 32\n66\ntrue',
    // Transitions: the end root of one block, which is the parent root of the next in the whole run
    `${endRoot} 1`,
    endRoot,
    // Proofs: one ether and 0x2a, as the example writes them
    '1000000000000000000n 42n',
    '1 2',
    /^(kept: .+\n){5,}kept: .+$/,
    // Operate
    '1 1\ntrue',
    /^1 \{[^]*nonce: 7n/,
    // Snapshot: the block, its account and slots
    '1 1\n0',
  ];
}

test(
  'the examples compile under --strict, and run as printed',
  () => {
    const examples = offline.flatMap(programsOf).filter((block) => !asks(block));
    const names = examples.map((_, i) => `example${i}`);
    for (const [i, { code }] of examples.entries()) {
      writeFileSync(join(project, `example${i}.ts`), code);
    }
    const files = names.map((name) => `${name}.ts`);
    expect(compile(project, files)).toBe('');
    const outputs = names.map((name) => {
      const options = { cwd: project, encoding: 'utf8' as const };
      const { stdout, stderr, status } = spawnSync(process.execPath, [`${name}.js`], options);
      expect([name, stderr, status]).toEqual([name, '', 0]);
      return stdout.trim();
    });
    const expected = expectedOutputs();
    expect(outputs.length).toBe(expected.length);
    for (const [i, output] of outputs.entries()) {
      expect(output).toMatch(expected[i] as string);
      const { prints = output } = examples[i] as Program;
      expect(prints).toBe(output);
    }
  },
  patience,
);

/** Writes the example in the head of each entry's source into the project. @returns the files, to be compiled */
function writeEntryExamples(): string[] {
  const entries = Object.values(manifest.exports).filter((entry) => typeof entry === 'object');
  return entries.map((entry, i) => {
    const path = (entry as { types: string }).types.replace('./dist/', 'src/');
    const source = readFileSync(path.replace('.d.ts', '.ts'), 'utf8');
    const [, example] = /^\/\*\*[^]*?@example\n \* ```ts\n([^]*?) \* ```/.exec(source) ?? [];
    expect([path, typeof example]).toEqual([path, 'string']);
    writeFileSync(join(project, `entry${i}.ts`), (example as string).replaceAll(/^ \* ?/gm, ''));
    return `entry${i}.ts`;
  });
}

/** Writes the programs of the guides with tests of their own into the project. @returns the files, to be compiled */
function writeGuides(): string[] {
  const programs = ['provider', 'decoder', 'data', 'consensus'].flatMap((name) =>
    programsOf(`docs/${name}.md`),
  );
  // `npm test -- browser` builds the page. A protocol's definition is a file of the package.
  const ours = programs.filter(({ code }) => !code.includes('import.meta.env'));
  const definition = './node_modules/l2proof/dist/decode/definition/definition.js';
  return ours.map(({ code }, i) => {
    writeFileSync(
      join(project, `guide${i}.ts`),
      code.replace('../definition/definition.js', definition),
    );
    return `guide${i}.ts`;
  });
}

test(
  'the examples that ask endpoints compile, and on a devnet they print what its nodes have',
  async () => {
    const world = await openGuideDevnet(networks.mainnet);
    const { block, proofs } = world.devnet;
    try {
      const pages = ['docs/anchor.md', 'docs/bridge.md'];
      expect(pages.map(countsOf)).toEqual([
        { ts: 5, text: 5 },
        { ts: 4, text: 4, sh: 1 },
      ]);
      const examples = pages.flatMap(programsOf);
      const names = examples.map((_, i) => `asking${i}`);
      for (const [i, { code }] of examples.entries()) {
        writeFileSync(join(project, `asking${i}.ts`), code);
      }
      const asking = names.map((name) => `${name}.ts`);
      const files = [...asking, ...writeGuides(), ...writeEntryExamples()];
      expect(compile(project, files, { skipLibCheck: true })).toBe('');
      const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
      const env = {
        ...process.env,
        L1_URL: world.l1.url,
        // Whatever serves the hash: Anvil stands for the light client.
        HELIOS_URL: world.l1.url,
        L1_BLOCK_HASH: hash,
        L2_URL: proofs,
        L2_NODE_URL: world.l2.url,
        MESSAGE_TX: world.devnet.message,
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
          async (address) =>
            `${BigInt(await world.l2.call('eth_getBalance', address, `0x${block.toString(16)}`))}n`,
        ),
      );
      expect(outputs).toEqual([
        `${second} ${block} call`,
        `[ ${second}, ${first} ]`,
        `${second} proof true`,
        `${second} ${block} ${implementation}`,
        `0x${'119'.padStart(64, '0')}`,
        `${second} ${block} true`,
        `${second} ${block}`,
        expect.stringMatching(/^verifyProof\(bytes\[\],uint256,bytes32\) \| [^]*\b(STATE_ROOT)$/m),
        expect.stringMatching(/^claimable 1000000000000000000n 5\n0x6463fb2a/),
      ]);
      for (const [i, { prints }] of examples.entries()) expect(outputs[i]).toMatch(like(prints));
      // The call that the page prints pays Bob on L1, and once only.
      const data = (outputs.at(-1) as string).split('\n')[1];
      const claim = { from: accounts[0], to: networks.mainnet.rollup, data };
      const held = () => world.l1.call('eth_getBalance', accounts[1], 'latest');
      const before = BigInt(await held());
      await world.l1.call('eth_sendTransaction', { ...claim, gas: '0x2dc6c0' });
      await world.l1.call('evm_mine');
      expect(BigInt(await held()) - before).toBe(10n ** 18n);
      await expect(world.l1.call('eth_call', claim, 'latest')).rejects.toThrow('revert');
      const [install, , line] = shellOf(readme, 'fetch') as [string, string, string];
      expect(install).toMatch(/^npm install @ethereumjs\/rlp@/);
      const [program, commandArgs] = commandOf(line, main());
      const { stdout } = await promisify(execFile)(program, commandArgs, {
        cwd: project,
        env: { ...process.env, L2PROOF_L1: world.l1.url, L2PROOF_L2: proofs },
      });
      expect(stdout).toContain(`${(second as string).slice(0, -1)} wei`);
    } finally {
      await world.close();
    }
  },
  patience,
);

test.each([readme, 'docs/cli.md'])('the command line verifies, as %s says', (page) => {
  const [line] = shellOf(page, '--root') as [string];
  const { status, stdout, stderr } = run(line, project);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^verified\n/);
});

test('the command line verifies a stream, whole and in shards', () => {
  const folder = folderOf('stream');
  const { result, claim } = honest('poseidon2');
  writeFileSync(
    join(folder, 'answers.ndjson'),
    `${JSON.stringify({ ...claim, result })}\n`.repeat(2),
  );
  const whole = '1: verified\n2: verified\n';
  const [print, save] = shellOf('docs/verify.md', '--ndjson') as [string, string];
  expect(run(print, folder)).toMatchObject({ status: 0, stderr: '', stdout: whole });
  for (const line of [save, ...shellOf('docs/verify.md', '--shard 1/2')]) {
    expect(run(line, folder)).toMatchObject({ status: 0, stderr: '', stdout: '' });
  }
  const saved = ['results.txt', 'results.1', 'results.2'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  expect(saved).toEqual([whole, '1: verified\n', '2: verified\n']);
});

test('the command line writes a state into a file, and reads it', async () => {
  const folder = folderOf('snapshot');
  const [install] = shellOf('docs/snapshot.md', 'npm install') as [string];
  expect(install).toBe('npm install -g l2proof-server');
  const command = await serverCommand();
  const [before, root] = shellOf('docs/snapshot.md', 'ROOT=')
    .join('\n')
    .split(/\n(?=ROOT=)/);
  const inShell = (...lines: (string | undefined)[]) => {
    const env = { ...process.env, PATH: `${dirname(command)}:${process.env.PATH}` };
    const options = { cwd: folder, env, encoding: 'utf8' as const };
    return spawnSync('sh', ['-ec', lines.join('\n')], options);
  };
  const loaded = inShell(before);
  expect(loaded).toMatchObject({ status: 0, stderr: '' });
  expect(`ROOT=${/state root (0x\w+)\n$/.exec(loaded.stdout)?.[1]}`).toBe(root);
  const example = blocksOf('docs/snapshot.md').find(({ language }) => language === 'text');
  const printed = example?.code as string;
  const snapshot = inShell(root, ...shellOf('docs/snapshot.md', 'snapshot export'));
  expect(snapshot).toMatchObject({ status: 0, stdout: printed });
  const operate = inShell(root, ...shellOf('docs/operate.md', 'snapshot export'));
  const withoutVerify = printed.replace(/^verified [^]*(?=^imported )/m, '');
  expect(operate).toMatchObject({ status: 0, stdout: withoutVerify });
  expect(withoutVerify).toMatch(
    /^exported to "state.snapshot"\naccounts +1\n[^]*^imported 1 account /m,
  );
});

test('the command line makes and verifies a compact proof', () => {
  const folder = folderOf('compact');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(installed(), join(folder, 'node_modules/l2proof'));
  const example = 'node_modules/l2proof/docs/example/answer.json';
  const [compact, verify] = shellOf('docs/verify.md', 'compact') as [string, string];
  expect(run(compact, folder)).toMatchObject({ status: 0, stderr: '' });
  const { status, stdout } = run(verify, folder);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: run(verify.replace('proof.bin', example), folder).stdout,
  });
});

test('the command line explains an answer', () => {
  const folder = folderOf('explain');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(installed(), join(folder, 'node_modules/l2proof'));
  const [explain] = shellOf('docs/verify.md', 'explain') as [string];
  const { status, stdout } = run(explain, folder);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^verified\n[^]* levels 4 to 39: sibling empty, path climbs alone\n/);
});
