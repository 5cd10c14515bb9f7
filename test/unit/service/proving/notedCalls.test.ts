/** Calls that are not run anew as long as all that they have read is as it was. */
import { afterEach, expect, test } from 'vitest';
import type { AbiCall } from '../../../../src/abi/call.js';
import { encodeHex, type Hex } from '../../../../src/bytes.js';
import type { CallOutcome, StateSource } from '../../../../src/evm/index.js';
import { createNodeClient, toAskNode } from '../../../../src/rpc/nodeClient.js';
import { NotedCalls } from '../../../../src/service/proving/notedCalls.js';
import { createStateAmounts } from '../../../../src/service/proving/ownState.js';
import { openStateTree } from '../../../../src/tree/index.js';
import type { Account } from '../../../../src/verify/result.js';
import { patience } from '../../../support/runs.js';
import { startStateHistory } from '../../../support/stateHistory.js';
import { wallets } from '../../../support/tokenHistory.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const pause = async () => {};
const contract: Hex = `0x${'cc'.repeat(20)}`;
const plain: Hex = `0x${'5e'.repeat(20)}`;
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const call: AbiCall = { to: contract, data: '0x01' };

/** What a call below can see: a contract with a slot, and an account without code. */
interface Seen {
  readonly contract: Account<'tree'> | null;
  readonly plain: Account<'tree'> | null;
  readonly slot: Hex;
}

const accountWith = (codeSize: bigint): Account<'tree'> => ({
  nonce: 1n,
  balance: 5n,
  storageRoot: word(1),
  snarkCodeHash: word(2),
  keccakCodeHash: word(3),
  codeSize,
});

const before: Seen = { contract: accountWith(2n), plain: accountWith(0n), slot: word(7) };

const outcome: CallOutcome = {
  kind: 'success',
  output: Uint8Array.of(9),
  reason: undefined,
  isOutOfGas: false,
  gasUsed: 1n,
  accessed: [],
  assumed: [],
  everAssumed: [],
};

/** @param codes at hand */
function stateOf(seen: Seen, codes: ReadonlyMap<Hex, Hex>) {
  const source: StateSource = {
    known: () => undefined,
    knownCode: ({ keccakCodeHash }) => codes.get(keccakCodeHash),
    read: async (questions) =>
      questions.map(({ address, storageKeys }) => ({
        account: address === contract ? seen.contract : seen.plain,
        values: storageKeys.map(() => seen.slot),
      })),
    code: async () => '0x6001',
  };
  return { source, codeBy: (hash: Hex) => codes.get(hash) };
}

/** What a call reads, beside the state. */
interface Reading {
  readonly assumed?: readonly string[];
  /** Of runs that lacked something, too. */
  readonly everAssumed?: readonly string[];
  readonly codes?: ReadonlyMap<Hex, Hex>;
  readonly slots?: readonly Hex[];
}

const code = new Map<Hex, Hex>([[word(3), '0x6001']]);

/** Makes one call in each state in turn. @returns how often it was run, and what each time has come to */
async function makeIn(
  states: readonly Seen[],
  { assumed = [], everAssumed = assumed, codes = code, slots = [word(1)] }: Reading = {},
) {
  const calls = new NotedCalls();
  let runs = 0;
  const made = [];
  for (const seen of states) {
    const run = async (source: StateSource) => {
      runs += 1;
      const [found] = await source.read([{ address: contract, storageKeys: [] }], undefined);
      await source.read([{ address: contract, storageKeys: slots }], undefined);
      await source.read([{ address: plain, storageKeys: [] }], undefined);
      if (found?.account) {
        const known = source.knownCode(found.account);
        if (known === undefined) await source.code(contract, found.account, undefined);
      }
      return { ...outcome, assumed, everAssumed };
    };
    made.push(await calls.make(call, stateOf(seen, codes), run));
  }
  return { runs, made };
}

const reads = {
  slots: new Map([
    [contract, new Set([word(1)])],
    [plain, new Set()],
  ]),
  codes: new Map([[word(3), '0x6001']]),
};

test('the same state gives the same answer without a run, and with all that was read', async () => {
  const moved = { ...before.contract, storageRoot: word(8) } as Account<'tree'>;
  // Other slots of the contract decide nothing.
  const { runs, made } = await makeIn([before, before, { ...before, contract: moved }]);
  expect(runs).toBe(1);
  const noted = { reads, answer: outcome.output, isProvable: true };
  expect(made).toEqual([noted, noted, noted]);
});

const change = (one: keyof Omit<Seen, 'slot'>, members: Partial<Account<'tree'>>): Seen => ({
  ...before,
  [one]: { ...(before[one] as Account<'tree'>), ...members },
});

test.each<[string, Seen]>([
  ['the nonce', change('contract', { nonce: 2n })],
  ['the balance', change('contract', { balance: 6n })],
  ['the code', change('contract', { keccakCodeHash: word(4) })],
  ['the contract is gone', { ...before, contract: null }],
  ['the slot', { ...before, slot: word(0) }],
  ['an account beside it', change('plain', { balance: 0n })],
  ['the storage of an account without code', change('plain', { storageRoot: word(9) })],
  ['the account beside it is gone', { ...before, plain: null }],
])('a call is run again once something that it has read is another: %s', async (_, after) => {
  const codes = new Map<Hex, Hex>([
    [word(3), '0x6001'],
    [word(4), '0x6002'],
  ]);
  // Each way: what was there before is as much a change.
  expect((await makeIn([before, after], { codes })).runs).toBe(2);
  expect((await makeIn([after, before], { codes })).runs).toBe(2);
  expect((await makeIn([after, after], { codes })).runs).toBe(1);
});

test('a call is run again if code that it needs is not at hand any more', async () => {
  const { runs, made } = await makeIn([before, before], { codes: new Map() });
  expect(runs).toBe(2);
  expect(made[1]?.reads.codes).toEqual(reads.codes);
});

test('a call that has read what no account holds is not kept; only the number of the block is proven nevertheless', async () => {
  const known = await makeIn([before, before], { assumed: ['number'] });
  expect([known.runs, known.made.map((one) => one?.isProvable)]).toEqual([2, [true, true]]);
  const unknown = await makeIn([before, before], { assumed: ['blockHash', 'number'] });
  expect([unknown.runs, unknown.made.map((one) => one?.isProvable)]).toEqual([2, [false, false]]);
});

test('a call of which an earlier run has read what no account holds is not kept: the slots that it read then are of that block', async () => {
  const { runs, made } = await makeIn([before, before], { everAssumed: ['number'] });
  expect([runs, made.map((one) => one?.isProvable)]).toEqual([2, [true, true]]);
});

test('a call that has read more than fits into one piece is not kept', async () => {
  const slots = (count: number) => Array.from({ length: count }, (_, i) => word(i));
  // The two accounts count, too.
  expect((await makeIn([before, before], { slots: slots(142) })).runs).toBe(1);
  expect((await makeIn([before, before], { slots: slots(143) })).runs).toBe(2);
});

test('a contract that tells the number of the block is asked at each block', async () => {
  const tree = await openStateTree({ keepFinal: 8 });
  cleanups.push(() => tree.close());
  // NUMBER PUSH0 MSTORE PUSH1 20 PUSH0 RETURN
  const code: Hex = '0x435f5260205ff3';
  const hash = (number: number) => word(number);
  const changes = [{ address: contract, account: { nonce: 1n, balance: 5n, code } }];
  await tree.applyBlock({ number: 5, hash: hash(5), changes });
  await tree.finalize(5);
  await tree.applyBlock({ number: 6, hash: hash(6), changes: [] });
  await tree.finalize(6);
  const amounts = createStateAmounts({
    state: { tree, finality: async () => 6, fork: 'prague' },
    chainId: 1,
    node: { codeAt: async () => code, client: createNodeClient(toAskNode(async () => null)) },
    other: { balanceAt: async () => 0n, call: async () => [] },
  });
  for (const block of [5, 6, 5]) {
    const prover = amounts.prover(block, 'tree');
    const [answer] = await prover.call([call], block, pause);
    expect(encodeHex(answer as Uint8Array)).toBe(word(block));
    expect(prover.cite([call])).toEqual([contract]);
  }
});

test(
  'over a random life of tokens, every answer is the one of the node, and proven by what a new start would read',
  async () => {
    const seed = Number(process.env.HISTORY_SEED ?? 44);
    const { node, tree, history, follow } = await startStateHistory(seed, cleanups);
    const { gold, rebasing, wrapped, deed, goods } = history;
    let runs = 0;
    const readState: typeof tree.read = (...question) => {
      runs += 1;
      return tree.read(...question);
    };
    const start = () =>
      createStateAmounts({
        state: {
          tree: { ...tree, read: readState },
          finality: async () => undefined,
          fork: 'prague',
        },
        chainId: 31337,
        node: {
          codeAt: (address, block) => node.call('eth_getCode', address, `0x${block.toString(16)}`),
          client: undefined as never,
        },
        other: undefined as never,
      });
    const kept = start();
    const few = wallets.slice(0, 4);
    const calls = [
      ...[gold, rebasing, wrapped].flatMap((token) => [
        token.call('decimals'),
        ...few.map((wallet) => token.call('balanceOf', wallet)),
      ]),
      ...few.map((wallet) => deed.call('balanceOf', wallet)),
      ...few.map((wallet) => goods.call('balanceOf', wallet, 1n)),
    ] as AbiCall[];
    const counted = { kept: 0, anew: 0 };
    for (let round = 0; round < 6; round++) {
      await history.mine(2);
      await follow();
      const block = (await tree.finalBlock()) as number;
      const [first, second] = [kept.prover(block, 'tree'), start().prover(block, 'tree')];
      runs = 0;
      const answers = await first.call(calls, block, pause);
      counted.kept += runs;
      runs = 0;
      expect(await second.call(calls, block, pause)).toEqual(answers);
      counted.anew += runs;
      for (const [i, asked] of calls.entries()) {
        const said = await node.call('eth_call', asked, `0x${block.toString(16)}`);
        expect(encodeHex(answers[i] ?? new Uint8Array(0)), `${round} ${i}`).toBe(said);
        expect(first.cite([asked])).toEqual(second.cite([asked]));
      }
      expect(first.size).toBeGreaterThan(10);
      expect(await first.prove(pause)).toEqual(await second.prove(pause));
    }
    // Most are as they were.
    expect(counted.kept).toBeLessThan(counted.anew);
  },
  patience,
);
