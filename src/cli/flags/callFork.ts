/** The rules that calls run by, as `--fork` names them. */
import type { BalancesRequest } from '../../data/index.js';
import { UsageError } from '../exit/exit.js';

/** Those of the engine, which is loaded only if it is needed. */
const forks = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** @throws UsageError */
export function readFork(name: string | undefined): BalancesRequest['fork'] {
  const fork = forks.find((each) => each === name);
  if (name === undefined || fork !== undefined) return fork;
  throw new UsageError(`--fork expected one of ${forks.join(', ')}`);
}
