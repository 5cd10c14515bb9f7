/** Parameters by position. */
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
