/** The ground of a proven answer about a block, for people and for programs. */
import { anchorRows, anchorToJson, columns } from '../print/print.js';
import type { Ground } from './ask.js';

/** How a header is proven, and then the root: behind what was proven. */
export function groundText({ anchor, restsOn }: Ground): string {
  const header =
    restsOn === undefined
      ? `by the hash of L2 block ${anchor.l2BlockNumber}, which L1 has`
      : `by hashes in the state of L2 block ${anchor.l2BlockNumber} (EIP-2935): the operator's word, frozen on L1`;
  return `it rests on\n${columns([['header', header], ...anchorRows(anchor)])}`;
}

/** The members of an answer that say what it rests on. */
export const groundToJson = ({ anchor, restsOn }: Ground) => ({
  proven: true,
  ...(restsOn && { restsOn }),
  anchor: anchorToJson(anchor),
});
