/** Checks of the root and the implementation that L1 holds, for both ways of reading them. */
import { encodeHex, type Hex, isZero } from '../bytes.js';
import { otherFamilies, quoteFamilies, specOf } from '../codec/spec.js';
import type { StateKind } from '../verify/result.js';
import { AnchorError, wrongNetwork } from './common/errors.js';
import type { Network } from './common/network.js';

/** What L1 holds of the last block of a finalization, 32 bytes each; zero for nothing. */
export interface EndWords {
  readonly stateRoot: Uint8Array;
  /** Undefined if the network names no slot of it. */
  readonly blockHash: Uint8Array | undefined;
}

/** What an anchor hangs on. */
export type End =
  | { readonly kind: 'tree'; readonly stateRoot: Hex }
  | { readonly kind: 'header'; readonly blockHash: Hex };

/**
 * Chooses what an anchor hangs on: the block hash if L1 holds one, as from version 9 of the contract on, else the root.
 *
 * @param block.current the last finalized L2 block, if it is known
 * @param kind wanted by the caller; undefined: either
 * @throws AnchorError as {@link checkStateRoot}
 */
export function chooseEnd(
  { stateRoot, blockHash }: EndWords,
  network: Network,
  block: { readonly l2BlockNumber: number; readonly current: number | undefined },
  kind: StateKind | undefined,
): End {
  if (kind !== 'tree' && blockHash !== undefined && !isZero(blockHash)) {
    return { kind: 'header', blockHash: encodeHex(blockHash) };
  }
  if (kind === 'header') {
    const text = `L1 holds no hash of L2 block ${block.l2BlockNumber}: it ended no finalization of version 9`;
    throw new AnchorError('NOT_PROVABLE', text);
  }
  checkStateRoot(stateRoot, network, block);
  return { kind: 'tree', stateRoot: encodeHex(stateRoot) };
}

/**
 * @param root as L1 holds it, 32 bytes
 * @param current the last finalized L2 block, if it is known
 * @throws AnchorError `NOT_PROVABLE`, `NO_STATE_ROOT`, `WRONG_NETWORK` or `WRONG_FAMILY`
 */
export function checkStateRoot(
  root: Uint8Array,
  network: Network,
  { l2BlockNumber, current }: { l2BlockNumber: number; current: number | undefined },
): void {
  if (isZero(root)) {
    if (current !== l2BlockNumber) {
      throw new AnchorError(
        'NOT_PROVABLE',
        `L1 holds no root for L2 block ${l2BlockNumber}: it ended no finalization with one`,
      );
    }
    if (current === 0) throw wrongNetwork(network, 'the contract knows no L2 block');
    throw new AnchorError(
      'NO_STATE_ROOT',
      `L1 holds no root for L2 block ${current}, the last finalized one: from version 9 on it stores block hashes. Name an earlier block`,
    );
  }
  const spec = specOf(network.hash);
  const { hasher } = spec;
  if (!hasher.isCanonical(root)) {
    throw new AnchorError(
      'WRONG_FAMILY',
      `the root of L2 block ${l2BlockNumber} is of another hash family; define the network with hash: ${quoteFamilies(otherFamilies(spec))}`,
    );
  }
}

/**
 * @param word of the proxy's implementation slot, 32 bytes
 * @returns the address; undefined if the contract is no proxy
 * @throws AnchorError `WRONG_IMPLEMENTATION` if it is no address, or the network does not pin it
 */
export function checkImplementation(
  word: Uint8Array,
  { implementations }: Network,
): Hex | undefined {
  const address = isZero(word) ? undefined : encodeHex(word.subarray(12));
  const isAddress = isZero(word.subarray(0, 12));
  if (!isAddress || (implementations && !implementations.some((pin) => pin === address))) {
    const runs = isAddress ? (address ?? 'no implementation') : 'no address';
    throw new AnchorError(
      'WRONG_IMPLEMENTATION',
      `the contract runs ${runs}, which the network does not name`,
    );
  }
  return address;
}
