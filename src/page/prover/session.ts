/** The endpoints that the reader named, and the root that all answers are held against. */
import { defineNetwork, type Network, type NetworkOptions, networks } from '../../anchor/index.js';
import type { BeaconNetwork } from '../../beacon/index.js';
import type { DataClient } from '../../data/index.js';
import type { CallFork } from '../../forks.js';
import { createHistory, type History } from '../../history/index.js';
import type { Provider } from '../../provider/index.js';
import { createTransport, type Transport } from '../../rpc/index.js';
import type { Settings } from '../settings/settings.js';

/** What a question needs. The parts that not every question does are loaded with the first that does. */
export interface Session {
  readonly settings: Settings;
  readonly network: Network;
  readonly l2: Transport;
  readonly l1: readonly Transport[];
  /** As `fetchAnchor` takes it. */
  readonly trusted: Awaited<ReturnType<typeof openTrusted>>;
  /** Its root is a minute old at most, and all answers are held against it. */
  readonly history: History;
  /** Runs contracts on what is proven. */
  provider(): Promise<Provider>;
  /** @throws NoDataInterface */
  data(): Promise<DataClient>;
}

/** The reader has named no data interface. */
export class NoDataInterface extends Error {
  readonly code = 'NO_DATA_INTERFACE';
}

function networkOf({ network }: Settings): Network {
  if (typeof network === 'string') return networks[network];
  const { beacon: _, ...own } = network;
  return defineNetwork(own as NetworkOptions);
}

/** The L2 endpoint; if a node is named beside it, that is asked for all but proofs. */
function openL2({ proofs, node }: Settings, { method }: Network): Transport {
  const prover = createTransport({ url: proofs });
  if (node === undefined) return prover;
  const other = createTransport({ url: node });
  return { call: (...request) => (request[0] === method ? prover : other).call(...request) };
}

/** @throws RangeError, and for settings that are none, TypeError */
function beaconNetworkOf(
  { beaconNetworks, defineBeaconNetwork }: typeof import('../../beacon/index.js'),
  { l1ChainId }: Network,
  { network: given }: Settings,
): BeaconNetwork {
  if (typeof given !== 'string' && given.beacon) return defineBeaconNetwork(given.beacon);
  const name = (['mainnet', 'sepolia'] as const).find(
    (one) => networks[one].l1ChainId === l1ChainId,
  );
  if (name !== undefined) return beaconNetworks[name];
  throw new RangeError(`no beacon chain is known of the L1 chain ${l1ChainId}`);
}

/** What is believed about L1; undefined: the endpoints. */
async function openTrusted(settings: Settings, network: Network) {
  const { trust } = settings;
  if (trust.how === 'proof') return { blockHash: trust.blockHash as `0x${string}` };
  if (trust.how !== 'consensus') return undefined;
  const library = await import('../../beacon/index.js');
  const { api, checkpoint } = trust;
  return library.createLightClient({
    ...{ api, checkpoint: checkpoint as `0x${string}` },
    network: beaconNetworkOf(library, network, settings),
  });
}

/** @throws TypeError or RangeError for settings that cannot be */
export async function openSession(settings: Settings): Promise<Session> {
  const network = networkOf(settings);
  const { l1: urls, trust, data: service } = settings;
  if (trust.how === 'quorum' && urls.length < 2) {
    throw new RangeError('several L1 endpoints that agree are wanted, and one is named');
  }
  const l1 = (trust.how === 'call' ? urls.slice(0, 1) : urls).map((url) =>
    createTransport({ url }),
  );
  const l2 = openL2(settings, network);
  const trusted = await openTrusted(settings, network);
  const history = createHistory({ l2, network, l1, ...(trusted && { trusted }) });
  const anchor = () => history.anchor();
  const fork = settings.fork as CallFork | undefined;
  let provider: Promise<Provider> | undefined;
  let data: Promise<DataClient> | undefined;
  const options = { network, ...(fork && { fork }) };
  return {
    ...{ settings, network, l2, l1, trusted, history },
    provider() {
      provider ??= import('../../provider/index.js').then(({ createProvider }) =>
        createProvider({ ...options, l2, anchor }),
      );
      return provider;
    },
    data() {
      if (service === undefined) {
        throw new NoDataInterface('no data interface is named: say one under Trust');
      }
      const { url, key, chain } = service;
      data ??= import('../../data/index.js').then(({ createDataClient }) =>
        createDataClient({ ...options, url, key, chain, anchor }),
      );
      return data;
    },
  };
}
