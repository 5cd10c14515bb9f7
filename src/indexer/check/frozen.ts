/** A store that stands still: one moment of another one, which may be written to meanwhile. */
import type { Store, StoreSnapshot } from '../../tree/index.js';

/** The store of a snapshot, which its owner releases. */
export function frozenStore({ read }: StoreSnapshot): Store {
  return {
    read,
    snapshot: () => ({ read, release() {} }),
    write: () => Promise.reject(new TypeError('a snapshot cannot be written to')),
    close: async () => {},
  };
}
