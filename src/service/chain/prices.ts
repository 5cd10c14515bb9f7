/** Where prices come from: nowhere, a fixed list, or a function of the operator's. */
import type { Hex } from '../../bytes.js';
import { startDeadline } from '../../deadline.js';
import type { TokenPrice } from '../../decode/index.js';
import type { ServiceLog } from '../http/log.js';

/** Which prices are asked for: those of the tokens of one transaction, at its time. */
export interface PriceQuestion {
  /** As the chains of the decoder have it. */
  readonly chainName: string;
  /** As the node's `eth_chainId` gives it. */
  readonly chainId: number;
  /** Lower case; that of the native token is `0xeeee...eeee`. */
  readonly addresses: readonly Hex[];
  /** Seconds; undefined if the node did not say. */
  readonly timestamp: number | undefined;
  /** Aborted once no request waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Says what tokens are worth, in US dollars. Tokens without a price are left out of the answer. If it throws, or takes
 * more than five seconds, the events come without prices, and are not cached.
 */
export type PriceSource = (question: PriceQuestion) => Promise<readonly TokenPrice[]>;

const names = new WeakMap<PriceSource, string>();

/** A source whose prices answers mark with its name. */
export function namedSource(name: string, source: PriceSource): PriceSource {
  names.set(source, name);
  return source;
}

/** The name of a source; undefined for one without. */
export const sourceName = (source: PriceSource | undefined): string | undefined =>
  source && names.get(source);

/** Ms. */
const patience = 5000;

interface Prices {
  readonly prices: readonly TokenPrice[];
  /** Whether all was answered. */
  readonly isWhole: boolean;
}

export async function askPrices(
  source: PriceSource | undefined,
  question: Omit<PriceQuestion, 'signal'>,
  log: ServiceLog | undefined,
): Promise<Prices> {
  if (source === undefined) return { prices: [], isWhole: true };
  const clock = startDeadline(patience);
  try {
    const asked = source({ ...question, signal: clock.signal });
    const late = () => new Error(`no price within ${patience} ms`);
    return { prices: await clock.race(asked, late), isWhole: true };
  } catch (err) {
    log?.warn({ err }, 'the price source failed');
    return { prices: [], isWhole: false };
  } finally {
    clock.stop();
  }
}
