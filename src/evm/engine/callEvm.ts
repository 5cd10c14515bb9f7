/** The class of the EVM package, with turns of the event loop, bounds, and accounts that are not known yet. */
import type { EVM, EVMOpts, EVMResult, EVMRunCallOpts } from '@ethereumjs/evm';
import type { Hex } from '../../bytes.js';
import type { Tick } from '../../turns.js';
import type { Packages } from '../call/packages.js';
import { UnknownAccount } from '../state/overlay.js';
import { createJumpTables } from './jumps.js';
import { shortCode, withTurns } from './steps.js';

/** The checks of a run. */
interface Checks {
  /** To be awaited often. @throws RunStopped and what ends a call */
  readonly tick: Tick;
  /** @throws RunStopped if the address is the sender's, and what it has left is not known */
  readonly checkFunds: (address: Hex) => void;
  /** @throws RunStopped if so many bytes of code are too many to be run */
  readonly checkCode: (length: bigint) => void;
}

export interface CallEvm extends EVM {
  /** Forgets the run before. */
  begin(): void;
}

export function createCallEvm(
  library: Packages['evm'],
  { tick, checkFunds, checkCode }: Checks,
  options: EVMOpts,
): CallEvm {
  class PacedEvm extends library.EVM {
    readonly #short: typeof this._opcodeMap;
    readonly #long: typeof this._opcodeMap;

    constructor(opts: EVMOpts) {
      super(opts);
      const { short, long } = withTurns(this._opcodeMap, tick, createJumpTables());
      this.#short = short;
      this.#long = long;
    }

    begin(): void {
      this._opcodeMap = this.#short;
      this.transientStorage.clear();
      this.journal.cleanJournal();
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
  return new PacedEvm(options);
}
