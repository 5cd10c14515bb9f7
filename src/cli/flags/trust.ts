/** Whom a command asks, and trusts about L1: the endpoints, the hash of a block, or consensus from a checkpoint on. */
import type { AnchorOptions, Network } from '../../anchor/index.js';
import type { BeaconNetwork } from '../../beacon/index.js';
import type { Hex } from '../../index.js';
import { loadPeer, type Peer, type PeerUser } from '../../peer.js';
import { visible } from '../../visible.js';
import { cachedText } from '../cache/userCache.js';
import { UsageError } from '../exit/exit.js';
import { nameBounds } from '../exit/failures.js';
import { asUsage } from './args.js';
import type { consensusFlags } from './common.js';
import { type NamedNetwork, readEndpoints, readNetwork, withNode } from './endpoints.js';
import type { Values } from './flag.js';
import type { historySource } from './historyFlags.js';

/** A command without `--l1-block-hash` has no such value. */
type TrustValues = Values<typeof consensusFlags> & {
  readonly 'l1-block-hash'?: string | undefined;
};

/** What a command line trusts. */
export type GivenTrust =
  | { readonly blockHash: Hex }
  | { readonly checkpoint: Hex; readonly beacon: readonly string[] };

/** @param given names of the flags on the command line @returns undefined: the endpoints @throws UsageError */
export function readTrust(values: TrustValues, given: ReadonlySet<string>): GivenTrust | undefined {
  const { checkpoint, 'l1-block-hash': blockHash } = values;
  if (checkpoint === undefined) {
    if (given.has('beacon')) throw new UsageError('--beacon needs --checkpoint');
    return blockHash === undefined ? undefined : { blockHash: blockHash as Hex };
  }
  if (blockHash !== undefined) {
    throw new UsageError('--checkpoint takes the place of --l1-block-hash; give one of them');
  }
  return { checkpoint: checkpoint as Hex, beacon: values.beacon };
}

/** What the library is given. */
type TrustOptions = Pick<AnchorOptions, 'trusted'>;

/** Names of the library's options -> options of the command. */
const names = { api: '--beacon', url: '--beacon', checkpoint: '--checkpoint' };

/** Ids of L1 -> its network of beacon servers. */
const publicChains: Readonly<Record<number, 'mainnet' | 'sepolia'>> = {
  1: 'mainnet',
  11155111: 'sepolia',
};

type Library = typeof import('../../beacon/index.js');

/** @param own what a file says of the network's consensus @throws UsageError */
function beaconNetworkOf(library: Library, { l1ChainId }: Network, own: unknown): BeaconNetwork {
  if (own !== undefined) {
    try {
      return library.defineBeaconNetwork(own as BeaconNetwork);
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new UsageError(`"beacon" in the file of --network: ${reason}`, { cause });
    }
  }
  const name = publicChains[l1ChainId];
  if (name !== undefined) return library.beaconNetworks[name];
  const text = `the consensus of L1 chain ${l1ChainId} is not known; describe it in the file of --network, as "beacon"`;
  throw new UsageError(text);
}

function sayNotKept(error: unknown): void {
  const text = `what is known of L1 is not kept, and each run begins at the checkpoint: ${(error as Error).message}`;
  process.stderr.write(`${visible(text)}\n`);
}

/** Opens what is trusted. Nothing is sent yet. @throws UsageError */
export async function openTrust(
  trust: GivenTrust | undefined,
  { network: rollup, beacon }: NamedNetwork,
  signal?: AbortSignal,
): Promise<TrustOptions> {
  if (trust === undefined) return {};
  if ('blockHash' in trust) return { trusted: trust };
  const library = await import('../../beacon/index.js');
  const network = beaconNetworkOf(library, rollup, beacon);
  // One file a network. What it holds is of one checkpoint, and another one begins anew.
  const file = `l1-${network.genesisValidatorsRoot.slice(2, 18)}.txt`;
  try {
    const trusted = library.createLightClient({
      api: trust.beacon,
      checkpoint: trust.checkpoint,
      network,
      storage: cachedText(file, sayNotKept),
      signal,
    });
    return { trusted };
  } catch (cause) {
    throw asUsage(names, cause);
  }
}

/** Whom a command asks and trusts. @param given names of the flags on the command line @throws UsageError */
export function readSources(values: Values<typeof historySource>, given: ReadonlySet<string>) {
  const { node, 'max-blocks': maxBlocks } = values;
  return { ...readEndpoints(values), node, maxBlocks, trust: readTrust(values, given) };
}

export type GivenSources = ReturnType<typeof readSources>;

/** The same, as the library takes it. @param user whose packages a missing one is named with @throws CliError */
export async function openSources(
  { l1, l2, node, network: name, maxBlocks, trust }: GivenSources,
  user: PeerUser<Peer>,
) {
  nameBounds();
  const library = await loadPeer(user, '@ethereumjs/rlp', import('../../anchor/index.js'));
  const named = await readNetwork(library, name);
  const { network } = named;
  const trusted = await openTrust(trust, named);
  const both = node === undefined ? l2 : withNode(l2, node, network.method);
  return { l1, l2: both, network, maxBlocks, ...trusted };
}
