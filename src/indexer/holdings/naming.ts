/** Says of damage which index it is, and what to do. */
import { wordFor } from '../../errors.js';
import { TreeError } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import type { Index } from './indexTypes.js';

/**
 * Does work on an index.
 *
 * @param name of the index, for messages
 * @throws IndexError `DAMAGED` that names the index, also if the store below says that it is damaged
 */
export async function naming<T>(name = 'the index', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isDamage = cause instanceof IndexError || cause instanceof TreeError;
    if (!isDamage || cause.code !== 'DAMAGED') throw cause;
    const todo = `feed a new one in another folder: ${wordFor('feedIndex', 'createIndexer')}`;
    throw new IndexError('DAMAGED', `${name}: ${cause.reason}; ${todo}`, { cause });
  }
}

/** An index whose errors name it. */
export function named(name: string | undefined, index: Index): Index {
  const { close, ...rest } = index;
  const members = Object.entries(rest).map(([key, member]) => {
    if (typeof member !== 'function') return [key, member];
    const work = member as (...args: unknown[]) => Promise<unknown>;
    return [key, (...args: unknown[]) => naming(name, () => work(...args))];
  });
  return { ...(Object.fromEntries(members) as typeof rest), close };
}
