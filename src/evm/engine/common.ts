/** The rules of a chain at a fork, as the EVM package takes them. */
import type { Common } from '@ethereumjs/common';
import type { CallFork } from '../../forks.js';
import type { Packages } from '../call/packages.js';
import { createKzg } from '../precompiles/kzg.js';

export function createCommon(
  { common: chains, evm: library }: Packages,
  { chainId, fork }: { chainId: number; fork: CallFork },
): Common {
  const common = chains.createCustomCommon({ chainId }, chains.Mainnet, {
    hardfork: fork,
    customCrypto: { kzg: createKzg() },
    params: library.paramsEVM,
  });
  // Asked several times for each opcode: the package looks through a list. The rules of this object never change.
  const known = new Map<number, boolean>();
  const ask = common.isActivatedEIP.bind(common);
  common.isActivatedEIP = (eip) => {
    const before = known.get(eip);
    if (before !== undefined) return before;
    const isActive = ask(eip);
    known.set(eip, isActive);
    return isActive;
  };
  return common;
}
