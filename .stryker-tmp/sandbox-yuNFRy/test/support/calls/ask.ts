/** Asks a node and a provider the same. */
// @ts-nocheck

import { expect } from 'vitest';
import { type Provider, ProviderError } from '../../../src/provider/index.js';

/** What a question comes to: a result, the data of a revert, or a failure, which each side words in its own way. */
export type Outcome = { result: any } | { revert: unknown } | { failure: string };

export async function askNode(url: string, method: string, params: unknown[]): Promise<Outcome> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as any;
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
  } catch (error: any) {
    expect(error).toBeInstanceOf(ProviderError);
    return error.code === 3 ? { revert: error.data } : { failure: error.message };
  }
}

/** An answer to `eth_createAccessList`, as sets. */
export const asSets = ({ accessList, gasUsed, error }: any) => ({
  accessList: accessList
    .map(({ address, storageKeys }: any) => [address.toLowerCase(), [...storageKeys].sort()])
    .sort(),
  gasUsed,
  isError: error !== undefined,
});
