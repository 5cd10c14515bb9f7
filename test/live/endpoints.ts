/**
 * Whom `npm run check:live` asks: each line can be changed by a variable of the environment, several URLs with commas.
 * None needs a key; none is ours, or trusted.
 */
import { readFileSync } from 'node:fs';
import { defineNetwork, type Network, networks } from '../../src/anchor/index.js';
import { type BeaconNetwork, beaconNetworks, defineBeaconNetwork } from '../../src/beacon/index.js';
import { UsageError } from '../../src/cli/exit/exit.js';
import { checkHex } from '../../src/foreign/argument.js';
import type { Hex } from '../../src/index.js';
import { createGetter } from '../../src/rpc/get.js';
import { createTransport, type Transport } from '../../src/rpc/index.js';

/** Variable -> its default, and where that stands in public documentation. */
const defaults = {
  // ethereum.org's page of PublicNode; a public list of chains; the default of viem's `mainnet`.
  LIVE_L1: 'https://ethereum-rpc.publicnode.com,https://eth.drpc.org,https://ethereum.reth.rs/rpc',
  // docs.linea.build, "Network information". It answers linea_getProof.
  LIVE_L2: 'https://rpc.linea.build',
  // The L2 node that proven values are held against; it answers code, blocks and receipts.
  LIVE_NODE: 'https://rpc.linea.build',
  // PublicNode; the default of viem's `sepolia`.
  LIVE_SEPOLIA_L1: 'https://ethereum-sepolia-rpc.publicnode.com,https://11155111.rpc.thirdweb.com',
  // Lodestar's own server, which has the routes for light clients.
  LIVE_BEACON: 'https://lodestar-mainnet.chainsafe.io',
  // The list of eth-clients/checkpoint-sync-endpoints.
  LIVE_CHECKPOINTS:
    'https://beaconstate.info,https://sync.invis.tools,https://beaconstate.ethstaker.cc,https://checkpointz.pietjepuk.net',
  // A contract with a totalSupply() and something in one of its first slots: wrapped ether of the public network.
  LIVE_TOKEN: '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f',
  // Files with other networks, as `--network` and `--beacon-network` of the command read them.
  LIVE_NETWORK: '',
  LIVE_SEPOLIA_NETWORK: '',
  LIVE_BEACON_NETWORK: '',
} as const;

type Variable = keyof typeof defaults;

/** What the checks ask. */
export interface Endpoints {
  readonly network: Network;
  /** Nodes of L1, by different operators. */
  readonly l1: readonly Transport[];
  /** Proofs from one server, and all else from the node. */
  readonly l2: Transport;
  readonly node: Transport;
  readonly sepolia: { readonly network: Network; readonly l1: readonly Transport[] };
  readonly beacon: { readonly network: BeaconNetwork; readonly api: readonly string[] };
  readonly checkpoints: readonly string[];
  readonly token: Hex;
}

/** Does what a variable says. @throws UsageError that names it */
function by<T>(name: Variable, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(`${name}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * @param env variables that are set, in place of their defaults
 * @throws UsageError if one is wrong
 */
export function openEndpoints(env: Readonly<Record<string, string | undefined>>): Endpoints {
  const text = (name: Variable): string => env[name] || defaults[name];
  const list = (name: Variable): string[] => text(name).split(',');
  const open = (name: Variable): Transport[] =>
    by(name, () => list(name).map((url) => createTransport({ url })));
  const urls = (name: Variable): string[] => {
    // The checks open them: here a wrong one is found.
    by(name, () => list(name).map((url) => createGetter({ url })));
    return list(name);
  };
  const file = <T>(name: Variable, define: (json: never) => T, otherwise: T): T =>
    text(name) === ''
      ? otherwise
      : by(name, () => define(JSON.parse(readFileSync(text(name), 'utf8')) as never));
  const network = file('LIVE_NETWORK', defineNetwork, networks.mainnet);
  by('LIVE_TOKEN', () => checkHex(text('LIVE_TOKEN'), 20, 'address'));
  const [node] = open('LIVE_NODE') as [Transport];
  const [proofs] = open('LIVE_L2') as [Transport];
  return {
    network,
    l1: open('LIVE_L1'),
    l2: {
      call: (method, params, options) =>
        (method === network.method ? proofs : node).call(method, params, options),
    },
    node,
    sepolia: {
      network: file('LIVE_SEPOLIA_NETWORK', defineNetwork, networks.sepolia),
      l1: open('LIVE_SEPOLIA_L1'),
    },
    beacon: {
      network: file('LIVE_BEACON_NETWORK', defineBeaconNetwork, beaconNetworks.mainnet),
      api: urls('LIVE_BEACON'),
    },
    checkpoints: urls('LIVE_CHECKPOINTS'),
    token: text('LIVE_TOKEN') as Hex,
  };
}
