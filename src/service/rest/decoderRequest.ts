/** Reads a request to decode: the key, the query and the body. All faults of one place are told at once. */
import type { Hex } from '../../bytes.js';
import { ownMember } from '../../foreign/members.js';
import { hexText } from '../../foreign/values.js';
import type { DecodeQuestion } from '../decoder/chainDecoder.js';
import { invalid } from './decoderReplies.js';

/** Headers that a key may come in by itself; the second is the old name of the first. */
const bareKeyHeaders = ['x-goldrush-api-key', 'x-covalent-api-key'];

/** All headers that a key may come in. */
export const keyHeaders = ['authorization', ...bareKeyHeaders];

/** `key:` in base64, as the user of HTTP Basic authentication; the password counts for nothing. */
function userOf(credentials: string): string {
  try {
    return atob(credentials).split(':', 1)[0] as string;
  } catch {
    return '';
  }
}

/** The key that a request names; empty if none. */
export function keyOf({ headers }: Request): string {
  for (const name of bareKeyHeaders) {
    const key = headers.get(name);
    if (key !== null) return key;
  }
  const [scheme = '', credentials = ''] = (headers.get('authorization') ?? '').split(' ', 2);
  if (scheme.toLowerCase() === 'bearer') return credentials;
  return scheme.toLowerCase() === 'basic' ? userOf(credentials) : '';
}

/** The options in the query. */
export type DecodeOptions = Omit<DecodeQuestion, 'txHash'>;

const defaults: DecodeOptions = { rawLogs: false, unknown: false, minUsd: 0 };

/** The query of a URL, without the question mark; empty if the URL has no query. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** @throws Refusal */
export function readQuery(url: string): DecodeOptions {
  const query = queryOf(url);
  if (query === '') return defaults;
  const given = new URLSearchParams(query);
  const faults: string[] = [];

  /** The value of a parameter that is there once. */
  function once(name: string): string | undefined {
    const values = given.getAll(name);
    if (values.length > 1) faults.push(`${name} is given more than once`);
    return values[0];
  }
  function flag(name: string): boolean {
    const text = once(name);
    if (text !== undefined && text !== 'true' && text !== 'false') {
      faults.push(`${name} must be true or false`);
    }
    return text === 'true';
  }
  function amount(name: string): number {
    const text = once(name) ?? '0';
    if (!/^\d{1,15}(\.\d{1,15})?$/.test(text)) faults.push(`${name} must be a number from 0`);
    return Number(text);
  }

  const options = {
    rawLogs: flag('raw_logs'),
    unknown: flag('unknown'),
    minUsd: amount('min_usd'),
  };
  if (faults.length > 0) throw invalid(faults);
  return options;
}

export interface DecodeBody {
  readonly chainName: string;
  /** Lower case. */
  readonly txHash: Hex;
}

function parse(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw invalid(['the body is no JSON']);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(['the body must be an object']);
  }
  return body as Record<string, unknown>;
}

/** @param isChain whether there is a chain of a name @throws Refusal */
export function readBody(text: string, isChain: (name: string) => boolean): DecodeBody {
  const body = parse(text);
  const faults: string[] = [];
  const chainName = ownMember(body, 'chain_name');
  if (typeof chainName !== 'string' || !isChain(chainName)) faults.push('chain_name is incorrect');
  const given = ownMember(body, 'tx_hash');
  const txHash = hexText(given, 32);
  if (typeof given !== 'string' || given === '') faults.push('tx_hash is required');
  else if (txHash === undefined) faults.push('tx_hash must be 0x and 64 hex digits');
  if (faults.length > 0) throw invalid(faults);
  return { chainName: chainName as string, txHash: txHash as Hex };
}
