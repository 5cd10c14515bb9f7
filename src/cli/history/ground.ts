/** What a proven answer about a block rests on, for people and for programs. */
import { anchorTable, anchorToJson, columns } from '../print/print.js';
import type { Ground } from './ask.js';

/** Behind what was proven: how its header is, and then the root. */
export function groundText({ anchor }: Ground): string {
  const rests = `on hashes in the state of L2 block ${anchor.l2BlockNumber} (EIP-2935): the operator's word, frozen on L1`;
  return [columns([['header', rests]]), anchorTable(anchor)].join('\n');
}

/** The members of an answer that say what it rests on. */
export const groundToJson = ({ anchor }: Ground) => ({
  proven: true,
  restsOn: 'operator',
  anchor: anchorToJson(anchor),
});
