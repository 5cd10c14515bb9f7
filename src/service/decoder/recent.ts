/** A map of bounded weight that forgets the least recently used entries. */

export interface Recent<T> {
  get(key: string): T | undefined;
  /** @param weight bytes, roughly; a value heavier than all the room is not kept */
  set(key: string, value: T, weight: number): void;
  delete(key: string): void;
}

/** What an entry takes besides its value, roughly. */
const entryWeight = 200;

/** @param room bytes, roughly */
export function createRecent<T>(room: number): Recent<T> {
  const entries = new Map<string, { readonly value: T; readonly weight: number }>();
  let left = room;

  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    left += entry.weight;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A map keeps the order in which keys came: the first is the least recently used one.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, valueWeight) {
      forget(key);
      const weight = valueWeight + entryWeight;
      if (weight > room) return;
      entries.set(key, { value, weight });
      left -= weight;
      for (const oldest of entries.keys()) {
        if (left >= 0) break;
        forget(oldest);
      }
    },
    delete: forget,
  };
}
