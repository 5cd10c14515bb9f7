/** A call, the block that it runs in, and what comes out. */
import type { Hex } from '../../bytes.js';
import { ownMember } from '../../foreign/members.js';
import type { CallFork } from '../../forks.js';

export interface AccessEntry {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
}

/** A message call; hex in lower case. */
export interface Call {
  /** 20 bytes. */
  readonly from: Hex;
  /** 20 bytes; undefined: the data is init code of a new contract. */
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  /** In wei. */
  readonly value: bigint;
  /** Gas limit. */
  readonly gas: bigint;
  /** Paid per gas, in wei; undefined: it depends on the base fee, which is not known. */
  readonly gasPrice: bigint | undefined;
  /** Most that the sender says it pays per gas; its balance must suffice for that. */
  readonly maxGasPrice: bigint;
  readonly accessList: readonly AccessEntry[];
}

/** Values of the block's header that the proven state does not hold; undefined: not known. */
export interface HeaderValues {
  /** Fee recipient, 20 bytes. */
  readonly coinbase?: Hex | undefined;
  /** 32 bytes; before the fork Paris, the difficulty. */
  readonly prevRandao?: Hex | undefined;
  /** In seconds. */
  readonly timestamp?: bigint | undefined;
  readonly number?: bigint | undefined;
  readonly gasLimit?: bigint | undefined;
  /** In wei. */
  readonly baseFee?: bigint | undefined;
  /** In wei. */
  readonly blobBaseFee?: bigint | undefined;
}

export type HeaderName = keyof HeaderValues;

/** All members are named, so that no prototype lends one. The second wins if it has a value. */
export function headerValues(first: HeaderValues, second: HeaderValues = {}): HeaderValues {
  const read = <N extends HeaderName>(name: N): HeaderValues[N] => {
    const [value] = [second, first].filter((one) => ownMember(one, name) !== undefined);
    return value?.[name];
  };
  return {
    coinbase: read('coinbase'),
    prevRandao: read('prevRandao'),
    timestamp: read('timestamp'),
    number: read('number'),
    gasLimit: read('gasLimit'),
    baseFee: read('baseFee'),
    blobBaseFee: read('blobBaseFee'),
  };
}

/** Under which rules and in which block a call runs. */
export interface Environment {
  readonly chainId: number;
  readonly fork: CallFork;
  /** Number of the block at whose end the state is. */
  readonly number: number;
  /** The proven values of the header, without `number`. */
  readonly proven: HeaderValues;
  /** Values that are only claimed, or set by the caller; they take precedence. Reading one is reported in `assumed`. */
  readonly assumed: HeaderValues;
}

/** Changes of one account before a call, as geth takes them. */
export interface AccountOverride {
  readonly nonce?: bigint | undefined;
  readonly balance?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  /** The whole storage. Slot to value, 32 bytes each. */
  readonly state?: ReadonlyMap<Hex, Hex> | undefined;
  /** Single slots. */
  readonly stateDiff?: ReadonlyMap<Hex, Hex> | undefined;
}

export type Overrides = ReadonlyMap<Hex, AccountOverride>;

/** How a call ended. */
export interface CallOutcome {
  /** `refused`: it cannot begin, for lack of gas or funds. `halt`: the EVM ended it, out of gas for example. */
  readonly kind: 'success' | 'revert' | 'halt' | 'refused';
  /** Data that the call returned, or reverted with. */
  readonly output: Uint8Array;
  /** Why the call was halted or refused. */
  readonly reason: string | undefined;
  /** Whether more gas could have helped. */
  readonly isOutOfGas: boolean;
  /** With the intrinsic gas, after refunds. */
  readonly gasUsed: bigint;
  /** Accessed accounts and slots, except sender, recipient and precompiles. */
  readonly accessed: readonly AccessEntry[];
  /** Unproven values that were read; sorted. */
  readonly assumed: readonly string[];
  /**
   * The same, of all runs of the session: one in which something was missing may have gone another way, and what it then read
   * was read, too.
   */
  readonly everAssumed: readonly string[];
}
