/** Every program of the guide to the light client, in a project that has the package from its tarball. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networks } from '../../src/anchor/index.js';
import { beaconNetworks } from '../../src/beacon/index.js';
import { accounts } from '../support/anvil.js';
import { finalityOf, makeChain } from '../support/beacon/chain.js';
import { startHttp, type TestServer } from '../support/http.js';
import { newProject, writeProgram } from '../support/installed.js';
import { countsOf, like, type Program, programsOf, shellOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { openWorlds, type Worlds } from '../support/worlds.js';

const page = 'docs/consensus.md';
const programs = programsOf(page);
const network = beaconNetworks.mainnet;
const perPeriod = network.slotsPerEpoch * network.epochsPerPeriod;

let project: string;
let worlds: Worlds;
let server: TestServer;
let env: NodeJS.ProcessEnv;
/** Slot of the newest final block. */
let final: number;
beforeAll(async () => {
  project = await newProject();
  worlds = await openWorlds(1);
  const { hash } = await worlds.l1.call('eth_getBlockByNumber', 'finalized', false);
  // Committees of 512 keys of our own, in the network of mainnet and now.
  const chain = makeChain(network, { hashAt: () => hash });
  const now = Math.floor((Date.now() / 1000 - network.genesisTime) / network.secondsPerSlot);
  final = now - 64;
  // In the middle of the period before: the updates of both lie in their own.
  const checkpoint = Math.floor(now / perPeriod) * perPeriod - perPeriod / 2;
  const updates = [
    chain.update({ attested: checkpoint + 64, finalized: checkpoint + 8 }),
    chain.update({ attested: now - 1, finalized: final }),
  ];
  server = await startHttp((request, response) => {
    const [, route] = /light_client\/(\w+)/.exec(request.url ?? '') ?? [];
    const data = route === 'bootstrap' ? chain.bootstrap(checkpoint) : finalityOf(updates[1]);
    const answer = route === 'updates' ? updates.map((each) => ({ data: each })) : { data };
    response.end(JSON.stringify(answer));
  });
  env = {
    ...process.env,
    L1_URL: worlds.l1.url,
    L2_URL: worlds.proofs,
    BEACON_URL: server.url,
    CHECKPOINT: chain.root(checkpoint),
  };
}, patience);
afterAll(async () => {
  await server.close();
  await worlds.close();
});

async function run(i: number): Promise<string> {
  const { code, prints } = programs[i] as Program;
  writeProgram(project, `guide${i}`, code);
  const options = { cwd: project, env };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [`guide${i}.js`], options);
  expect(stderr).toBe('');
  expect(stdout.trim()).toMatch(like(prints));
  return stdout.trim();
}

test(
  'the programs lead from a checkpoint to a balance, and keep what they know',
  async () => {
    expect(networks.mainnet.l1ChainId).toBe(1);
    expect(countsOf(page)).toEqual({ ts: 2, text: 2, sh: 1 });
    const balance = BigInt(await worlds.l2.call('eth_getBalance', accounts[1], '0x8'));
    const [first] = (await run(0)).split('\n');
    expect(first).toBe(`${balance}n 8 consensus`);
    for (let time = 0; time < 2; time++) expect(await run(1)).toMatch(new RegExp(`^${final} 0x`));
    expect(readFileSync(join(project, 'light-client.txt'), 'utf8')).toContain(env.CHECKPOINT);
  },
  patience,
);

test(
  'so does the command, which keeps what it knows in the cache folder',
  async () => {
    const values = {
      'https://beacon.example': server.url,
      'https://l1.example': worlds.l1.url,
      'https://l2.example': worlds.proofs,
      '0xCHECKPOINT': env.CHECKPOINT as string,
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
    expect(stdout).toMatch(new RegExp(`final slot +${final}, signed by 512 of 512\\n`));
    expect(stdout).toContain(`checkpoint     ${env.CHECKPOINT}\n`);
    expect(readdirSync(join(project, 'l2proof'))).toEqual(['l1-4b363db94e286120.txt']);
  },
  patience,
);
