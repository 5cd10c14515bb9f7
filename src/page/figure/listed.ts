/** How sure the items of lists are. */
import type { AnchoredRoot } from '../../anchor/index.js';
import { type Mark, operatorText, proven, serversWord } from './marks.js';

/** A page of a list, as `l2proof/data` gives it. */
export interface ListedPage<Item> {
  readonly anchor: AnchoredRoot;
  readonly items: readonly Item[];
  readonly unproven: readonly Item[];
  readonly assumed: readonly string[];
}

/** Who says by which rules contracts run, if nothing proves it. */
export const forkText = 'That the newest rules for contracts hold in that block is assumed.';

/** Of what was proven, with what it rests on beside the root. @param assumed as `ListPage` has it */
export function provenBut(anchor: AnchoredRoot, assumed: readonly string[]): Mark {
  if (assumed.includes('everything')) return serversWord('It');
  const more = [
    ...(assumed.includes('operator') ? [operatorText] : []),
    ...(assumed.includes('fork') ? [forkText] : []),
  ];
  return proven(anchor, more.length > 0 ? more.join(' ') : undefined);
}

/** Pages of one list together: they were held against one root. @param pages at least one */
export function joinPages<Item>(pages: readonly ListedPage<Item>[]): ListedPage<Item> {
  const [first] = pages as readonly [ListedPage<Item>];
  return {
    anchor: first.anchor,
    items: pages.flatMap(({ items }) => items),
    unproven: pages.flatMap(({ unproven }) => unproven),
    // The last page knows best what of the whole list is not proven.
    assumed: [
      ...new Set([
        ...pages.flatMap(({ assumed }) => assumed.filter((word) => word !== 'completeness')),
        ...(pages.at(-1)?.assumed ?? []),
      ]),
    ],
  };
}
