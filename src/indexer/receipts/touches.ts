/** Who has a part in a transaction, and what it adds to the totals of each. */
import { addressWidth, bytesToText, isZero, writeInteger } from '../../bytes.js';
import { writeNumber } from '../../tree/store/numbers.js';
import type { Changes } from '../layout/changes.js';
import { totalWidth, totalWidths } from '../layout/combine.js';
import { touches } from '../layout/layout.js';
import type { TokenEvent } from '../logs/events.js';

/** Wallets that are compared one by one; to look up more takes less. */
const few = 8;

/** One transaction in a total. */
function totalOf({ sent }: { sent: number }): Uint8Array {
  const total = new Uint8Array(totalWidth);
  writeNumber(total, 0, 1, totalWidths.transactions);
  writeNumber(total, totalWidths.transactions, sent, totalWidths.sent);
  return total;
}

/** The wallets of one transaction after the other. */
export class Touches {
  readonly #wallets: Uint8Array[] = [];
  readonly #flags: number[] = [];
  #count = 0;
  /** Places in these lists, if they are long. */
  readonly #places = new Map<string, number>();
  /** What a transaction adds to the total of its sender, but for the fees; and to those of others. */
  readonly #ofSender = totalOf({ sent: 1 });
  readonly #ofOther = totalOf({ sent: 0 });

  begin(): void {
    this.#count = 0;
    // A map that is cleared makes room anew, even if it is empty; few transactions have so many wallets.
    if (this.#places.size > 0) this.#places.clear();
  }

  /** Adds a part that a wallet has; the zero address has none. */
  add(wallet: Uint8Array, touch: number): void {
    if (isZero(wallet)) return;
    const place = this.#placeOf(wallet);
    this.#flags[place] = (this.#flags[place] as number) | touch;
  }

  /** Adds the parts that wallets have by an event. */
  addEvent(event: TokenEvent): void {
    if (event.kind === 'allowance' || event.kind === 'approval') {
      this.add(event.owner, touches.approved);
      return;
    }
    this.add(event.from, touches.moved);
    this.add(event.to, touches.moved);
  }

  /**
   * Adds the records of the transaction.
   *
   * @param at its block, and its place in the block
   * @param fees in wei; the sender's
   */
  end(
    changes: Changes,
    at: { block: Uint8Array; transaction: Uint8Array },
    fees: number | bigint,
  ): void {
    const { block, transaction } = at;
    for (let i = 0; i < this.#count; i++) {
      const wallet = this.#wallets[i] as Uint8Array;
      const flags = this.#flags[i] as number;
      changes.key('touched').part(wallet).part(block).part(transaction);
      changes.value(block).byte(flags).end();
      const isSender = (flags & touches.sent) !== 0;
      if (isSender) this.#writeFees(fees);
      changes.key('total').part(wallet);
      changes.put(block, isSender ? this.#ofSender : this.#ofOther);
    }
  }

  #writeFees(fees: number | bigint): void {
    const { fees: width } = totalWidths;
    const from = totalWidth - width;
    if (typeof fees === 'number') {
      writeNumber(this.#ofSender, from, fees, width);
    } else {
      this.#ofSender.fill(0, from);
      writeInteger(fees, this.#ofSender, totalWidth);
    }
  }

  #placeOf(wallet: Uint8Array): number {
    if (this.#count <= few) {
      for (let i = 0; i < this.#count; i++) {
        if (isSame(this.#wallets[i] as Uint8Array, wallet)) return i;
      }
      return this.#append(wallet);
    }
    if (this.#places.size === 0) {
      for (let i = 0; i < this.#count; i++) {
        this.#places.set(bytesToText(this.#wallets[i] as Uint8Array), i);
      }
    }
    const name = bytesToText(wallet);
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.#count);
    return this.#append(wallet);
  }

  /** Copies a wallet: the bytes given are used for the next one. */
  #append(wallet: Uint8Array): number {
    this.#wallets[this.#count] ??= new Uint8Array(addressWidth);
    this.#wallets[this.#count]?.set(wallet);
    this.#flags[this.#count] = 0;
    return this.#count++;
  }
}

/** From the end: most addresses differ there, too, and the zeros of short ones stand in front. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = addressWidth - 1; i >= 0; i--) if (a[i] !== b[i]) return false;
  return true;
}
