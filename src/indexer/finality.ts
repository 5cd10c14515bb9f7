/** Which block of an index is final: by the rule of every follower. */
import { createFinality as create, type Finality } from '../follow/loop/finality.js';

export { type Finality, keptBlocks } from '../follow/loop/finality.js';

/** @param onWarning is told once of a node that knows no finality */
export const createFinality = (onWarning: (text: string) => void): Finality =>
  create(onWarning, 'the index');
