/** One block of the node, from its header and traces to the net change of the state. */
import type { Hex } from '../../bytes.js';
import { type Fork, isSince } from '../../forks.js';
import type { AccountChange } from '../../tree/index.js';
import { RefusedBlock } from '../loop/refusedBlock.js';
import type { CodeHashes } from '../node/codeHashes.js';
import { FollowError } from '../node/errors.js';
import type { Node } from '../node/node.js';
import { checkFork, type NodeHeader, type SystemWrite, systemWrites } from '../node/system.js';
import type { TransactionDiff } from '../node/transactionDiff.js';
import { BlockMerge, mayBeUnsure } from './blockMerge.js';
import { type HeldState, heldContract } from './heldContract.js';
import type { CheckValue } from './valueLaw.js';

/** A block as the node has it. */
export interface FetchedBlock {
  readonly header: NodeHeader;
  readonly diffs: readonly TransactionDiff[];
  /** By the node's word, of accounts of which the traces leave it open. */
  readonly codes: ReadonlyMap<Hex, Hex>;
}

/** The error of a block whose traces do not fit: asked again, the node may answer others. */
export function toRefusal({ number, hash }: NodeHeader, error: unknown): unknown {
  if (!(error instanceof FollowError)) return error;
  const mayPass = error.code === 'BAD_TRACE' || error.code === 'STATE_MISMATCH';
  return mayPass ? new RefusedBlock(number, hash, error) : error;
}

/** A merge of the transactions of a block. */
const mergeOf = (fork: Fork): BlockMerge =>
  new BlockMerge({ canDestroy: !isSince(fork, 'cancun') });

/** Asks for the codes that traces leave open. */
async function fetchCodes(
  { node, forkAt }: BlockSource,
  { number, time }: NodeHeader,
  diffs: readonly TransactionDiff[],
): Promise<ReadonlyMap<Hex, Hex>> {
  const codes = new Map<Hex, Hex>();
  if (!mayBeUnsure(diffs)) return codes;
  const merge = mergeOf(forkAt(time));
  for (const diff of diffs) merge.apply(diff);
  for (const address of merge.unsureCodes()) codes.set(address, await node.code(address, number));
  return codes;
}

/** Gives blocks. */
interface BlockSource {
  readonly node: Node;
  /** The fork at a time. */
  readonly forkAt: (time: number) => Fork;
  /** Undefined if transactions may make value. */
  readonly checkValue: CheckValue | undefined;
}

/**
 * Fetches a block.
 *
 * @returns undefined if the node has no such block, or took it back meanwhile
 * @throws FollowError, RefusedBlock
 */
export async function fetchBlock(
  source: BlockSource,
  number: number,
): Promise<FetchedBlock | undefined> {
  const { node, checkValue } = source;
  const header = await node.header(number);
  if (header === undefined) return undefined;
  const fetchDiffs = async () => {
    const diffs = await node.diffs(header);
    await checkValue?.(header, diffs);
    return { diffs, codes: await fetchCodes(source, header, diffs) };
  };
  const outcome = await fetchDiffs().catch((error: unknown) => ({
    error: toRefusal(header, error),
  }));
  // Traces are asked for by number. They are another block's if that block took this one's place meanwhile.
  const again = await node.header(number);
  if (again?.hash !== header.hash) return undefined;
  if ('error' in outcome) throw outcome.error;
  return { header, ...outcome };
}

/** Writes of one contract together: it is read once. */
function byAddress(writes: readonly SystemWrite[]): Map<Hex, SystemWrite[]> {
  const contracts = new Map<Hex, SystemWrite[]>();
  for (const write of writes) {
    const known = contracts.get(write.address);
    if (known) known.push(write);
    else contracts.set(write.address, [write]);
  }
  return contracts;
}

/** The means to work out a block. */
interface BlockRules {
  /** The state after the block before. */
  readonly state: HeldState;
  readonly fork: Fork;
  readonly codeHashes: CodeHashes;
}

/**
 * The net change of a block, and what stood before it by the node's traces.
 *
 * @throws FollowError `BAD_TRACE`, `UNSUPPORTED_BLOCK`
 */
export async function findChanges(
  { header, diffs, codes }: FetchedBlock,
  { state, fork, codeHashes }: BlockRules,
): Promise<AccountChange[]> {
  checkFork(fork, header);
  const merge = mergeOf(fork);
  for (const [address, writes] of byAddress(systemWrites(fork, header))) {
    const keys = writes.map(({ key }) => key);
    const held = await heldContract(state, address, keys);
    if (held === undefined) continue;
    for (const [i, { key, value }] of writes.entries()) {
      merge.writeSlot(address, held.account, { key, before: held.slots[i] as Hex, value });
    }
  }
  for (const diff of diffs) merge.apply(diff);
  for (const [address, code] of codes) merge.setCode(address, code);
  return merge.changes(codeHashes);
}
