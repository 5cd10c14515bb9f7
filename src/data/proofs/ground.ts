/** The ground that answers must fit: a trusted root, and the rules that contracts run by under it. */
import { checkAnchored } from '../../anchor/checkAnchored.js';
import { defineNetwork, networks } from '../../anchor/common/network.js';
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import { wrongRange } from '../../errors.js';
import { type BlockRules, EvmError, rulesOf } from '../../evm/index.js';
import { type CallFork, callForks } from '../../forks.js';
import { isHeader } from '../../proven/index.js';
import { DataError } from '../wire/errors.js';
import type { Trust } from '../wire/trust.js';

/** The same, checked. */
export interface Ground {
  readonly anchor: AnchoredRoot;
  /** Ends the work. */
  readonly signal: AbortSignal | undefined;
  /** The rules that contracts run by. `isAssumed`: nobody has named them, and nothing proves them. @throws DataError, EvmError */
  findRules(): BlockRules;
}

/** The newest block whose header is proven: that of the root, if the root is in a header, else the one before it. */
export const newestProven = ({ anchor }: Ground): number =>
  isHeader(anchor) ? anchor.l2BlockNumber : anchor.l2BlockNumber - 1;

/** The public network of a chain, if there is one. */
const publicNetwork = (l2ChainId: unknown): Network | undefined =>
  Object.values(networks).find((network) => network.l2ChainId === l2ChainId);

/** @throws RangeError */
function checkFork(fork: CallFork | undefined): void {
  if (fork === undefined || callForks.includes(fork)) return;
  throw wrongRange('fork', `expected one of ${callForks.join(', ')}`);
}

/** @throws TypeError or RangeError for a wrong anchor, network or fork */
export function openGround({ anchor: given, network: own, fork, signal }: Trust): Ground {
  const network = own === undefined ? publicNetwork(given?.l2ChainId) : defineNetwork(own);
  const anchor = checkAnchored(given, network);
  checkFork(fork);
  return {
    anchor,
    signal,
    /** @throws DataError `FORK_UNKNOWN`; EvmError `FORK` */
    findRules() {
      try {
        const rules = rulesOf(anchor, network?.forks ?? {}, { fork });
        return { ...rules, isAssumed: rules.isAssumed && fork === undefined };
      } catch (cause) {
        if (!(cause instanceof EvmError && cause.code === 'FORK_UNKNOWN')) throw cause;
        const text = `the time of block ${anchor.l2BlockNumber} is not proven, so its fork is not known; name it as "fork", such as fork: 'osaka'`;
        throw new DataError('FORK_UNKNOWN', text, { cause });
      }
    },
  };
}
