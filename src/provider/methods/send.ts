/** `eth_sendRawTransaction`: passed on, and its answer held against the transaction itself. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { dataText, hexBytes, hexText } from '../../foreign/values.js';
import type { Transport } from '../../rpc/index.js';
import { invalidParams, Mismatch } from '../params/errors.js';
import { readParams } from '../params/params.js';

const method = 'eth_sendRawTransaction';

/** Longest transaction that nodes take, and more. */
const maxBytes = 1024 * 1024;

/** First byte of a transaction with blobs: what is sent is not what is hashed. */
const blobType = 3;

/** Sends a transaction. */
interface Sending {
  readonly raw: Hex;
  /** Hash of the transaction, computed here. */
  readonly hash: Hex;
}

/** @throws ProviderError */
export function readSending(given: unknown): Sending {
  const params = readParams(method, given, 1);
  const raw = dataText(params[0], maxBytes);
  const bytes = raw === undefined ? undefined : hexBytes(raw, (raw.length - 2) / 2);
  if (raw === undefined || bytes === undefined || bytes.length === 0) {
    throw invalidParams(`params[0] expected a signed transaction, up to ${maxBytes} bytes in hex`);
  }
  if (bytes[0] === blobType) throw invalidParams('transactions with blobs are not passed on');
  return { raw, hash: encodeHex(keccak_256(bytes)) };
}

/** @throws RpcError; Mismatch `HASH_MISMATCH` */
export async function sendTransaction(
  l2: Transport,
  { raw, hash }: Sending,
  signal: AbortSignal,
): Promise<Hex> {
  const answer = await l2.call(method, [raw], { signal });
  if (hexText(answer, 32) === hash) return hash;
  const text = `the server names another hash than ${hash} for this transaction; look that one up before you send again`;
  throw new Mismatch('HASH_MISMATCH', text);
}
