/** The least gas limit that a call succeeds with. */
import type { Call, CallOutcome } from './call/call.js';
import { lesser } from './call/gas.js';
import type { Session } from './session.js';

export interface Estimate {
  /** undefined: the call fails even with all the gas that it may have; see `outcome`. */
  readonly gas: bigint | undefined;
  /** The outcome with all the gas that the call may have. */
  readonly outcome: CallOutcome;
  /** Unproven values that any of the runs read; sorted. */
  readonly assumed: readonly string[];
}

/** Least gas of any call, and of one that creates a contract. */
const leastGas = (call: Call): bigint => (call.to === undefined ? 53_000n : 21_000n);

/**
 * Halves the range between failure and success, in the same steps as nodes. A contract that looks at its gas may fail
 * with more gas than it succeeds with; then only the same steps find the same answer.
 *
 * @param call with all the gas that it may have
 * @throws as `execute` does
 */
export async function estimateGas({ execute }: Session, call: Call): Promise<Estimate> {
  const outcome = await execute(call);
  const assumed = new Set(outcome.assumed);
  if (outcome.kind !== 'success') return { gas: undefined, outcome, assumed: [...assumed] };
  let low = leastGas(call) - 1n;
  let high = call.gas;
  let middle = lesser(3n * outcome.gasUsed, (low + high) / 2n);
  while (high - low > 1n) {
    const run = await execute({ ...call, gas: middle });
    for (const name of run.assumed) assumed.add(name);
    if (run.kind === 'success') high = middle;
    else low = middle;
    middle = (low + high) / 2n;
  }
  return { gas: high, outcome, assumed: [...assumed].sort() };
}
