/** What a light client holds against the clock of its caller. */
import { wrongType } from '../../errors.js';
import { ConsensusError, type ConsensusErrorCode } from '../verify/errors.js';
import { type BeaconNetwork, slotAt, slotTime } from '../verify/network.js';
import type { LightClientStore } from '../verify/types.js';

const hour = 3_600_000;

const toText = (ms: number): string =>
  ms < 48 * hour ? `${Math.round(ms / hour)} hours` : `${Math.floor(ms / hour / 24)} days`;

/** A bound on the age of what is known, in ms. */
export interface AgeBound {
  /** Name of the option that has it. */
  readonly name: string;
  readonly most: number;
  /** The code of what is older, and what is said of it: its subject, and what to do. */
  readonly code: ConsensusErrorCode;
  readonly subject: string;
  readonly advice: string;
}

export class Clock {
  readonly #network: BeaconNetwork;
  readonly #now: () => number;

  constructor(network: BeaconNetwork, now: () => number) {
    this.#network = network;
    this.#now = now;
  }

  /** Ms since 1970. @throws TypeError */
  get #time(): number {
    const time: unknown = this.#now();
    if (typeof time === 'number' && Number.isFinite(time)) return time;
    throw wrongType('now', 'expected a function that gives ms since 1970');
  }

  /** The slot that it is now; 0 before genesis. */
  get slot(): number {
    return Math.max(0, slotAt(this.#network, this.#time));
  }

  /** The last slot of which something may be known: the clock may be slow by one. */
  get lastSlot(): number {
    return this.slot + 1;
  }

  /** Ms since the slot of the newest final block. */
  ageOf({ finalized }: LightClientStore): number {
    return this.#time - 1000 * slotTime(this.#network, finalized.beacon.slot);
  }

  /** @throws ConsensusError `FUTURE_SLOT` if the clock is before what is known; the code of a bound that it passes */
  check(store: LightClientStore, bound: AgeBound): void {
    const { slot } = store.finalized.beacon;
    if (slot > this.lastSlot) {
      const reason = `the block of slot ${slot} is final, which is after the time of this machine; set its clock`;
      throw new ConsensusError('FUTURE_SLOT', reason);
    }
    const age = this.ageOf(store);
    if (age <= bound.most) return;
    const { code, subject, name, most, advice } = bound;
    const reason = `${subject} is ${toText(age)} old, and "${name}" allows ${toText(most)}; ${advice}`;
    throw new ConsensusError(code, reason);
  }
}
