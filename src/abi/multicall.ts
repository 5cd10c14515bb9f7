/** Many calls in one, through Multicall3. */
import { concatBytes, encodeHex, type Hex } from '../bytes.js';
import { hexToBytes } from '../foreign/argument.js';
import type { AbiCall } from './call.js';
import { encodeArray, encodeBytes, encodeParts, longPart, wordPart } from './encode.js';
import { bytesAt, encodeWord, numberAt, wordWidth } from './word.js';

/** Where Multicall3 is on every chain that has it. No one else can come to have code there. */
export const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11';

/** `aggregate3((address target, bool allowFailure, bytes callData)[])` of Multicall3. */
const aggregate3 = '0x82ad56cb';

/** A hex text of our own. */
/** Target, allowFailure and the call data. */
const encodeOne = ({ to, data }: AbiCall): Uint8Array =>
  encodeParts([
    wordPart(encodeWord(to)),
    wordPart(encodeWord(1)),
    longPart(encodeBytes(hexToBytes(data))),
  ]);

/** Call data of `aggregate3`; a call that fails does not fail the others. */
export function encodeAggregate(calls: readonly AbiCall[]): Hex {
  const argument = longPart(encodeArray(calls.map(encodeOne)));
  return encodeHex(concatBytes(hexToBytes(aggregate3), encodeParts([argument])));
}

/** One `(bool success, bytes returnData)`: what the call returned, or null if it failed. */
function resultAt(data: Uint8Array, at: number): Uint8Array | null | undefined {
  const success = numberAt(data, at);
  const offset = numberAt(data, at + wordWidth);
  if (success === undefined || offset === undefined) return undefined;
  return success === 1 ? bytesAt(data, at + offset) : null;
}

/**
 * The results of `count` calls, null for one that failed.
 *
 * @returns undefined if the data are not an answer of `aggregate3` to so many calls
 */
export function decodeAggregate(
  data: Uint8Array,
  count: number,
): (Uint8Array | null)[] | undefined {
  const start = numberAt(data, 0);
  if (start === undefined || numberAt(data, start) !== count) return undefined;
  const elements = start + wordWidth;
  const results: (Uint8Array | null)[] = [];
  for (let i = 0; i < count; i++) {
    const offset = numberAt(data, elements + wordWidth * i);
    const result = offset === undefined ? undefined : resultAt(data, elements + offset);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return results;
}
