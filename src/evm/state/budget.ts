/**
 * The bounds of all work of a session: each bound of a single run can be met again and again, in round after round and
 * in one call after the other.
 */
import { startDeadline } from '../../deadline.js';
import { EvmError } from '../call/errors.js';

/** Bounds on a session: on all runs of all its calls together. */
export interface WorkLimits {
  /** Gas that is run. */
  readonly gas: bigint;
  /** Accounts and slots that the source is asked for. */
  readonly proofs: number;
  /** Ms from the session's start on, waits for the source included. */
  readonly time: number;
}

export const workLimits: WorkLimits = { gas: 500_000_000n, proofs: 10_000, time: 60_000 };

export interface Budget {
  /** @throws EvmError `TOO_MUCH_WORK` */
  spendGas(gas: bigint): void;
  /** @throws EvmError `TOO_MUCH_WORK` */
  spendProofs(count: number): void;
  /** @throws EvmError `TOO_MUCH_WORK` once time is up; the signal's reason */
  check(): void;
  /** The result of the work, unless time is up before. @throws as `check`, and any error of the work */
  within<T>(work: Promise<T>): Promise<T>;
}

export function createBudget(limits: WorkLimits, signal: AbortSignal | undefined): Budget {
  const ends = performance.now() + limits.time;
  let { gas, proofs } = limits;

  const over = (text: string) => new EvmError('TOO_MUCH_WORK', `${text}; ask for less at a time`);
  const late = () => over(`the call took longer than ${limits.time} ms in all`);

  function check(): void {
    signal?.throwIfAborted();
    if (performance.now() >= ends) throw late();
  }

  return {
    check,
    spendGas(used) {
      gas -= used;
      if (gas < 0n) throw over(`the call ran more than ${limits.gas} gas in all its rounds`);
    },
    spendProofs(count) {
      proofs -= count;
      if (proofs < 0) throw over(`the call asked for more than ${limits.proofs} proofs in all`);
    },
    async within(work) {
      // Nobody hears how it ends if time is up before the wait begins.
      work.catch(() => {});
      check();
      // Timers take no longer waits; such a bound is none.
      const left = Math.min(ends - performance.now(), 2 ** 31 - 1);
      const deadline = startDeadline(left, signal);
      try {
        return await deadline.race(work, late);
      } finally {
        deadline.stop();
      }
    },
  };
}
