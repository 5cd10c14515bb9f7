/** What `serve --data` takes: indexes of chains that are decoded too. */
import { UsageError } from '../../exit/exit.js';

/** A chain, and its index: a folder, or a URL of PostgreSQL. */
export interface DataChain {
  readonly name: string;
  readonly store: string;
}

/** `NAME=DIR` or `NAME=postgres://...`. @param decoded names of the chains that are decoded @throws UsageError */
export function readDataChains(
  texts: readonly string[],
  decoded: readonly string[],
): readonly DataChain[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError('--data expected NAME=DIR, such as linea-mainnet=./index');
    const name = text.slice(0, at);
    if (!decoded.includes(name)) {
      throw new UsageError(
        '--data needs a node of its chain: --decode NAME=URL with the same name',
      );
    }
    return { name, store: text.slice(at + 1) };
  });
}
