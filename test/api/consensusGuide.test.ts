/** Every program of the guide to the light client, in a project that has the package from its tarball. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../support/anvil.js';
import { serveLikeMainnet } from '../support/beacon/likeMainnet.js';
import { type GuideDevnet, guideKinds, openGuideDevnet } from '../support/devnet.js';
import { newProject, writeProgram } from '../support/installed.js';
import { countsOf, like, type Program, programsOf, shellOf } from '../support/pages.js';
import { patience } from '../support/runs.js';

const page = 'docs/consensus.md';
const programs = programsOf(page);

describe.each(guideKinds)(
  'on a chain whose contract stores $stores',
  ({ network, isHeader, toKind }) => {
    let project: string;
    let world: GuideDevnet;
    let server: Awaited<ReturnType<typeof serveLikeMainnet>>;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      project = await newProject();
      world = await openGuideDevnet(network);
      server = await serveLikeMainnet(world.devnet.l1BlockHash);
      env = {
        ...process.env,
        L1_URL: world.devnet.l1,
        L2_URL: world.devnet.proofs,
        BEACON_URL: server.url,
        CHECKPOINT: server.checkpoint,
      };
    }, patience);
    afterAll(async () => {
      await server?.close();
      await world?.close();
    });

    async function run(i: number): Promise<string> {
      const { code, prints } = programs[i] as Program;
      writeProgram(project, `guide${i}`, toKind(code));
      const options = { cwd: project, env };
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [`guide${i}.js`],
        options,
      );
      expect(stderr).toBe('');
      expect(stdout.trim()).toMatch(like(prints));
      return stdout.trim();
    }

    test(
      'the programs lead from a checkpoint to a balance, and keep what they know',
      async () => {
        expect(countsOf(page)).toEqual({ ts: 2, text: 2, sh: 1 });
        const balance = BigInt(await world.l2.call('eth_getBalance', accounts[1], 'latest'));
        expect((programs[0] as Program).code.split('\n').filter((line) => line !== '').length).toBe(
          10,
        );
        const { checkpoint, final } = server;
        const evidence = { checkpoint, slot: final, signers: 512, committeeSize: 512 };
        expect(await run(0)).toBe(`${balance}n ${world.devnet.block} ${inspect(evidence)}`);
        for (let time = 0; time < 2; time++)
          expect(await run(1)).toMatch(new RegExp(`^${final} 0x`));
        expect(readFileSync(join(project, 'light-client.txt'), 'utf8')).toContain(env.CHECKPOINT);
      },
      patience,
    );

    test(
      'so does the command, which keeps what it knows in the cache folder',
      async () => {
        const values = {
          'https://beacon.example': server.url,
          'https://l1.example': world.devnet.l1,
          'https://l2.example': world.devnet.proofs,
          '0xCHECKPOINT': env.CHECKPOINT as string,
          ...(isHeader && { '--network mainnet': `--network ${world.devnet.networkFile}` }),
          'l2proof fetch': `${process.execPath} ${resolve('dist/cli/main.js')} fetch`,
        };
        let code = shellOf(page, 'l2proof fetch').join('\n');
        for (const [name, value] of Object.entries(values)) {
          expect(code).toContain(name);
          code = code.replace(name, value);
        }
        const options = { env: { ...process.env, XDG_CACHE_HOME: project } };
        const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', code], options);
        expect(stderr).toBe('');
        expect(stdout).toMatch(new RegExp(`final slot +${server.final}, signed by 512 of 512\\n`));
        expect(stdout).toContain(`checkpoint     ${env.CHECKPOINT}\n`);
        expect(readdirSync(join(project, 'l2proof'))).toEqual(['l1-4b363db94e286120.txt']);
      },
      patience,
    );
  },
);
