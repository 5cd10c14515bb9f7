/** Options of the way from L1 to a root: what cannot be meant is refused before anybody is asked. */
import { expect, test } from 'vitest';
import {
  type AnchorOptions,
  type GivenRoot,
  givenAnchor,
  networks,
} from '../../../src/anchor/index.js';
import { checkAnchorOptions } from '../../../src/anchor/options.js';
import { slotKey } from '../../../src/index.js';
import { createTransport } from '../../../src/rpc/index.js';

const network = networks.mainnet;
const l1 = createTransport({ url: 'http://127.0.0.1:1' });
const blockHash = slotKey(1);
const finalized = async () => ({ executionBlockHash: blockHash });
const anchor = givenAnchor({
  ...{ network, stateRoot: slotKey(2), l2BlockNumber: 7 },
  l1: { blockNumber: 5, blockHash },
});

test.each<[wrong: object, message: RegExp]>([
  [{ l1: [] }, /^"l1" expected a transport/],
  [{ l1: {} }, /^"l1" expected a transport/],
  [{ l1: [l1, createTransport({ url: 'http://127.0.0.1:1' })] }, /^"l1" names one endpoint twice/],
  [{ trusted: {} }, /^"trusted" expected \{ blockHash \}/],
  [{ trusted: { blockHash, stateRoot: blockHash } }, /^"trusted" expected \{ blockHash \}/],
  [{ trusted: { finalized, blockHash } }, /^"trusted" expected a hash or a light client/],
  [{ trusted: { finalized, stateRoot: blockHash } }, /^"trusted" expected a hash or a light/],
  [{ trusted: { finalized }, l1Block: 1 }, /^"l1Block" or "trusted" expected/],
  [{ trusted: { blockHash }, l1Block: 1 }, /^"l1Block" or "trusted.blockHash" expected/],
  [{ l1Block: 'earliest' }, /^"l1Block" expected a number, finalized/],
  [{ l1Block: -1 }, /^"l1Block" expected a whole number/],
  [{ l2BlockNumber: 1, before: 2 }, /^"before" or "l2BlockNumber" expected/],
  [{ l2: 'http://127.0.0.1:1' }, /^"l2" expected a transport/],
  [{ kind: 'leaf' }, /^"kind" expected tree or header/],
  [{ kind: 'header' }, /^"kind" header expected a network/],
  [{ maxAge: -1 }, /^"maxAge" expected ms/],
  [{ maxAge: '1' }, /^"maxAge" expected ms/],
  [{ after: { ...anchor, l2ChainId: 1 } }, /^"after" expected an anchor of the same network/],
  [{ after: { ...anchor, l1: { ...anchor.l1, chainId: 5 } } }, /^"after" expected an anchor/],
])('%o is refused', (wrong, message) => {
  const options = { l1, network, ...wrong } as AnchorOptions;
  expect(() => checkAnchorOptions(options)).toThrow(message);
});

test('blocks before those of an earlier anchor are not used, if its numbers are known', () => {
  const lowest = (more: Partial<AnchorOptions>) =>
    checkAnchorOptions({ l1, network, ...more }).lowest;
  expect(lowest({})).toEqual({ l1: 0, l2: 0 });
  expect(lowest({ after: anchor })).toEqual({ l1: 5, l2: 7 });
  const proven = { ...anchor, how: 'proof' } as const;
  expect(lowest({ after: proven })).toEqual({ l1: 0, l2: 7 });
  const whole = { ...proven, l1: { ...anchor.l1, proven: true } };
  expect(lowest({ after: whole })).toEqual({ l1: 5, l2: 7 });
  const trusted = { stateRoot: blockHash };
  expect(lowest({ after: whole, trusted })).toEqual({ l1: 0, l2: 7 });
});

test('one endpoint twice is no fault beside a trusted hash, and its age has no bound', () => {
  const { transports, maxAge, l1Block, trusted } = checkAnchorOptions({
    ...{ network, l1: [l1, l1], trusted: { finalized } },
  });
  expect({ count: transports.length, maxAge, l1Block, kind: trusted?.kind }).toEqual({
    ...{ count: 2, maxAge: Number.POSITIVE_INFINITY, l1Block: 'finalized', kind: 'source' },
  });
});

test.each<[wrong: object, message: RegExp]>([
  [{ l2ChainId: 5 }, /^"l2ChainId" expected 59144, as the network has it/],
  [{ hash: 'mimc' }, /^"hash" expected poseidon2/],
  [{ kind: 'block' }, /^"kind" expected tree or header/],
  [{ header: {} }, /^"kind" expected header beside a block hash/],
  [{ kind: 'header', blockHash, header: '0xc0' }, /^"header" expected that of the block hash/],
])('a given anchor with %o is refused', (wrong, message) => {
  const l1Block = { blockNumber: 5, blockHash };
  const given = { network, stateRoot: slotKey(2), l2BlockNumber: 7, l1: l1Block, ...wrong };
  expect(() => givenAnchor(given as GivenRoot)).toThrow(message);
});
