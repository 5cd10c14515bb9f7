/** What `l2proof snapshot` holds a file against: a root that the user trusts, or the one on L1. */
import type { ConsensusEvidence } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import { loadPeer } from '../../peer.js';
import type { SnapshotChecks, SnapshotClaim } from '../../tree/index.js';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { failureOf, nameHash } from '../exit/failures.js';
import type { readArgs } from '../flags/args.js';
import { readRoot } from '../flags/claimValues.js';
import { anchorsOf, fetchFailure, readL1, readNetwork } from '../flags/endpoints.js';
import type { checkFlags } from '../flags/feedFlags.js';
import type { Values } from '../flags/flag.js';
import { type GivenTrust, openTrust, readTrust } from '../flags/trust.js';

export type CheckValues = Values<typeof checkFlags>;

/** How L1 is asked. */
interface Asked {
  readonly values: CheckValues;
  readonly trust: GivenTrust | undefined;
  /** Is told what the final block of L1 rests on, if that is known. */
  onEvidence(evidence: ConsensusEvidence | undefined): void;
}

/** The root that L1 holds for the block that a file claims to be of. @throws CliError */
async function rootOnL1(claim: SnapshotClaim, { values, trust, onEvidence }: Asked): Promise<Hex> {
  const library = await loadPeer(
    anchorsOf('asking L1'),
    '@ethereumjs/rlp',
    import('../../anchor/index.js'),
  );
  const named = await readNetwork(library, values.network as string);
  const { network } = named;
  const anchor = await library
    .fetchAnchor({
      l1: readL1(values.l1),
      network,
      l2BlockNumber: claim.block,
      // A snapshot is of the tree, which no block hash says anything about.
      kind: 'tree',
      ...(await openTrust(trust, named)),
    })
    .catch((cause) => {
      throw failureOf(cause, 'snapshot') ?? fetchFailure(cause);
    });
  onEvidence(anchor.consensus);
  if (claim.chainId === undefined || claim.chainId === anchor.l2ChainId) return anchor.stateRoot;
  const text = `the snapshot is of chain ${claim.chainId}, and the network's is ${anchor.l2ChainId}`;
  throw new CliError(exitCodes.notVerified, text, { code: 'NOT_VERIFIED' });
}

/** The root that a file must have. */
interface ReadChecks {
  readonly checks: SnapshotChecks;
  /** What the final block of L1 rests on, once the file was read; undefined without a checkpoint. */
  evidence(): ConsensusEvidence | undefined;
}

/** The line of the command, as it was read. */
type CheckArgs = Pick<ReturnType<typeof readArgs<typeof checkFlags>>, 'values' | 'given' | 'file'>;

/** @throws UsageError */
export async function readChecks({ values, given, file }: CheckArgs): Promise<ReadChecks> {
  const { root, network } = values;
  if ((root === undefined) === (network === undefined)) {
    throw new UsageError(
      'give one of --root, the state root that you trust, and --network with --l1, which ask L1 for it',
    );
  }
  const trust = readTrust(values, given);
  if (root !== undefined && trust !== undefined && 'checkpoint' in trust) {
    throw new UsageError('--root takes the place of --checkpoint; give one of them');
  }
  nameHash();
  if (network !== undefined) readL1(values.l1);
  let evidence: ConsensusEvidence | undefined;
  const onEvidence = (found: ConsensusEvidence | undefined) => {
    evidence = found;
  };
  const stateRoot =
    root === undefined
      ? (claim: SnapshotClaim) => rootOnL1(claim, { values, trust, onEvidence })
      : await readRoot(root, { name: '--root', file });
  const { block, 'chain-id': chainId, hash } = values;
  const blockHash = values['block-hash'] as Hex | undefined;
  const checks = {
    stateRoot,
    hash,
    ...(block !== undefined && { block }),
    ...(blockHash !== undefined && { blockHash }),
    ...(chainId !== undefined && { chainId }),
  };
  return { checks, evidence: () => evidence };
}
