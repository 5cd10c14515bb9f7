/** Two chains, the rollup contract between them, and the commands of l2proof on top of them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../index.js';
import { type DevNetwork, fork, l1Genesis, l2Genesis } from './network.js';
import { type DevNode, startNode } from './node.js';
import { type Finalized, type Operator, openOperator } from './operator.js';
import { type Story, tellStory } from './story.js';
import type { Supervisor } from './supervisor.js';

/** The key of the servers. Everyone knows it: pages in this machine's browser can ask them, and nothing on a devnet is worth anything. */
export const key = 'devnet-key';

/** A devnet that runs: all blocks of its story are final. */
export interface Devnet extends Story {
  /** The file of `--network`. */
  readonly networkFile: string;
  readonly network: DevNetwork;
  /** URLs of the nodes. */
  readonly l1: string;
  readonly l2: string;
  /** URL of the server of proofs, with its key. */
  readonly proofs: string;
  /** URL of the data interface and of the decoder. */
  readonly data: string;
  /** URL of the explorer. */
  readonly page: string;
  /** URL of the proxy. */
  readonly proxy: string;
  /** Hash of an L1 block that is final, in whose state the story is final. */
  readonly l1BlockHash: Hex;
  /** Puts the root of the follower's newest block on L1, if it is not there yet. @throws CliError */
  finalize(): Promise<Finalized | undefined>;
  /** Closes what this process has open: the supervisor ends the others. */
  close(): Promise<void>;
}

/** Waits until the follower knows that a block is final. */
async function untilFinal(operator: Operator, block: number): Promise<void> {
  while ((await operator.finalBlock()) < block) await sleep(20);
}

/** The parts of a devnet. */
interface Parts {
  readonly supervisor: Supervisor;
  /** Empty; the supervisor removes it. */
  readonly folder: string;
  readonly network: DevNetwork;
  /** L1's, with those of L2, the server and the proxy behind it; default any that are free. */
  readonly port?: number | undefined;
}

/** The port of a part, or 0 for any that is free. */
const portOf = ({ port }: Parts, part: 'l1' | 'l2' | 'server' | 'proxy'): number =>
  port === undefined ? 0 : port + ['l1', 'l2', 'server', 'proxy'].indexOf(part);

async function startChains(parts: Parts) {
  const { supervisor, folder, network } = parts;
  const [l1, l2] = await Promise.all([
    startNode(
      supervisor,
      {
        ...{ name: 'L1', genesis: l1Genesis(network), file: join(folder, 'l1.json') },
        port: portOf(parts, 'l1'),
      },
      // An empty block now and then, or all that L1 says would be out of date an hour later.
      ...['--block-time', '12', '--mixed-mining'],
    ),
    startNode(supervisor, {
      name: 'L2',
      genesis: l2Genesis(network),
      file: join(folder, 'genesis.json'),
      port: portOf(parts, 'l2'),
    }),
  ]);
  return { l1, l2, story: await tellStory(l2, network) };
}

/** What the explorer asks. The server of the page answers for L2, so that its port need not be known. */
const toPageSettings = (network: DevNetwork, l1: DevNode, l2: DevNode) => ({
  ...{ network, l1: [l1.url], proofs: `/v3/${key}`, node: l2.url, fork },
  data: { url: '/', key, chain: network.name },
});

/** Starts what answers questions. @returns the URLs */
async function startServers(parts: Parts & { l1: DevNode; l2: DevNode; story: Story }) {
  const { supervisor, folder, network, l1, l2, story } = parts;
  const { name, l2ChainId, method } = network;
  const settingsFile = join(folder, 'page.json');
  await writeFile(settingsFile, JSON.stringify(toPageSettings(network, l1, l2)));
  const alias = method === 'l2_getProof' ? [] : ['--alias', method];
  const served = supervisor.startCommand([
    ...['serve', '--port', String(portOf(parts, 'server')), '--drain', '0', '--key', key],
    // A page of yours may ask, and so may any other page that is open in this machine's browser.
    ...['--chain-id', String(l2ChainId), '--cors', '*'],
    ...['--store', join(folder, 'state'), '--finality', 'store', '--fork', fork, ...alias],
    ...['--node', l2.url],
    ...['--decode', `${name}=${l2.url}`, '--data', `${name}=${join(folder, 'index')}`],
    ...['--wrapped-native', `${name}=${story.contracts.wrappedEther}`],
    ...['--page', '--page-settings', settingsFile],
  ]);
  const [, port] = await served.said(/"port":(\d+)/);
  const data = `http://127.0.0.1:${port}`;
  const proofs = `${data}/v3/${key}`;
  const networkFile = join(folder, 'network.json');
  await writeFile(networkFile, `${JSON.stringify(network, null, 2)}\n`);
  const proxied = supervisor.startCommand([
    ...['proxy', '--port', String(portOf(parts, 'proxy')), '--network', networkFile],
    ...['--passthrough', 'send'],
    ...['--l1', l1.url, '--l2', proofs, '--node', l2.url],
  ]);
  const [, proxy = ''] = await proxied.said(/listening on (\S+),/);
  return { data, proofs, page: `${data}/`, networkFile, proxy };
}

/** Opens a devnet. The supervisor ends it. @throws CliError */
export async function openDevnet(parts: Parts): Promise<Devnet> {
  const { supervisor, folder, network } = parts;
  return Promise.race([supervisor.failure, open()]);

  async function open(): Promise<Devnet> {
    const { l1, l2, story } = await startChains(parts);
    const { rollup } = network;
    const follow = [
      ...['follow', '--store', join(folder, 'state'), '--l2', l2.url],
      ...['--genesis', join(folder, 'genesis.json'), '--l1', l1.url, '--rollup', rollup],
    ];
    const index = ['index', '--store', join(folder, 'index'), '--l2', l2.url];
    // What the servers open must be there before.
    await Promise.all([follow, index].map((args) => supervisor.run([...args, '--once'])));
    const operator = await openOperator({ path: join(folder, 'state'), l1, l2, network });
    await operator.finalize();
    for (const args of [follow, index]) supervisor.startCommand(args);
    const [servers, { hash }] = await Promise.all([
      startServers({ ...parts, l1, l2, story }),
      l1.call<{ hash: Hex }>('eth_getBlockByNumber', 'finalized', false),
      untilFinal(operator, story.block),
    ]);
    return {
      ...story,
      ...servers,
      network,
      l1: l1.url,
      l2: l2.url,
      l1BlockHash: hash,
      finalize: () => Promise.race([operator.finalize(), supervisor.failure]),
      close: () => operator.close(),
    };
  }
}
