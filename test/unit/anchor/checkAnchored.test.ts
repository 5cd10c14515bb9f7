/** An anchor that is handed in is read strictly: with an odd word in it, it would pass for one of another kind. */
import { describe, expect, test } from 'vitest';
import { checkAnchored } from '../../../src/anchor/checkAnchored.js';
import { type AnchoredRoot, givenAnchor, networks } from '../../../src/anchor/index.js';
import { createDataClient } from '../../../src/data/index.js';
import { createProvider } from '../../../src/provider/index.js';

const network = networks.mainnet;
const word = (digit: string) => `0x${digit.repeat(64)}` as const;
const address = `0x${'22'.repeat(20)}` as const;
const anchor: AnchoredRoot = {
  l2ChainId: 59144,
  l2BlockNumber: 7,
  stateRoot: word('1'),
  hash: 'poseidon2',
  timestamp: { value: 5n, proven: true },
  isNewest: true,
  implementation: address,
  l1: {
    chainId: 1,
    blockNumber: 1,
    blockHash: word('2'),
    timestamp: 5n,
    proven: true,
    tag: 'safe',
  },
  how: 'proof',
};
const failing = {
  call: async () => {
    throw new Error('asked');
  },
};

const notFound = async () => new Response('', { status: 404 });

/** What takes rules and times of calls from an anchor. */
const takers: Record<string, (given: never) => unknown> = {
  'a provider': (given) => createProvider({ l2: failing, network, anchor: given }).close(),
  'the function of a provider': async (given) => {
    const provider = createProvider({ l2: failing, network, anchor: async () => given });
    await provider.anchor().finally(() => provider.close());
  },
  'balances of a data client': (given) =>
    createDataClient({ url: 'http://x', chain: 'x', fetch: notFound })
      .balances({ address, anchor: given, network })
      .next(),
};

const consensus = { checkpoint: word('3'), slot: 40, signers: 32, committeeSize: 32 };

const l1 = (more: object) => ({ l1: { ...anchor.l1, ...more } });
const time = (timestamp: unknown) => ({ timestamp });

const odd: [string, object, RegExp][] = [
  ...[
    undefined,
    null,
    '',
    'Proof',
    'proven',
    'PROOF',
    true,
    1,
    ['proof'],
    { valueOf: 'proof' },
  ].map((how): [string, object, RegExp] => [
    `how: ${String(how)}`,
    { how },
    /\.how" expected one of proof, consensus, call, quorum, given, got /,
  ]),
  ...['false', 'true', 0, 1, null, {}].map((isNewest): [string, object, RegExp] => [
    `isNewest: ${isNewest}`,
    { isNewest },
    /\.isNewest" expected true or false, got /,
  ]),
  ...[
    [{ consensus }, /\.consensus" expected none beside how: 'proof'/] as const,
    [{ how: 'consensus', consensus: {} }, /\.consensus\.checkpoint" expected a hex/] as const,
    [{ how: 'consensus', consensus: 'x' }, /\.consensus" expected an object/] as const,
    [
      { how: 'consensus', consensus: { ...consensus, slot: -1 } },
      /\.consensus\.slot" expected a whole number from 0/,
    ] as const,
  ].map(([change, message]): [string, object, RegExp] => [
    `consensus: ${JSON.stringify(change)}`,
    change,
    message,
  ]),
  ...['false', 1, null].map((proven): [string, object, RegExp] => [
    `l1.proven: ${proven}`,
    l1({ proven }),
    /\.l1\.proven" expected true or false, got /,
  ]),
  ...[5, '5', null, {}].map((timestamp): [string, object, RegExp] => [
    `l1.timestamp: ${timestamp}`,
    l1({ timestamp }),
    /\.l1\.timestamp" expected seconds as a bigint/,
  ]),
  ...[-1n, 2n ** 64n].flatMap((value): [string, object, RegExp][] => [
    [`l1.timestamp: ${value}`, l1({ timestamp: value }), /\.l1\.timestamp" expected a whole/],
    [`timestamp: ${value}`, time({ value, proven: true }), /\.timestamp\.value" expected a whole/],
  ]),
  ['timestamp: null', time(null), /\.timestamp" expected an object/],
  ['timestamp: 5n', time(5n), /\.timestamp" expected an object/],
  ['a number as time', time({ value: 5, proven: true }), /\.timestamp\.value" expected seconds/],
  ['a word as proof', time({ value: 5n, proven: 'no' }), /\.timestamp\.proven" expected true or/],
  ['no proof', time({ value: 5n }), /\.timestamp\.proven" expected true or false/],
  ['a proof misspelt', time({ value: 5n, Proven: false }), /\.timestamp\.Proven" is unknown/],
  ...['call', 'quorum'].map((how): [string, object, RegExp] => [
    `a proven time beside how: ${how}`,
    { how },
    /\.timestamp\.proven" expected false beside how: '(call|quorum)'/,
  ]),
  ['a tag that is none', l1({ tag: 'final' }), /\.l1\.tag" expected one of safe, latest, got/],
  ['no block of L1', { l1: undefined }, /\.l1" expected an object/],
  ['null for a block of L1', { l1: null }, /\.l1" expected an object/],
  ['another L1', l1({ chainId: 5 }), /" expected an anchor of the same network/],
  ['a chain that is no number', l1({ chainId: '1' }), /\.l1\.chainId" expected a number/],
  ['another L2', { l2ChainId: 5 }, /" expected an anchor of the same network/],
  ['an L2 that is none', { l2ChainId: '59144' }, /\.l2ChainId" expected a number/],
  ['another family', { hash: 'mimc' }, /\.hash" expected poseidon2, as the network has it/],
  ['no block', { l2BlockNumber: -1 }, /\.l2BlockNumber" expected a whole number/],
  ['no L1 block', l1({ blockNumber: 1.5 }), /\.l1\.blockNumber" expected a whole number/],
  ['a short hash', l1({ blockHash: '0x12' }), /\.l1\.blockHash" expected 0x and 64/],
  ['a hash of zero', l1({ blockHash: word('0') }), /\.l1\.blockHash" is zero/],
  ['a short root', { stateRoot: '0x12' }, /\.stateRoot" expected 0x and 64/],
  ['a root of zero', { stateRoot: word('0') }, /\.stateRoot" is zero/],
  ['code that is no address', { implementation: '0x12' }, /\.implementation" expected 0x and 40/],
];

const refusal = async (take: (given: never) => unknown, given: unknown): Promise<Error> => {
  try {
    await take(given as never);
  } catch (error) {
    return error as Error;
  }
  return new Error('it was taken');
};

describe.each(Object.entries(takers))('%s', (_, take) => {
  test.each(odd)('refuses %s', async (_, more, message) => {
    const { message: text } = await refusal(take, { ...anchor, ...more });
    expect(text).toMatch(message);
    expect(text).toMatch(/"anchor/);
  });

  test.each([null, 5, 'proof', []].map((given) => [String(given), given]))(
    'refuses %s',
    async (_, given) => {
      const { message } = await refusal(take, given);
      expect(message).toMatch(/"anchor(\.l1)?" (expected|is)/);
    },
  );

  test('looks at own members alone', async () => {
    const { how: _, ...rest } = anchor;
    const inherited = Object.assign(Object.create({ how: 'proof' }), rest);
    expect((await refusal(take, inherited)).message).toMatch(/\.how" expected one of/);
  });

  test('takes each kind that is whole', async () => {
    const { timestamp: ____, ...untimed } = anchor;
    const { tag: _, proven: __, timestamp: ___, ...least } = anchor.l1;
    const whole: AnchoredRoot[] = [
      anchor,
      { ...anchor, l1: { ...anchor.l1, tag: 'latest', proven: false } },
      { ...anchor, how: 'given' },
      { ...anchor, how: 'consensus', consensus },
      { ...anchor, how: 'consensus', consensus: { ...consensus, signers: undefined } },
      { ...anchor, how: 'consensus' },
      { ...anchor, how: 'call', timestamp: { value: 2n ** 64n - 1n, proven: false } },
      { ...untimed, how: 'quorum' },
      { ...anchor, l1: least },
      givenAnchor({ ...anchor, network } as never),
      // Somebody's own notes beside it harm nobody.
      { ...anchor, seenAt: 5 } as AnchoredRoot,
    ];
    for (const given of whole) {
      const { message } = await refusal(take, given);
      expect(message).not.toMatch(/"anchor/);
    }
  });
});

test('what was checked is what is used', async () => {
  let reads = 0;
  const moving = {
    ...anchor,
    get how() {
      reads += 1;
      return reads === 1 ? 'given' : 'proof';
    },
  } as AnchoredRoot;
  const provider = createProvider({ l2: failing, network, anchor: moving });
  reads = 0;
  expect(await provider.anchor()).toMatchObject({ how: 'given' });
  expect(Object.isFrozen(await provider.anchor())).toBe(true);
  provider.close();
});

test('without a network, its form is checked alone', () => {
  const other = { ...anchor, l2ChainId: 5, hash: 'mimc', l1: { ...anchor.l1, chainId: 7 } };
  // One that names no kind is of a tree.
  expect(checkAnchored(other, undefined)).toEqual({ ...other, kind: 'tree' });
  expect(() => checkAnchored({ ...other, l2ChainId: -5 }, undefined)).toThrow('"anchor.l2ChainId"');
  expect(() => checkAnchored({ ...other, hash: 'md5' }, undefined)).toThrow(/md5|hash/);
});
