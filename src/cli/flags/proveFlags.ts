/** The root that answers of a data interface are verified under, as the commands take it with `--prove`. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { BalancesRequest } from '../../data/index.js';
import { loadPeer } from '../../peer.js';
import type { Transport } from '../../rpc/index.js';
import { UsageError } from '../exit/exit.js';
import { nameHash } from '../exit/failures.js';
import { provingPeers, userOf } from '../exit/needs.js';
import { asUsage } from './args.js';
import { proveFlags } from './askFlags.js';
import { readRoot } from './claimValues.js';
import { fetchFailure, openNamed, readL1, readNetwork } from './endpoints.js';
import type { Values } from './flag.js';
import { type GivenTrust, openTrust, readTrust } from './trust.js';

/** All that a command needs with `--prove`. @param command its name */
export const proverOf = (command: string) =>
  userOf(`l2proof ${command} --prove`, ['zod', ...provingPeers]);

/** What is proven, and from what. */
export interface Proving {
  /** The name of the command. */
  readonly command: string;
  readonly network: string;
  readonly fork: BalancesRequest['fork'];
  /** A root that the user trusts, or where to ask for one. */
  readonly source:
    | { readonly root: string; readonly block: number }
    | {
        readonly l1: readonly Transport[];
        /** Undefined: nothing gives headers, and roots alone are taken. */
        readonly l2: Transport | undefined;
        readonly trust: GivenTrust | undefined;
      };
}

function readSource(values: Values<typeof proveFlags>, given: ReadonlySet<string>) {
  const { root, block } = values;
  if (root === undefined && block === undefined) {
    const l2 = values.l2 === undefined ? undefined : openNamed('--l2', values.l2);
    return { l1: readL1(values.l1), l2, trust: readTrust(values, given) };
  }
  if (root === undefined || block === undefined || !/^\d{1,15}$/.test(block)) {
    throw new UsageError('--root and --block go together: a state root, and its L2 block number');
  }
  if (['l1', 'l2', 'l1-block-hash', 'checkpoint'].some((name) => given.has(name))) {
    throw new UsageError('--root takes the place of --l1, --l2, --l1-block-hash and --checkpoint');
  }
  return { root, block: Number(block) };
}

/**
 * @param command its name
 * @param given names of the flags on the command line
 * @returns undefined without --prove
 * @throws UsageError
 */
export function readProving(
  command: string,
  values: Values<typeof proveFlags> & { readonly prove: boolean },
  given: ReadonlySet<string>,
): Proving | undefined {
  if (!values.prove) {
    const needing = Object.keys(proveFlags).find((name) => given.has(name));
    if (needing !== undefined) throw new UsageError(`--${needing} needs --prove`);
    return undefined;
  }
  const { network, fork } = values;
  return { command, network, fork, source: readSource(values, given) };
}

/** Names of the library's options -> options of the command. */
const names = { stateRoot: '--root', l2BlockNumber: '--block' };

/** A root, and the network whose fork times say which rules hold under it. */
export interface FoundRoot {
  readonly anchor: AnchoredRoot;
  readonly network: Network;
}

/** @throws CliError */
export async function findRoot({ command, network: name, source }: Proving): Promise<FoundRoot> {
  const user = proverOf(command);
  const library = await loadPeer(user, '@ethereumjs/rlp', import('../../anchor/index.js'));
  const named = await readNetwork(library, name);
  const { network } = named;
  if ('l1' in source) {
    const trust = await openTrust(source.trust, named);
    const { l1, l2 } = source;
    const anchor = await library.fetchAnchor({ l1, l2, network, ...trust }).catch((cause) => {
      throw fetchFailure(cause);
    });
    return { anchor, network };
  }
  nameHash();
  const stateRoot = await readRoot(source.root, { name: '--root' });
  // The user names the root alone: no L1 block stands behind it.
  const l1 = { blockNumber: 0, blockHash: stateRoot };
  const root = { l2BlockNumber: source.block, stateRoot };
  try {
    const anchor = library.givenAnchor({ network, ...root, l1 });
    return { anchor, network };
  } catch (cause) {
    throw asUsage(names, cause);
  }
}
