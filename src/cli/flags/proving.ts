/** The root that balances are verified under, as `l2proof balances --prove` takes it. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { BalancesRequest } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { loadPeer } from '../../peer.js';
import type { Transport } from '../../rpc/index.js';
import { UsageError } from '../exit/exit.js';
import { nameHash } from '../exit/failures.js';
import { provingPeers, userOf } from '../exit/needs.js';
import { asUsage, flag, many, option } from './args.js';
import { readFork } from './callFork.js';
import { readL1, readNetwork } from './endpoints.js';
import { fetchFailure } from './fetchFailure.js';

/** The packages of all work with `--prove`. */
export const user = userOf('l2proof balances --prove', ['zod', ...provingPeers]);

/** For `readArgs`. */
export const proveOptions = {
  ...{ prove: flag, network: option, l1: many, 'l1-block-hash': option },
  ...{ root: option, block: option, fork: option },
} as const;

export interface Proving {
  readonly network: string;
  readonly fork: BalancesRequest['fork'];
  /** A root that the user trusts, or where to ask for one. */
  readonly source:
    | { readonly root: Hex; readonly block: number }
    | { readonly l1: readonly Transport[]; readonly blockHash: Hex | undefined };
}

interface Values {
  readonly prove?: boolean;
  readonly network?: string;
  readonly l1?: string[];
  readonly 'l1-block-hash'?: string;
  readonly root?: string;
  readonly block?: string;
  readonly fork?: string;
}

function readSource(values: Values): Proving['source'] {
  const { root, block, l1, 'l1-block-hash': blockHash } = values;
  if (root === undefined && block === undefined) {
    return { l1: readL1(l1), blockHash: blockHash as Hex | undefined };
  }
  if (root === undefined || block === undefined || !/^\d{1,15}$/.test(block)) {
    throw new UsageError('--root and --block go together: a state root, and its L2 block number');
  }
  if (l1 !== undefined || blockHash !== undefined) {
    throw new UsageError('--root takes the place of --l1 and --l1-block-hash');
  }
  return { root: root as Hex, block: Number(block) };
}

/** @returns undefined without --prove @throws UsageError */
export function readProving(values: Values): Proving | undefined {
  const { prove = false, ...others } = values;
  if (!prove) {
    const names = ['network', 'l1', 'l1-block-hash', 'root', 'block', 'fork'] as const;
    const given = names.find((name) => others[name] !== undefined);
    if (given !== undefined) throw new UsageError(`--${given} needs --prove`);
    return undefined;
  }
  const { network, fork: name } = others;
  if (network === undefined) {
    throw new UsageError('--network is required: mainnet, sepolia, or a file that describes one');
  }
  return { network, fork: readFork(name), source: readSource(others) };
}

/** Names of the library's options -> options of the command. */
const names = { stateRoot: '--root', l2BlockNumber: '--block' };

/** A root, and the network whose fork times say which rules hold under it. */
export interface FoundRoot {
  readonly anchor: AnchoredRoot;
  readonly network: Network;
}

/** @throws CliError */
export async function findRoot({ network: name, source }: Proving): Promise<FoundRoot> {
  const library = await loadPeer(user, '@ethereumjs/rlp', import('../../anchor/index.js'));
  const network = await readNetwork(library, name);
  if ('l1' in source) {
    const { l1, blockHash } = source;
    const trust = blockHash === undefined ? {} : { trusted: { blockHash } };
    const anchor = await library.fetchAnchor({ l1, network, ...trust }).catch((cause) => {
      throw fetchFailure(cause);
    });
    return { anchor, network };
  }
  nameHash();
  // The user names the root alone: no L1 block stands behind it.
  const l1 = { blockNumber: 0, blockHash: source.root };
  const root = { l2BlockNumber: source.block, stateRoot: source.root };
  try {
    return { anchor: library.givenAnchor({ network, ...root, l1 }), network };
  } catch (cause) {
    throw asUsage(names, cause);
  }
}
