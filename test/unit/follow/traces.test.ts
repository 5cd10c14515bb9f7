/** What a node's traces and headers must not say, and what a block writes by itself. */

import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
} from '../../../src/follow/index.js';
import { fetchAhead } from '../../../src/follow/loop/fetchAhead.js';
import { createCodeHashes } from '../../../src/follow/node/codeHashes.js';
import {
  checkFork,
  forkAt,
  type HeaderMark,
  type NodeHeader,
  systemWrites,
} from '../../../src/follow/node/system.js';
import { parseTransactionDiffs } from '../../../src/follow/node/transactionDiff.js';
import { BlockMerge } from '../../../src/follow/stateDiff/blockMerge.js';
import type { Transport } from '../../../src/rpc/index.js';
import { type Hex, openStateTree } from '../../../src/tree/index.js';
import type { Params } from '../../support/answers.js';
import { header } from '../../support/handNode.js';
import { fromHex, toHex } from '../../support/hex.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const a = `0x${'aa'.repeat(20)}` as const;
const live = { balance: '0x1', nonce: 1, code: '0x6001' };

const traceOf = (pre: object, post: object) => ({ txHash: word(1), result: { pre, post } });

function merge(canDestroy: boolean, ...traces: unknown[]) {
  const block = new BlockMerge({ canDestroy });
  for (const diff of parseTransactionDiffs(
    traces,
    traces.map(() => word(1)),
  ))
    block.apply(diff);
  return block.changes(createCodeHashes());
}

describe('traces', () => {
  test.each([
    ['no array', {}],
    ['one too few', []],
    ['one too many', [traceOf({}, {}), traceOf({}, {})]],
    ['of another transaction', [{ ...traceOf({}, {}), txHash: word(2) }]],
    ['an error in place of the result', [{ txHash: word(1), error: 'out of time' }]],
    ['no post', [{ txHash: word(1), result: { pre: {} } }]],
    ['a short address', [traceOf({ '0x12': live }, {})]],
    ['an address in two cases', [traceOf({ [a]: live, [`0x${'AA'.repeat(20)}`]: live }, {})]],
    ['a balance without 0x', [traceOf({ [a]: { balance: '12' } }, {})]],
    ['a balance of 257 bits', [traceOf({ [a]: { balance: `0x1${'0'.repeat(64)}` } }, {})]],
    ['a fraction of a nonce', [traceOf({ [a]: { balance: '0x1', nonce: 0.5 } }, {})]],
    ['a nonce beyond what JSON keeps', [traceOf({ [a]: { balance: '0x1', nonce: 2 ** 60 } }, {})]],
    ['code that is no hex', [traceOf({ [a]: { balance: '0x1', code: '0xzz' } }, {})]],
    ['a short slot', [traceOf({ [a]: { ...live, storage: { '0x1': word(1) } } }, { [a]: {} })]],
    ['a short value', [traceOf({ [a]: { ...live, storage: { [word(1)]: '0x1' } } }, { [a]: {} })]],
    ['null', [null]],
  ])('that are %s are refused', (_, traces) => {
    expect(() => parseTransactionDiffs(traces, [word(1)])).toThrow(/expected/);
  });

  test('without the hashes of their transactions are taken in their order', () => {
    const result = { pre: {}, post: {} };
    expect(parseTransactionDiffs([{ result }], [word(1)])).toEqual([
      { transaction: undefined, accounts: [] },
    ]);
  });

  test.each([
    [
      'another balance',
      [
        traceOf({ [a]: live }, { [a]: { balance: '0x2' } }),
        traceOf({ [a]: live }, { [a]: { nonce: 2 } }),
      ],
    ],
    [
      'another nonce',
      [
        traceOf({ [a]: live }, { [a]: { nonce: 5 } }),
        traceOf({ [a]: live }, { [a]: { nonce: 2 } }),
      ],
    ],
    [
      'another code',
      [
        traceOf({ [a]: live }, { [a]: { balance: '0x2' } }),
        traceOf({ [a]: { ...live, balance: '0x2', code: '0x6002' } }, { [a]: { nonce: 2 } }),
      ],
    ],
    [
      'a slot of another value',
      [
        traceOf({ [a]: live }, { [a]: { storage: { [word(1)]: word(1) } } }),
        traceOf({ [a]: { ...live, storage: { [word(1)]: word(2) } } }, { [a]: {} }),
      ],
    ],
    [
      'an account that was destroyed',
      [traceOf({ [a]: live }, {}), traceOf({ [a]: live }, { [a]: { nonce: 2 } })],
    ],
    [
      'a slot of one that was destroyed',
      [
        traceOf({ [a]: live }, {}),
        traceOf({}, { [a]: live }),
        traceOf({ [a]: { ...live, storage: { [word(1)]: word(2) } } }, { [a]: {} }),
      ],
    ],
    ['no account though one was created', [traceOf({}, { [a]: live }), traceOf({}, { [a]: live })]],
  ])('that begin with %s than the one before left are refused', (_, traces) => {
    expect(() => merge(true, ...traces)).toThrow(/BAD_TRACE/);
  });

  test('that destroy a contract are refused since Cancun, when none can be', () => {
    const code = { nonce: 1n, balance: 1n, codeHash: toHex(keccak_256(fromHex('0x6001'))) };
    expect(merge(true, traceOf({ [a]: live }, {}))).toEqual([
      { address: a, account: null, before: code },
    ]);
    expect(() => merge(false, traceOf({ [a]: live }, {}))).toThrow(/BAD_TRACE/);
    // A balance at an address, taken by a contract that was gone with its transaction.
    const none = { nonce: 0n, balance: 5n, codeHash: toHex(keccak_256(new Uint8Array(0))) };
    expect(merge(false, traceOf({ [a]: { balance: '0x5' } }, {}))).toEqual([
      { address: a, account: null, before: none },
    ]);
  });
});

describe('what a block writes by itself', () => {
  const header: NodeHeader = {
    number: 8193,
    hash: word(1),
    parentHash: word(0xff),
    time: 8191 * 10 + 7,
    beaconRoot: word(0xbe),
    stateRoot: undefined,
    baseFee: 0n,
    gasUsed: 0n,
    blobGasUsed: 0n,
    marks: [],
    logsBloom: undefined,
    transactions: [],
  };
  const beacon = [
    { address: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02', key: word(7), value: word(81917) },
    { address: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02', key: word(8198), value: word(0xbe) },
  ];
  const history = [
    // Block 8192 stands where block 1 stood.
    { address: '0x0000f90827f1c53a10cb7a02335b175320002935', key: word(1), value: word(0xff) },
  ];

  test('follows the fork', () => {
    expect(systemWrites('london', header)).toEqual([]);
    expect(systemWrites('shanghai', header)).toEqual([]);
    expect(systemWrites('cancun', header)).toEqual(beacon);
    expect(systemWrites('prague', header)).toEqual([...beacon, ...history]);
    expect(systemWrites('osaka', header)).toEqual([...beacon, ...history]);
    expect(systemWrites('amsterdam', header)).toEqual([...beacon, ...history]);
    expect(systemWrites('prague', { ...header, number: 0 })).toEqual([]);
    expect(() => systemWrites('cancun', { ...header, beaconRoot: undefined })).toThrow(
      /UNSUPPORTED_BLOCK/,
    );
  });

  test('is not taken from a header that is not of the fork', () => {
    const shanghai: HeaderMark[] = ['withdrawalsRoot'];
    const cancun: HeaderMark[] = [
      ...shanghai,
      'blobGasUsed',
      'excessBlobGas',
      'parentBeaconBlockRoot',
    ];
    const prague: HeaderMark[] = [...cancun, 'requestsHash'];
    const all: HeaderMark[] = [...prague, 'blockAccessListHash', 'slotNumber'];
    const right = {
      ...{ london: [], paris: [], shanghai, cancun },
      ...{ prague, osaka: prague, amsterdam: all },
    } as const;
    for (const [fork, marks] of Object.entries(right)) {
      for (const mark of all) {
        const other = marks.some((one) => one === mark)
          ? marks.filter((one) => one !== mark)
          : [...marks, mark];
        const check = () => checkFork(fork as keyof typeof right, { ...header, marks: other });
        expect(check).toThrow(/UNSUPPORTED_BLOCK/);
        expect(check).toThrow(new RegExp(`is ${fork}, but its header shows (no )?${mark}`));
      }
      expect(() => checkFork(fork as keyof typeof right, { ...header, marks })).not.toThrow();
    }
  });

  test('follows a schedule of forks', () => {
    const schedule = [
      { fork: 'shanghai', time: 0 },
      { fork: 'cancun', time: 100 },
      { fork: 'prague', time: 200 },
    ] as const;
    const at = (time: number) => forkAt(schedule, time);
    expect([0, 99, 100, 199, 200, 999].map(at)).toEqual([
      'shanghai',
      'shanghai',
      'cancun',
      'cancun',
      'prague',
      'prague',
    ]);
    expect(forkAt(schedule.slice(1), 50)).toBe('london');
    expect(forkAt('cancun', 0)).toBe('cancun');
  });
});

describe('a node', () => {
  const answers: Record<string, (params: Params) => unknown> = {
    eth_blockNumber: () => '0x2',
    eth_getBlockByNumber: ([tag]) => header(tag === 'finalized' ? 0 : Number(tag)),
    debug_traceBlockByNumber: () => [],
  };

  async function follow(changed: typeof answers, more: Partial<FollowerOptions> = {}) {
    const l2: Transport = {
      call: async (method, params) => ({ ...answers, ...changed })[method]?.(params as Params),
    };
    const tree = await openStateTree();
    await loadStateFile(tree, genesisLines({ number: 0, hash: word(100), changes: [] }));
    const options = { tree, l2, fork: 'shanghai', interval: 1, ...more } as const;
    await createFollower(options).run({ once: true });
    return tree.newestBlock();
  }

  const ofBlock = (number: number, more: object) => ({
    eth_getBlockByNumber: ([tag]: Params) => {
      const at = tag === 'finalized' ? 0 : Number(tag);
      return header(at, at === number ? more : {});
    },
  });

  test('that answers as it should is followed', async () => {
    expect(await follow({})).toBe(2);
    // Some nodes do not know what is final.
    const none = ([tag]: Params) => (tag === 'finalized' ? null : header(Number(tag)));
    expect(await follow({ eth_getBlockByNumber: none })).toBe(2);
  });

  test.each([
    ['a head that is no number', { eth_blockNumber: () => 'latest' }, 'BAD_ANSWER'],
    ['no head at all', { eth_blockNumber: () => undefined }, 'BAD_ANSWER'],
    ['a block of another number', ofBlock(1, { number: '0x7' }), 'BAD_ANSWER'],
    ['a block without a hash', ofBlock(1, { hash: null }), 'BAD_ANSWER'],
    ['whole transactions', ofBlock(1, { transactions: [{}] }), 'BAD_ANSWER'],
    ['traces of more transactions', { debug_traceBlockByNumber: () => [{}] }, 'BAD_ANSWER'],
    ['withdrawals', ofBlock(1, { withdrawals: [{}] }), 'UNSUPPORTED_BLOCK'],
    ['a parent that it never names', ofBlock(2, { parentHash: word(5) }), 'BAD_ANSWER'],
  ])('that answers %s is refused', async (_, changed, code) => {
    await expect(follow(changed as typeof answers)).rejects.toMatchObject({
      name: 'FollowError',
      code,
    });
  });

  test('without beacon roots is refused since Cancun', async () => {
    await expect(follow({}, { fork: 'cancun' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_BLOCK',
    });
  });

  test('that swaps a block while it is traced is asked again', async () => {
    let traced = 0;
    const swapping = {
      debug_traceBlockByNumber: () => {
        traced++;
        return [];
      },
      // The first trace of block 2 falls between two headers.
      eth_getBlockByNumber: ([tag]: Params) => {
        const at = tag === 'finalized' ? 0 : Number(tag);
        return header(at, at === 2 && traced < 2 ? { hash: word(7) } : {});
      },
    };
    expect(await follow(swapping)).toBe(2);
    expect(traced).toBe(3);
  });
});

test('what is fetched ahead is fetched once, up to the limit', async () => {
  const fetched: number[] = [];
  const fetch = fetchAhead(2, async (number) => {
    fetched.push(number);
    if (number === 3) throw new Error('third');
    return number;
  });
  expect(await fetch(1, 4)).toBe(1);
  expect(fetched).toEqual([1, 2, 3]);
  expect(await fetch(2, 4)).toBe(2);
  await expect(fetch(3, 4)).rejects.toThrow('third');
  await expect(fetch(3, 4)).rejects.toThrow('third');
  expect(await fetch(9, 4)).toBe(9);
  expect(fetched).toEqual([1, 2, 3, 4, 3, 9]);
});
