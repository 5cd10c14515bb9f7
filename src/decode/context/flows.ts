/**
 * The tokens that moved in one transaction. The log of a pool does not name its tokens, but the transfers beside it do:
 * the token that moved to or from the pool in exactly the amount that the pool names.
 *
 * An unknown token may pretend such a transfer. There are then two candidates, and neither counts. It passes for the
 * true token only if that one emits no transfer of the amount. Transfers of native value, if they are logs, count if no token
 * moved the amount: they take away nothing that the same receipt showed before there were such logs.
 */
import type { Hex } from '../../bytes.js';
import { type AbiEvent, readLog } from '../abi/event.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';
import type { ReceiptLog } from '../receipt/receipt.js';
import { compileDeclaration } from '../registry/registry.js';
import { nativeAddress } from './input.js';

export interface Flows {
  /** The only token that moved `amount` in or out of `holder`; undefined if no token did, null if several did. */
  find(moved: 'in' | 'out', holder: Hex, amount: bigint): Hex | null | undefined;
  /** Whether a token moved `amount` between any two holders. */
  hasMoved(token: Hex, amount: bigint): boolean;
}

export const transferEvent =
  'event Transfer(address indexed from, address indexed to, uint256 value)';

/** Reads the transfers of a receipt. Their tokens may be of any kind, or none. */
export function toFlows(logs: readonly ReceiptLog[]): Flows {
  const transfer = compileDeclaration(transferEvent) as AbiEvent;
  const tokens = new Map<string, Hex | null>();
  const native = new Set<string>();
  const own = new Set<string>();
  const add = (key: string, token: Hex) => {
    const other = tokens.get(key);
    tokens.set(key, other === undefined || other === token ? token : null);
  };
  for (const log of logs) {
    const { address, topics } = log;
    const values = topics[0] === transfer.topic0 ? readLog(transfer, log) : undefined;
    if (address === undefined || values === undefined) continue;
    const [from, to, amount] = values;
    const keys = [`out ${from} ${amount}`, `in ${to} ${amount}`];
    if (address === nativeLogAddress) {
      for (const key of keys) native.add(key);
      continue;
    }
    for (const key of keys) add(key, address);
    own.add(`${address} ${amount}`);
  }
  return {
    find(moved, holder, amount) {
      const key = `${moved} ${holder} ${amount}`;
      const token = tokens.get(key);
      return token === undefined && native.has(key) ? nativeAddress : token;
    },
    hasMoved: (token, amount) => own.has(`${token} ${amount}`),
  };
}
