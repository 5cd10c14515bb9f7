/** Old blocks by the state of an earlier finalization, and by their parents if there is none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnchorError, type AnchoredRoot } from '../../../../src/anchor/index.js';
import type { ReadSlots } from '../../../../src/history/client/chain.js';
import type { FindAnchor } from '../../../../src/history/client/earlier.js';
import { openViews } from '../../../../src/history/client/view.js';
import { whileAsked } from '../../../../src/history/client/work.js';
import { createTransport, RpcError, type Transport } from '../../../../src/rpc/index.js';
import { type Anvil, startAnvil, word } from '../../../support/anvil.js';
import { patience } from '../../../support/runs.js';

const hex = (number: number) => `0x${number.toString(16)}`;

let node: Anvil;
let transport: Transport;
let asked = 0;
beforeAll(async () => {
  node = await startAnvil('--hardfork', 'prague');
  await node.call('anvil_mine', hex(800));
  const l2 = createTransport({ url: node.url });
  transport = {
    call: (...request) => {
      asked++;
      return l2.call(...request);
    },
  };
}, patience);
afterAll(() => node.close());

const hashOf = async (number: number) =>
  (await node.call('eth_getBlockByNumber', hex(number), false))?.hash;

const anchorAt = (l2BlockNumber: number) =>
  ({
    l2BlockNumber,
    stateRoot: `0x${word(l2BlockNumber)}`,
    hash: 'poseidon2',
  }) as unknown as AnchoredRoot;

/** Blocks of anchors whose states were read. */
let read: number[] = [];
/** What the contract of EIP-2935 would hold if as many blocks had been mined as the anchor says. */
const readRing: ReadSlots = async ({ l2BlockNumber }, { storageKeys }) => {
  read.push(l2BlockNumber);
  let number = l2BlockNumber - 1;
  while (number % 8191 !== Number(storageKeys[0])) number--;
  return [(await hashOf(number)) ?? `0x${word(0)}`];
};

/** The anchored state names the blocks from 750 on. */
const anchored = 8191 + 750;

/** Asks for headers, one after the other. @returns the anchors that were looked for */
async function headers(
  numbers: number[],
  findAnchor: FindAnchor,
  { readSlots = readRing, maxBlocks = 1000 } = {},
): Promise<number[]> {
  const wishes: number[] = [];
  const find: FindAnchor = (before, signal) => {
    wishes.push(before);
    return findAnchor(before, signal);
  };
  const options = { l2: transport, readSlots, findAnchor: find, maxBlocks, maxRange: 1000 };
  const view = openViews(options)(anchorAt(anchored));
  read = [];
  asked = 0;
  for (const number of numbers) {
    const header = await whileAsked(undefined, (work) => view.header({ number }, work));
    expect(header.hash).toBe(await hashOf(number));
  }
  return wishes;
}

test('one proof of an earlier state is enough, and no way by parents is needed', async () => {
  const find: FindAnchor = async (before) => anchorAt(before - 10);
  expect(await headers([100, 3], find, { maxBlocks: 0 })).toEqual([100 + 8192, 3 + 8192]);
  expect(read).toEqual([100 + 8182, 3 + 8182]);
  expect(asked).toBe(2);
});

test('a block that is near is walked to', async () => {
  const find: FindAnchor = () => Promise.reject(new Error('nobody asks'));
  expect(await headers([750 - 512], find)).toEqual([]);
  expect(read).toEqual([anchored]);
});

const notHeld = () => new RpcError('BLOCK_NOT_HELD', 'l2_getProof', 'gone');
const without: [string, FindAnchor, ReadSlots?][] = [
  ['L1 names none', () => Promise.reject(new AnchorError('NOT_PROVABLE', 'none'))],
  ['L1 does not answer', () => Promise.reject(new RpcError('TIMEOUT', 'eth_getLogs', 'late'))],
  ['the last one before is older than the block', async () => anchorAt(90)],
  [
    'the server has dropped its state',
    async (before) => anchorAt(before - 1),
    (anchor, ...rest) =>
      anchor.l2BlockNumber === anchored ? readRing(anchor, ...rest) : Promise.reject(notHeld()),
  ],
  [
    'its state holds no hashes yet',
    async (before) => anchorAt(before - 1),
    async (anchor, ...rest) =>
      anchor.l2BlockNumber === anchored ? readRing(anchor, ...rest) : [`0x${word(0)}`],
  ],
];

test.each(without)(
  'if %s, parents lead there, and it is not tried again',
  async (_, find, readSlots) => {
    const more = readSlots && { readSlots };
    expect(await headers([100, 40], find, more)).toEqual([100 + 8192]);
    const tooFar = headers([100], find, { ...more, maxBlocks: 600 });
    await expect(tooFar).rejects.toMatchObject({ code: 'TOO_OLD' });
  },
);

test('a false proof is told, and so is the reason of a signal', async () => {
  const find: FindAnchor = async (before) => anchorAt(before - 1);
  const lie = new RangeError('false');
  const readSlots: ReadSlots = () => Promise.reject(lie);
  await expect(headers([100], find, { readSlots })).rejects.toBe(lie);
  const controller = new AbortController();
  const reason = new Error('enough');
  const view = openViews({
    ...{ l2: transport, readSlots: readRing, maxBlocks: 1000, maxRange: 1 },
    findAnchor: async () => {
      controller.abort(reason);
      throw new RpcError('TIMEOUT', 'eth_getLogs', 'late');
    },
  })(anchorAt(anchored));
  const ended = whileAsked(controller.signal, (work) => view.header({ number: 100 }, work));
  await expect(ended).rejects.toBe(reason);
});
