/** Mints and burns that a wrapped token says twice: by a transfer, and by the event of its wrapping. */
import { bytesToText, isZero } from '../../bytes.js';
import type { TokenEvent } from '../logs/events.js';
import { Pairs } from './pairs.js';

type Transfer = Extract<TokenEvent, { kind: 'transfer' }>;

/** Tells them apart, in one transaction after the other. */
export class Wrappings {
  /** A mint or burn and a wrapping of the same wallet and amount: some wrapped tokens emit both for one, which counts once. */
  readonly #pairs = new Pairs();

  beginTransaction(): void {
    this.#pairs.clear();
  }

  /** @param contract its number or its address @returns whether an earlier log of the transaction has said the same */
  isRepeated(
    { standard, from, to, amounts, isWrapping }: Transfer,
    contract: number | string,
  ): boolean {
    if (standard !== 'erc20') return false;
    const isMade = isZero(from);
    if (!isMade && !isZero(to)) return false;
    const wallet = bytesToText(isMade ? to : from);
    const key = `${contract} ${isMade} ${wallet}${bytesToText(amounts[0] as Uint8Array)}`;
    return this.#pairs.isRepeated(key, !isWrapping);
  }
}
