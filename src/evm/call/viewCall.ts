/** Calls that only ask a contract something. A repeated call gets the same gas, so that it takes the same path. */
import type { Hex } from '../../bytes.js';
import type { Call, CallOutcome } from './call.js';

/** Here a gas costs more time than on a node. */
const gas = 300_000n;

/** Longest answer that counts, in bytes: some contracts answer without end. */
const maxAnswer = 4096;

const nobody: Hex = `0x${'0'.repeat(40)}`;

/** A call from the zero address, without value, that pays nothing. */
export const viewCall = (to: Hex, data: Uint8Array): Call => ({
  from: nobody,
  to,
  data,
  value: 0n,
  gas,
  gasPrice: undefined,
  maxGasPrice: 0n,
  accessList: [],
});

/** The data that a call returned; undefined if it failed or returned too much. */
export const viewAnswer = ({ kind, output }: CallOutcome): Uint8Array | undefined =>
  kind === 'success' && output.length <= maxAnswer ? output : undefined;
