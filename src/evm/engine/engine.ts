/**
 * The EVM of `@ethereumjs/evm`, set up for calls. To make one takes as long as a short call runs, so it serves one run after
 * another.
 */

import type { Hex } from '../../bytes.js';
import type { CallFork } from '../../forks.js';
import type { Tick } from '../../turns.js';
import type { Overrides } from '../call/call.js';
import { EvmError } from '../call/errors.js';
import { maxInitCode } from '../call/gas.js';
import type { Packages } from '../call/packages.js';
import { customPrecompiles } from '../precompiles/precompiles.js';
import type { EngineHeader, OpcodeHeader } from '../state/header.js';
import { RunStopped } from '../state/knownState.js';
import { Overlay } from '../state/overlay.js';
import { type AccessLog, createAccessLog } from './accessLog.js';
import { type CallEvm, createCallEvm } from './callEvm.js';
import { createCommon } from './common.js';
import { customOpcodes } from './opcodes.js';
import { maxCode } from './steps.js';

export interface EngineRules {
  readonly chainId: number;
  readonly fork: CallFork;
  /** Whether runs note what they access. */
  readonly reportsAccess: boolean;
}

/** The part of a run that is not the state. */
export interface EngineRun {
  readonly header: EngineHeader;
  /** To be awaited often. @throws RunStopped and what ends a call */
  readonly tick: Tick;
  /** @throws RunStopped if the address is the sender's, and what it has left is not known */
  readonly checkFunds: (address: Hex) => void;
}

/** It serves one run at a time. */
export interface Engine {
  readonly evm: CallEvm;
  readonly overlay: Overlay;
  /** Undefined if accesses are not noted. */
  readonly accessLog: AccessLog | undefined;
  /** The fork's precompiled contracts. */
  readonly precompiles: readonly Hex[];
  /** Begins a run: nothing of the one before is left but the overlay, which begins by itself. */
  begin(run: EngineRun): void;
  /** Ends it: what still goes on, ends with `RunStopped`. */
  end(): void;
}

/** @param overrides take away the precompiled contracts in whose place they put an account */
export function createEngine(
  packages: Packages,
  { chainId, fork, reportsAccess }: EngineRules,
  overrides: Overrides,
): Engine {
  const { evm: library, util } = packages;
  const toAddress = (bytes: Uint8Array) => new util.Address(bytes);
  const common = createCommon(packages, { chainId, fork });
  const overlay = new Overlay();
  const accessLog = reportsAccess ? createAccessLog() : undefined;
  let run: EngineRun | undefined;

  function current(): EngineRun {
    if (run === undefined) throw new RunStopped();
    return run;
  }
  const tick: Tick = () => current().tick();
  const checkFunds = (address: Hex) => current().checkFunds(address);
  const header: OpcodeHeader = {
    refuse: (error) => current().header.refuse(error),
    gasPrice: () => current().header.gasPrice(),
  };

  function checkCode(length: bigint): void {
    if (length <= maxCode) return;
    const text = `the call runs ${length} bytes of code; more than ${maxCode} are not run`;
    header.refuse(new EvmError('TOO_MUCH_WORK', text));
  }

  const evm = createCallEvm(
    library,
    { tick, checkFunds, checkCode },
    {
      common,
      // The fork's has them already: to add them once more would take a seventh of the time that an engine takes.
      params: {},
      stateManager: overlay,
      blockchain: {
        getBlock: (block) => current().header.blockchain.getBlock(block),
        putBlock: (block) => current().header.blockchain.putBlock(block),
        shallowCopy: () => current().header.blockchain.shallowCopy(),
      },
      customOpcodes: customOpcodes(library, common, {
        header,
        toAddress,
        tick,
        checkFunds,
        // Since EIP-3860 the package knows a bound of its own, and comes to a result.
        checkInitCode: maxInitCode(fork) === undefined ? checkCode : () => {},
        accessLog,
      }),
      customPrecompiles: customPrecompiles(library, common, { fork, overrides, header, tick }),
      bn254: new library.NobleBN254(),
    },
  );
  return {
    evm,
    overlay,
    accessLog,
    precompiles: [...evm.precompiles.keys()].map((address): Hex => `0x${address}`),
    begin(next) {
      run = next;
      evm.begin();
    },
    end() {
      run = undefined;
      overlay.end();
    },
  };
}
