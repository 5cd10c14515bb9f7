/** Lists of a block, held against their root in its header. */
import { decodeHex, equalBytes, type Hex } from '../../bytes.js';
import { memberPath } from '../../foreign/members.js';
import { openArray, readMember } from '../../foreign/shape.js';
import { listRoot } from '../../mpt/list.js';
import type { Steps } from '../../steps.js';
import { type ListName, toHistoryError, wrongList } from './errors.js';

/**
 * Reads the items of a list, and holds them against its root.
 *
 * @param answer of unknown origin
 * @param root 32 bytes, proven
 * @param read one item
 * @param encode what the root covers of it
 * @throws HistoryError
 */
export function* readProvenList<T>(
  answer: unknown,
  { name, root }: { readonly name: ListName; readonly root: Hex },
  read: (value: unknown, at: string) => Steps<T>,
  encode: (item: T) => Uint8Array,
): Steps<T[]> {
  const items: T[] = [];
  try {
    const list = openArray(answer, name);
    for (let i = 0; i < list.length; i++) {
      items.push(yield* read(readMember(list, i), memberPath(list, i)));
    }
  } catch (cause) {
    throw toHistoryError(cause);
  }
  yield* checkProvenList(items, { name, root }, encode);
  return items;
}

/** Holds items that were read against the root of their list. @throws HistoryError */
export function* checkProvenList<T>(
  items: readonly T[],
  { name, root }: { readonly name: ListName; readonly root: Hex },
  encode: (item: T) => Uint8Array,
): Steps<void> {
  const wanted = new Uint8Array(32);
  decodeHex(root, 32, wanted);
  if (!equalBytes(yield* listRoot(items.map(encode)), wanted)) throw wrongList(name, root);
}
