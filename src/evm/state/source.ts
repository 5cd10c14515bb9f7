/** Any source of proven state that the engine can run on. */
import type { Hex } from '../../bytes.js';
import type { Account, StateKind } from '../../verify/result.js';

/** Of a state of either kind. */
type AnyAccount = Account<StateKind>;

/** An account, and some of its slots. */
export interface AccountQuestion {
  /** 20 bytes, in lower case. */
  readonly address: Hex;
  /** 32 bytes each, in lower case. */
  readonly storageKeys: readonly Hex[];
}

export interface StateAnswer {
  /** null: it does not exist. */
  readonly account: AnyAccount | null;
  /** Values of the slots asked for, in their order, 32 bytes each. */
  readonly values: readonly Hex[];
}

/** The members of an account that are known at once. */
export interface KnownAccount {
  readonly account: AnyAccount | null;
  readonly slots: ReadonlyMap<Hex, Hex>;
}

/**
 * The state at the end of one block. Whatever it answers is taken as proven: the engine checks nothing again. A question
 * that it cannot answer it must reject; that ends the call.
 */
export interface StateSource {
  /** The known values of an account, without a request; undefined if nothing is known. */
  known(address: Hex): KnownAccount | undefined;
  /** The code of an account if it is known, without a request. */
  knownCode(account: AnyAccount): Hex | undefined;
  /** Reads several accounts; one answer per question, in order. */
  read(
    questions: readonly AccountQuestion[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StateAnswer[]>;
  /** Tells that the code of an account will be asked for, although the account is not known yet. */
  expectCode?(address: Hex): void;
  /** Code whose keccak hash is the account's. */
  code(address: Hex, account: AnyAccount, signal: AbortSignal | undefined): Promise<Hex>;
}
