/** The rules that calls run by, as `--fork` names them. */
import type { BalancesRequest } from '../../data/index.js';
import { callForks } from '../../forks.js';
import { UsageError } from '../exit/exit.js';

/** @throws UsageError */
export function readFork(name: string | undefined): BalancesRequest['fork'] {
  const fork = callForks.find((each) => each === name);
  if (name === undefined || fork !== undefined) return fork;
  throw new UsageError(`--fork expected one of ${callForks.join(', ')}`);
}
