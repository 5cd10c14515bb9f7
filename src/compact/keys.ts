/** The keys of a claim, as a compact proof counts them. */
import { encodeHex } from '../bytes.js';

/** The distinct keys, in the order in which they are first asked. */
interface DistinctKeys {
  readonly keys: readonly Uint8Array[];
  /** For each distinct key, its first position among the keys asked. */
  readonly firsts: readonly number[];
  /** For each key asked, its position among the distinct keys, from 0. */
  readonly positions: readonly number[];
}

export function distinctKeys(asked: readonly Uint8Array[]): DistinctKeys {
  const seen = new Map<string, number>();
  const keys: Uint8Array[] = [];
  const firsts: number[] = [];
  const positions = asked.map((key, i) => {
    const name = encodeHex(key);
    let position = seen.get(name);
    if (position === undefined) {
      position = keys.length;
      seen.set(name, position);
      keys.push(key);
      firsts.push(i);
    }
    return position;
  });
  return { keys, firsts, positions };
}
