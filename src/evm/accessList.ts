/** The access list of a call: what it accesses if that very list comes with it. */
import type { AccessEntry, Call, CallOutcome } from './call/call.js';
import type { Session } from './session.js';

export interface AccessListResult {
  readonly accessList: readonly AccessEntry[];
  /** With that list. */
  readonly outcome: CallOutcome;
}

const sizeOf = (list: readonly AccessEntry[]): number =>
  list.reduce((size, { storageKeys }) => size + 1 + storageKeys.length, 0);

/**
 * Runs the call until its list grows no more: with a list it has other gas, and may take another way.
 *
 * @param session one that reports what is accessed
 * @throws as `execute` does
 */
export async function createAccessList(
  { execute }: Session,
  call: Call,
): Promise<AccessListResult> {
  let accessList = call.accessList;
  for (;;) {
    const outcome = await execute({ ...call, accessList });
    // A list only grows from run to run, and no run accesses more than its bound.
    if (sizeOf(outcome.accessed) <= sizeOf(accessList)) return { accessList, outcome };
    accessList = outcome.accessed;
  }
}
