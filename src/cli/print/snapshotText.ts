/** The claims of a snapshot, and what it was found to be, for people. */
import type { SnapshotClaim } from '../../tree/index.js';
import { countText } from './result.js';

/** Members that a file claims, and that its leaves do not prove. */
export type Claimed = 'block' | 'blockHash' | 'chainId';

interface Shown {
  /** Bytes of the file; undefined if they are not known. */
  readonly bytes: number | undefined;
  /** Members behind which stands that the file claims them. */
  readonly claimed?: readonly Claimed[];
}

/** The state of a snapshot in lines. */
export function snapshotLines(claim: SnapshotClaim, { bytes, claimed = [] }: Shown): string[] {
  const { stateRoot, block, blockHash, chainId } = claim;
  const wordOf = (name: Claimed) => (claimed.includes(name) ? ', as the file claims' : '');
  return [
    `state root  ${stateRoot}`,
    `block       ${block}${wordOf('block')}`,
    `block hash  ${blockHash ?? 'not named'}${wordOf('blockHash')}`,
    `chain       ${chainId ?? 'not named'}${wordOf('chainId')}`,
    ...(bytes === undefined ? [] : [`size        ${countText(bytes, 'byte')}`]),
  ];
}
