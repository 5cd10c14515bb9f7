/**
 * The accounts and slots that a call will read, as the L2 node says. It is a hint: nothing of it is believed, and
 * without it calls run as well.
 */
import { encodeHex, type Hex } from '../../bytes.js';
import type { AccountQuestion, Call } from '../../evm/index.js';
import { ownElements, ownMember } from '../../foreign/members.js';
import { hexText, toQuantity } from '../../foreign/values.js';
import type { Transport } from '../../rpc/index.js';
import { toAskNode } from '../../rpc/nodeClient.js';
import { methodNotFound } from '../../rpc/noMethod.js';
import type { Lifetime } from './lifetime.js';

export interface Hints {
  /** @param overrides as the caller gave them @returns what the node named; nothing if it has no answer */
  of(call: Call, block: number, overrides: unknown): Promise<readonly AccountQuestion[]>;
}

/** Entries that are looked at. */
const maxEntries = 1024;
const maxKeys = 16_384;

/** Longest answer that is read; as many keys are 1.2 MB. */
const maxBytes = 2 * 1024 * 1024;

/** Own elements of an array, as many as are looked at. */
const elements = (value: unknown, most: number): unknown[] =>
  Array.isArray(value) ? ownElements(value, Math.min(value.length, most)) : [];

function readHint(answer: unknown): AccountQuestion[] {
  const questions = new Map<Hex, Set<Hex>>();
  for (const entry of elements(ownMember(answer, 'accessList'), maxEntries)) {
    const address = hexText(ownMember(entry, 'address'), 20);
    if (address === undefined) continue;
    const keys = questions.get(address) ?? new Set();
    questions.set(address, keys);
    for (const element of elements(ownMember(entry, 'storageKeys'), maxKeys)) {
      const key = hexText(element, 32);
      if (key !== undefined) keys.add(key);
    }
  }
  return [...questions].map(([address, keys]) => ({ address, storageKeys: [...keys] }));
}

export function createHints(l2: Transport, lifetime: Lifetime): Hints {
  // Asked once: a hint is not worth a second wait.
  const ask = toAskNode((method, params, maxBytes) =>
    lifetime.run((signal) => l2.call(method, params, { signal, maxBytes })),
  );
  /** Whether the node has no such method. */
  let isUnknown = false;
  return {
    async of({ from, to, data, value, accessList }, block, overrides) {
      if (isUnknown) return [];
      const request = {
        from,
        ...(to !== undefined && { to }),
        data: encodeHex(data),
        value: toQuantity(value),
        ...(accessList.length > 0 && { accessList }),
      };
      const params = [request, toQuantity(block), ...(overrides === undefined ? [] : [overrides])];
      try {
        return await ask('eth_createAccessList', params, readHint, maxBytes);
      } catch (error) {
        isUnknown ||= ownMember(error, 'serverCode') === methodNotFound;
        return [];
      }
    },
  };
}
