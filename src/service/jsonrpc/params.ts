/** Parameters by position. */
import type { Hex } from '../../bytes.js';
import { createReader } from '../../foreign/reader.js';
import { codes, HttpError } from '../http/httpError.js';

export const invalid = (reason: string): HttpError => new HttpError(codes.invalidParams, reason);

/** Reads a parameter, whose place is `params[0]`, say. @throws HttpError */
export const { as, asHex } = createReader((at, reason) => invalid(`${at} ${reason}`), {
  hex: (width) => `0x and ${width} bytes of hex digits`,
});

/** The parameters, one for each name. @throws HttpError */
export function openParams(params: unknown, ...names: readonly string[]): readonly unknown[] {
  if (Array.isArray(params) && params.length === names.length) return params;
  throw invalid(`params expected an array of ${names.join(', ')}`);
}

const readAddress = asHex(20);
const readKey = asHex(32);

/** What proofs are asked of: an account, and some of its storage. */
interface ProvenParams {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  /** The third parameter, still to be read. */
  readonly block: unknown;
}

/**
 * The parameters of a method that proves.
 *
 * @param blockName how messages call the third one
 * @throws HttpError
 */
export function readProvenParams(
  params: unknown,
  maxKeys: number,
  blockName: string,
): ProvenParams {
  const [address, storageKeys, block] = openParams(params, 'address', 'storageKeys', blockName);
  if (!Array.isArray(storageKeys)) throw invalid('params[1] expected an array of storage keys');
  if (storageKeys.length > maxKeys) {
    throw invalid(`params[1] expected at most ${maxKeys} storage keys`);
  }
  return {
    address: readAddress(address, 'params[0]'),
    storageKeys: storageKeys.map((key, i) => readKey(key, `params[1][${i}]`)),
    block,
  };
}
