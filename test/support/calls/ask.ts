/** Asks a node and a provider the same. */

import { type Provider, ProviderError } from '../../../src/provider/index.js';
import type { RpcAnswer } from '../answers.js';
import type { Wire } from '../runs.js';

/** What a question comes to: a result, the data of a revert, or a failure, which each side words in its own way. */
export type Outcome = { result: Wire } | { revert: unknown } | { failure: string };

export async function askNode(url: string, method: string, params: unknown[]): Promise<Outcome> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as RpcAnswer;
  if (error === undefined) return { result };
  return error.code === 3 ? { revert: error.data } : { failure: error.message };
}

export async function askProvider(
  provider: Provider,
  method: string,
  params: unknown[],
): Promise<Outcome> {
  try {
    return { result: await provider.request({ method, params }) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.code === 3 ? { revert: error.data } : { failure: error.message };
  }
}

export interface AccessListAnswer {
  accessList: { address: string; storageKeys: string[] }[];
  gasUsed: unknown;
  error?: unknown;
}

/** An answer to `eth_createAccessList`, as sets. */
export const asSets = ({ accessList, gasUsed, error }: AccessListAnswer) => ({
  accessList: accessList
    .map(({ address, storageKeys }): [string, string[]] => [
      address.toLowerCase(),
      [...storageKeys].sort(),
    ])
    .sort(),
  gasUsed,
  isError: error !== undefined,
});
