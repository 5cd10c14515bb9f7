/** The EVM of `@ethereumjs/evm`, set up for calls. */

import type { EVM, EVMOpts, EVMResult, EVMRunCallOpts } from '@ethereumjs/evm';
import type { Hex } from '../../bytes.js';
import type { Tick } from '../../turns.js';
import type { Environment, Overrides } from '../call/call.js';
import { EvmError } from '../call/errors.js';
import { maxInitCode } from '../call/gas.js';
import type { Packages } from '../call/packages.js';
import { createKzg } from '../precompiles/kzg.js';
import { customPrecompiles } from '../precompiles/precompiles.js';
import type { EngineHeader } from '../state/header.js';
import { type Overlay, UnknownAccount } from '../state/overlay.js';
import type { AccessLog } from './accessLog.js';
import { customOpcodes } from './opcodes.js';
import { maxCode, shortCode, withTurns } from './steps.js';

interface EngineOptions {
  readonly packages: Packages;
  readonly environment: Environment;
  readonly overrides: Overrides;
  readonly overlay: Overlay;
  readonly header: EngineHeader;
  /** To be awaited often. @throws RunStopped and what ends a call */
  readonly tick: Tick;
  /** @throws RunStopped if the address is the sender's, and what it has left is not known */
  readonly checkFunds: (address: Hex) => void;
  readonly accessLog: AccessLog | undefined;
}

export function createEngine(options: EngineOptions): EVM {
  const { packages, environment, overrides, overlay } = options;
  const { header, tick, checkFunds, accessLog } = options;
  const { fork } = environment;
  const toAddress = (bytes: Uint8Array) => new packages.util.Address(bytes);
  const { evm: library, common: chains } = packages;
  const common = chains.createCustomCommon({ chainId: environment.chainId }, chains.Mainnet, {
    hardfork: fork,
    customCrypto: { kzg: createKzg() },
    params: library.paramsEVM,
  });

  function checkCode(length: bigint): void {
    if (length <= maxCode) return;
    const text = `the call runs ${length} bytes of code; more than ${maxCode} are not run`;
    header.refuse(new EvmError('TOO_MUCH_WORK', text));
  }

  class CallEvm extends library.EVM {
    readonly #long: typeof this._opcodeMap;

    constructor(opts: EVMOpts) {
      super(opts);
      const { short, long } = withTurns(this._opcodeMap, tick);
      this._opcodeMap = short;
      this.#long = long;
    }

    override async runInterpreter(
      ...args: Parameters<EVM['runInterpreter']>
    ): ReturnType<EVM['runInterpreter']> {
      const { length } = args[0].code as Uint8Array;
      checkCode(BigInt(length));
      await tick();
      // From here on: code that has begun looks its next opcodes up again, or knows them and is short.
      if (length > shortCode) this._opcodeMap = this.#long;
      return super.runInterpreter(...args);
    }

    override async runCall(call: EVMRunCallOpts): Promise<EVMResult> {
      await tick();
      const { message } = call;
      if (message && message.value > 0n) checkFunds(message.caller.toString());
      return super.runCall(call);
    }

    // A call without value leaves the balances of its two ends as they are: they need not be known.
    protected override async _reduceSenderBalance(
      ...[account, message]: Parameters<EVM['_reduceSenderBalance']>
    ): Promise<void> {
      if (message.value === 0n && account instanceof UnknownAccount) return;
      await super._reduceSenderBalance(account, message);
    }

    protected override async _addToBalance(
      ...[account, message]: Parameters<EVM['_addToBalance']>
    ): Promise<void> {
      if (message.value === 0n && account instanceof UnknownAccount) return;
      await super._addToBalance(account, message);
    }
  }

  return new CallEvm({
    common,
    // The fork's has them already: to add them once more would take a seventh of the time that an engine takes.
    params: {},
    stateManager: overlay,
    blockchain: header.blockchain,
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
  });
}
