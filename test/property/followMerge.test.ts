/** The net change of a block, against a state that takes its transactions one by one. */

import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCodeHashes } from '../../src/follow/node/codeHashes.js';
import { parseTransactionDiffs } from '../../src/follow/node/transactionDiff.js';
import { BlockMerge } from '../../src/follow/stateDiff/blockMerge.js';
import type { AccountChange, Hex } from '../../src/tree/index.js';
import { fromHex, toHex } from '../support/hex.js';
import { runsOf } from '../support/runs.js';

interface Held {
  nonce: bigint;
  balance: bigint;
  code: Hex;
  storage: Map<Hex, Hex>;
  /** Another one for an account that was created again. */
  life: number;
}

type State = Map<Hex, Held>;

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const zero = word(0);
const addresses = [1, 2, 3].map((i): Hex => `0x${String(i).repeat(40)}`);
const delegation: Hex = `0xef0100${'77'.repeat(20)}`;
const codes: Hex[] = ['0x', '0x6001', '0x6002', delegation];
const copy = (state: State): State =>
  new Map([...state].map(([key, held]) => [key, { ...held, storage: new Map(held.storage) }]));

/** What a transaction does to one account. */
interface Touch {
  address: Hex;
  isDestroyed: boolean;
  nonce: number;
  balance: number;
  code: Hex;
  slots: [key: number, value: number][];
}

const touch: fc.Arbitrary<Touch> = fc.record({
  address: fc.constantFrom(...addresses),
  isDestroyed: fc.boolean(),
  nonce: fc.nat(2),
  balance: fc.nat(2),
  code: fc.constantFrom(...codes),
  slots: fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 3 }),
});

const transaction = fc.uniqueArray(touch, { selector: ({ address }) => address, maxLength: 3 });

let lives = 0;

function carryOut(state: State, touches: readonly Touch[]): void {
  for (const { address, isDestroyed, nonce, balance, code, slots } of touches) {
    const held = state.get(address);
    if (isDestroyed) state.delete(address);
    else {
      const now = held ?? { nonce: 0n, balance: 0n, code: '0x', storage: new Map(), life: ++lives };
      const isNewCode = now.code !== code;
      // Code comes with a nonce, and a delegation that goes raises it.
      now.nonce += BigInt(nonce) + (isNewCode ? 1n : 0n);
      now.balance = BigInt(balance);
      now.code = code;
      for (const [key, value] of slots) {
        if (value === 0) now.storage.delete(word(key));
        else now.storage.set(word(key), word(value));
      }
      const isNothing = now.nonce === 0n && now.balance === 0n && now.code === '0x';
      if (isNothing) state.delete(address);
      else state.set(address, now);
    }
  }
}

/** How tracers differ. */
interface Tracer {
  /** An absent account stands in `pre` with no balance. */
  showsAbsent: boolean;
  /** An account that was touched and not changed stands in both. */
  showsUntouched: boolean;
  /** Nonces are hex. */
  hexNonce: boolean;
}

const tracer: fc.Arbitrary<Tracer> = fc.record({
  showsAbsent: fc.boolean(),
  showsUntouched: fc.boolean(),
  hexNonce: fc.boolean(),
});

/** What a tracer says of a transaction. */
function trace(before: State, after: State, { showsAbsent, showsUntouched, hexNonce }: Tracer) {
  const pre: Record<string, unknown> = {};
  const post: Record<string, unknown> = {};
  const quantity = (value: bigint) => `0x${value.toString(16)}`;
  const nonceOf = (value: bigint) => (hexNonce ? quantity(value) : Number(value));
  for (const address of addresses) {
    const old = before.get(address);
    const now = after.get(address);
    if (old === undefined && now === undefined) continue;
    const from = old ?? { nonce: 0n, balance: 0n, code: '0x', storage: new Map<Hex, Hex>() };
    const changed = [...new Set([...from.storage.keys(), ...(now?.storage.keys() ?? [])])].filter(
      (key) => now && (now.storage.get(key) ?? zero) !== (from.storage.get(key) ?? zero),
    );
    const left: Record<string, unknown> = { balance: quantity(from.balance) };
    if (from.nonce > 0n) left.nonce = nonceOf(from.nonce);
    if (from.code !== '0x') left.code = from.code;
    const were = changed.filter((key) => from.storage.has(key));
    if (were.length > 0) {
      left.storage = Object.fromEntries(were.map((key) => [key, from.storage.get(key)]));
    }
    if (now === undefined) {
      pre[address] = left;
      continue;
    }
    const right: Record<string, unknown> = {};
    if (now.balance !== from.balance) right.balance = quantity(now.balance);
    if (now.nonce !== from.nonce) right.nonce = nonceOf(now.nonce);
    if (now.code !== from.code && now.code !== '0x') right.code = now.code;
    const are = changed.filter((key) => now.storage.has(key));
    if (are.length > 0) {
      right.storage = Object.fromEntries(are.map((key) => [key, now.storage.get(key)]));
    }
    const isChanged = Object.keys(right).length > 0 || changed.length > 0;
    if (!isChanged && !showsUntouched) continue;
    if (old || showsAbsent) pre[address] = left;
    post[address] = right;
  }
  return { result: { pre, post } };
}

/** Whether a tracer can tell: code that is taken away is left out, which only a delegation's nonce betrays. */
const isTellable = (before: State, after: State): boolean =>
  [...before].every(([address, { code, life }]) => {
    const now = after.get(address);
    const isGone = now !== undefined && now.life === life && code !== '0x' && now.code === '0x';
    return !isGone || code === delegation;
  });

const keccak = (code: Hex) => toHex(keccak_256(fromHex(code)));

function applyNet(state: State, changes: readonly AccountChange[]): void {
  for (const { address, account, recreated, storage = [], before } of changes) {
    const held = state.get(address);
    // What stood before is told of each account, as it was.
    expect(before).toEqual(
      held ? { nonce: held.nonce, balance: held.balance, codeHash: keccak(held.code) } : null,
    );
    if (account === null) {
      state.delete(address);
      continue;
    }
    expect(recreated === undefined || held !== undefined).toBe(true);
    const goesOn = recreated ? undefined : held;
    const slots = new Map(goesOn?.storage);
    for (const { key, value, before: was } of storage) {
      // Storage that begins with the block had nothing before.
      if (goesOn) expect(was).toBe(slots.get(key) ?? zero);
      else expect([was, value === zero]).toEqual([undefined, false]);
      if (value === zero) slots.delete(key);
      else slots.set(key, value);
    }
    state.set(address, {
      nonce: BigInt(account.nonce),
      balance: BigInt(account.balance),
      code: account.code ?? goesOn?.code ?? '0x',
      storage: slots,
      life: goesOn?.life ?? -1,
    });
  }
}

const plain = (state: State) =>
  [...state]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, { life, ...held }]) => [
      address,
      { ...held, storage: [...held.storage].sort() },
    ]);

describe('the net change of a block', () => {
  test('leads where its transactions do one by one, from what stood before', () => {
    fc.assert(
      fc.property(
        fc.array(transaction, { maxLength: 5 }),
        fc.array(transaction, { maxLength: 6 }),
        tracer,
        (past, block, kind) => {
          const start: State = new Map();
          for (const touches of past) carryOut(start, touches);
          const end = copy(start);
          const wire = [];
          for (const touches of block) {
            const before = copy(end);
            carryOut(end, touches);
            fc.pre(isTellable(before, end));
            wire.push(trace(before, end, kind));
          }

          const merge = new BlockMerge({ canDestroy: true });
          const transactions = wire.map((_, i) => word(i));
          for (const diff of parseTransactionDiffs(wire, transactions)) merge.apply(diff);
          for (const address of merge.unsureCodes()) {
            merge.setCode(address, end.get(address)?.code as Hex);
          }
          const changes = merge.changes(createCodeHashes());

          const reached = copy(start);
          applyNet(reached, changes);
          expect(plain(reached)).toEqual(plain(end));
          const named = new Map(changes.map((change) => [change.address, change]));
          expect([...named.keys()]).toEqual(changes.map(({ address }) => address));
          for (const address of addresses) {
            const [old, now] = [start.get(address), end.get(address)];
            const isReborn = old !== undefined && now !== undefined && old.life !== now.life;
            expect(named.get(address)?.recreated ?? false).toBe(isReborn);
            if (isReborn) continue;
            const [was, is] = [start, end].map((state) =>
              JSON.stringify(plain(new Map([...state].filter(([key]) => key === address))), text),
            );
            // What ends as it began may be named, for comparison: the state reached above shows that nothing is written.
            if (was !== is) expect(named.has(address)).toBe(true);
            else expect(named.get(address)?.account?.code).toBeUndefined();
          }
        },
      ),
      runsOf(),
    );
  });
});

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
