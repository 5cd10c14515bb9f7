/** Every code block of the provider's guide, in a project that has the package from its tarball. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../src/index.js';
import { accounts, word } from '../support/anvil.js';
import { send } from '../support/contracts/contract.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { type GuideDevnet, guideKinds, openGuideDevnet } from '../support/devnet.js';
import { newProject, writeProgram } from '../support/installed.js';
import { countsOf, like, type Program, programsOf, shellOf } from '../support/pages.js';
import { secondKey } from '../support/programs.js';
import { manifest } from '../support/project.js';
import { patience } from '../support/runs.js';

const page = 'docs/provider.md';
const guide = readFileSync(page, 'utf8');
/** The page of the dapp is built and opened by `npm test -- browser`. */
const programs = programsOf(page).filter(({ code }) => !code.includes('import.meta.env'));

const owner = accounts[1];
test('the blocks are of languages that are tested, and install the versions tested', () => {
  expect(countsOf(page)).toEqual({ sh: 3, ts: 12, text: 10, html: 1 });
  for (const [, name, version] of guide.matchAll(/(@?[\w/-]+)@(\d+\.\d+\.\d+)/g)) {
    expect(manifest.devDependencies[name as string]).toBe(version);
  }
});

test('the guide names every code and reason of the provider', () => {
  const source = ['provider/params', 'evm/call']
    .map((folder) => readFileSync(`src/${folder}/errors.ts`, 'utf8'))
    .join('\n');
  const codes = [...source.matchAll(/^ \* - `(-?\w+)`/gm)].map(([, code]) => code as string);
  expect(codes.length).toBe(26);
  const listed = [...guide.matchAll(/^\| `([A-Z_]+|-?\d+)` +\|/gm)].map(
    ([, code]) => code as string,
  );
  expect(listed.sort()).toEqual(codes.sort());
});

describe.each(guideKinds)(
  'on a chain whose contract stores $stores',
  ({ network, isHeader, toKind }) => {
    let project: string;
    let world: GuideDevnet;
    let balance: string;
    let newest: number;
    /** The end of the finalization before the newest one. */
    let whole: number;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      project = await newProject();
      world = await openGuideDevnet(network);
      const { devnet } = world;
      const gold = await deployErc20(world.l2, 'Gold', 'GLD');
      await send(world.l2, gold.call('mint', owner, 4321n));
      newest = await world.finalize();
      // Under its own hash, state and header of the newest block are proven.
      whole = isHeader ? newest : newest - 1;
      while (!isHeader && !(await hasRoot(whole))) whole--;
      balance = String(BigInt(await world.l2.call('eth_getBalance', owner, 'latest')));
      env = {
        ...process.env,
        L1_URL: devnet.l1,
        L1_URL_2: `${devnet.l1}/?b`,
        HELIOS_URL: devnet.l1,
        // It answers proofs, and code.
        L2_URL: devnet.proxy,
        PROOFS_URL: devnet.proofs,
        NODE_URL: devnet.l2,
        CONTRACT: devnet.contracts.dollar,
        TOKEN: devnet.contracts.dollar,
        ERC20: gold.address,
        PRIVATE_KEY: secondKey,
      };
    }, patience);
    afterAll(() => world?.close());

    /** Whether the contract on L1 has the root of a block: `stateRootHashes(uint256)`. */
    async function hasRoot(block: number): Promise<boolean> {
      const call = { to: network.rollup, data: `0x8be745d1${word(block)}` };
      return BigInt(await world.l1.call('eth_call', call, 'latest')) !== 0n;
    }

    /** Runs a compiled block; the servers that it asks run in this process. */
    async function run(name: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
      const options = { cwd: project, env: { ...env, ...more } };
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [`${name}.js`],
        options,
      );
      expect([name, stderr]).toEqual([name, '']);
      const output = stdout.trim();
      const { prints } = programs[Number(name.replace('guide', ''))] as Program;
      if (prints !== undefined) expect(output).toMatch(like(prints));
      return output;
    }

    test(
      'they print what the nodes have',
      async () => {
        for (const [i, { code }] of programs.entries())
          writeProgram(project, `guide${i}`, toKind(code));
        expect(await run('guide0')).toBe(`${balance}n ${newest}n`);
        expect(await run('guide1')).toBe(`${balance}n ${newest}`);
        expect((await run('guide2')).split('\n')).toEqual([
          `true ${newest} call []`,
          'unproven: eth_gasPrice',
          "false [ 'result' ]",
        ]);
        expect(await run('guide3')).toBe(`0x${BigInt(balance).toString(16)} proof`);
        expect(await run('guide4')).toBe(
          await world.l2.call('eth_getCode', env.CONTRACT, 'latest'),
        );
        expect(await run('guide5')).toBe(`${whole}n`);
        // Under a hash the header is proven, and a call may read all of it. Anvil 1.7.1 keeps the zeros of slots that somebody
        // asked for in its storage tries, so that some proofs of its own, here one that the transfer needs, hold for none of
        // its headers.
        if (!isHeader) {
          expect((await run('guide6')).split('\n')).toEqual([
            '4321n',
            'true []',
            'ERC20: transfer amount exceeds balance',
          ]);
          expect((await run('guide7')).split('\n')).toEqual([
            `0x${'0'.repeat(24)}8f81e2e3f8b46467523463835f965ffe476e1c9e [ 'coinbase' ]`,
            '-31003 HEADER_VALUE',
            "[ 'baseFee' ]",
            "[ 'timestamp' ]",
          ]);
        }
        expect(await run('guide8')).toBe('-31003 NOT_PROVABLE\n-31003 NOT_PROVABLE\n4200');
        const holdings = await run('guide9');
        // 5,000 dollars came, and 1,200 were swapped.
        expect(holdings).toContain('tokens: 3800000000n');
        expect(holdings).toContain(`wei: ${balance}n`);
        expect(holdings).toContain(`l2BlockNumber: ${newest}`);
        expect(holdings).toContain("how: 'quorum'");
        await sendThroughProxy('guide10');
      },
      patience,
    );

    /** The last program sends a transfer through the command that stands before it. */
    async function sendThroughProxy(name: string): Promise<void> {
      const [npx, command, ...args] = (shellOf(page, 'proxy')[0] as string).split(' ');
      expect([npx, command]).toEqual(['npx', 'l2proof']);
      const main = join(project, 'node_modules/l2proof/dist/cli/main.js');
      const own: Record<string, string> = {
        '8745': '0',
        ...(isHeader && { mainnet: world.devnet.networkFile }),
      };
      const child = spawn(process.execPath, [main, ...args.map((arg) => own[arg] ?? arg)], {
        cwd: project,
        env: {
          ...env,
          ...{ L2PROOF_L1: env.L1_URL, L2PROOF_L2: env.PROOFS_URL, L2PROOF_NODE: env.NODE_URL },
        },
      });
      try {
        const [said] = await once(child.stdout, 'data');
        const [, url] = /listening on (\S+),/.exec(String(said)) as unknown as [string, string];
        const to: Hex = `0x${'ee'.repeat(20)}`;
        const hash = await run(name, { PROXY_URL: url });
        await world.l2.mine();
        const receipt = await world.l2.call('eth_getTransactionReceipt', hash);
        expect(receipt).toMatchObject({ status: '0x1', to });
        expect(await world.l2.call('eth_getBalance', to, 'latest')).toBe('0x7');
      } finally {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
    }
  },
);
