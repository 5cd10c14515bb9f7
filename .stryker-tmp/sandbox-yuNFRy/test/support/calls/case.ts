/** Calls that a node and a provider must answer alike. */
// @ts-nocheck

import type { Hex } from '../../../src/bytes.js';

/** A call as `eth_call` takes it. */
export interface CallRequest {
  readonly from?: string;
  readonly to?: string | null;
  readonly data?: Hex;
  readonly value?: Hex;
  readonly gas?: Hex;
  readonly [more: string]: unknown;
}

export interface CallCase {
  readonly name: string;
  readonly call: CallRequest;
  readonly overrides?: Record<string, object>;
  /** What the node must answer, so that the case is what its name says. Default: a result. */
  readonly gives?: 'result' | 'revert' | 'failure';
  /** Whether it reads of the header what no proof covers: it is refused, unless the caller tells the provider. */
  readonly isTold?: boolean;
  /** Whether its gas and access list are compared, too. */
  readonly isMeasured?: boolean;
}

export const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;

/** A word of 32 bytes in hex, without 0x: a number, or hex up to that width. */
export const word = (value: number | bigint | Hex): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
