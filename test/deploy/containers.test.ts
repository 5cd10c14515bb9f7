/** The image and the services of `deploy`, whose commands run as they would in containers: see pod.ts. No image is built. */
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { devNetwork } from '../../src/cli/devnet/network.js';
import { type GuideDevnet, openGuideDevnet } from '../support/devnet.js';
import { serverCommand } from '../support/installed.js';
import { shellOf } from '../support/pages.js';
import { freePort } from '../support/postgres.js';
import { manifest } from '../support/project.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';
import { type ComposeService, readImage, readServices, textOf } from './files.js';
import { followedBlock } from './followed.js';
import { type Pod, type PodProcess, startPod } from './pod.js';

const services = readServices();
const {
  pod: holder,
  follow,
  serve,
  prometheus,
} = services as Record<'pod' | 'follow' | 'serve' | 'prometheus', ComposeService>;
const image = readImage();
const rollup = '0x1111111111111111111111111111111111111111';

let prefix: string;
let world: GuideDevnet;
/** Free ports in the place of those that the files name. */
const ports = new Map<string, number>();
beforeAll(async () => {
  prefix = dirname(dirname(await serverCommand()));
  world = await openGuideDevnet({ ...devNetwork, rollup });
  for (const port of ['8645', '9464']) ports.set(port, await freePort());
}, patience);

const pods: Pod[] = [];
afterAll(async () => {
  for (const pod of pods) await pod.end();
  await world?.close();
});

async function newPod(): Promise<Pod> {
  const pod = await startPod({ prefix, hold: holder.entrypoint as readonly string[] });
  pods.push(pod);
  return pod;
}

/** A text of the files with the free ports. */
const here = (text: string) => text.replaceAll(/\b(8645|9464)\b/g, (port) => `${ports.get(port)}`);

/** The words of a service's command, behind the entry point of the image. */
const commandOf = ({ command }: ComposeService): string[] => [
  ...image.wordsOf('ENTRYPOINT'),
  ...here(command as string).split(' '),
  // Where the image's server listens if it is told nothing else.
  ...((command as string).startsWith('serve') ? ['--port', `${ports.get('8645')}`] : []),
];

const healthOf = ({ healthcheck }: ComposeService): string[] => {
  const [kind, ...words] = healthcheck?.test ?? [];
  expect(kind).toBe('CMD');
  return words.map(here);
};

const env = { L2PROOF_KEYS: 'a-key-of-somebody' };
const endpoints = () => ({ L2PROOF_L1: world.l1.url, L2PROOF_L2: world.l2.url });
const isHealthy = (pod: Pod, service: ComposeService) => pod.run(healthOf(service)).status === 0;

/** A pod whose volume has the state of a genesis. */
async function loadedPod(): Promise<Pod> {
  const pod = await newPod();
  copyFileSync(world.genesis, join(pod.state, 'genesis.json'));
  // As the guide says; a file beside the state stands for the one that it mounts.
  const line = shellOf('docs/operate.md', 'docker compose run').find((one) =>
    one.includes(' load '),
  );
  const [, words] = / follow (load .*)$/.exec(line as string) as unknown as [string, string];
  const load = words.replace(' /genesis.json', ' /state/genesis.json').split(' ');
  const loaded = pod.run([...image.wordsOf('ENTRYPOINT'), ...load]);
  expect(loaded).toMatchObject({ status: 0, stdout: expect.stringMatching(/^loaded 1 block/) });
  return pod;
}

/** Starts the follower, and waits until it has a block. */
async function startFollower(pod: Pod, block: number): Promise<PodProcess> {
  const started = pod.start(commandOf(follow), endpoints());
  const url = `http://127.0.0.1:${ports.get('9464')}/metrics`;
  await until(async () => (await followedBlock(url)) === block, `the follower has block ${block}`);
  return started;
}

async function startServer(pod: Pod): Promise<PodProcess> {
  const started = pod.start(commandOf(serve), env);
  await until(() => started.said.text.includes('"listening"'), 'the server listens');
  return started;
}

test('the image installs the package of this release, and runs its command as another user than root', () => {
  const { version } = manifest;
  const [stage] = image.file.getFROMs();
  expect(stage?.getBuildStage()).toBe('install');
  const args = image.file.getARGs().map((one) => one.getProperty()?.getValue());
  expect(args).toEqual([`l2proof-server@${version}`]);
  const runs = image.file
    .getInstructions()
    .filter((one) => one.getKeyword() === 'RUN')
    .map((one) => one.getArgumentsContent());
  expect(runs).toEqual([
    'npm install -g --prefix /opt/l2proof --ignore-scripts "$PACKAGE"',
    'mkdir /state && chown node:node /state',
  ]);
  expect(image.file.getCOPYs().at(-1)?.getArgumentsContent()).toBe('/opt/l2proof /opt/l2proof');
  expect(image.argumentOf('USER')).toBe('node');
  expect(image.argumentOf('VOLUME')).toBe('/state');
  expect(image.wordsOf('ENTRYPOINT')).toEqual(['l2proof']);
  expect(image.wordsOf('CMD').join(' ')).toBe(serve.command);
});

test('each service that has the store shares process ids, and has a root that is read only and no rights', () => {
  expect(Object.keys(services)).toEqual(['pod', 'follow', 'serve', 'prometheus']);
  for (const service of [holder, follow, serve]) {
    expect(service).toMatchObject({
      image: `l2proof-server:${manifest.version}`,
      build: '.',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
  for (const service of [follow, serve]) {
    expect(service).toMatchObject({
      pid: 'service:pod',
      network_mode: 'service:pod',
      volumes: ['state:/state'],
    });
  }
  expect(holder).toMatchObject({ init: true, healthcheck: { disable: true } });
  // Ports are published by the one whose network it is, and on loopback.
  const published = Object.values(services).flatMap(({ ports = [] }) => ports as string[]);
  expect(published).toEqual(holder.ports);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  expect(prometheus.profiles).toEqual(['watch']);
  expect(textOf('compose.yaml')).not.toMatch(/L2PROOF_\w+\s*[:=]/);
});

test('the commands run without root, on a root that is read only', async () => {
  const pod = await newPod();
  const script =
    'id -u; for each in / /usr /etc /opt/l2proof; do touch $each/x && echo $each; done; touch /state/x && ls /state';
  const { stdout, stderr } = pod.run(['sh', '-c', script]);
  expect(stdout.split('\n')).toEqual(['1000', 'ready', 'x', '']);
  expect(stderr.match(/Read-only file system/g)).toHaveLength(4);
  const { stdout: status } = pod.run(['cat', '/proc/self/status']);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
});

test(
  'a follower that is killed, and one that ends, leave the server as it is, and the next goes on',
  async () => {
    const pod = await loadedPod();
    expect([isHealthy(pod, follow), isHealthy(pod, serve)]).toEqual([false, false]);
    const server = await startServer(pod);
    const first = await startFollower(pod, await world.l2.mine());
    expect([isHealthy(pod, follow), isHealthy(pod, serve)]).toEqual([true, true]);
    expect(pod.run(image.wordsOf('HEALTHCHECK').map(here))).toMatchObject({ status: 0 });

    first.kill('SIGKILL');
    await first.ended;
    expect([isHealthy(pod, follow), isHealthy(pod, serve)]).toEqual([false, true]);
    const second = await startFollower(pod, await world.l2.mine());
    second.kill('SIGTERM');
    expect(await second.ended).toEqual([0, null]);
    expect(isHealthy(pod, serve)).toBe(true);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual([0, null]);
  },
  patience,
);

test(
  'with the first process of the space all others end, so no follower and no server is that process',
  async () => {
    const pod = await loadedPod();
    const server = await startServer(pod);
    await pod.end();
    expect((await server.ended)[0]).not.toBe(0);
  },
  patience,
);
