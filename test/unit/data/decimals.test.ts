/** Decimals are proven with the amount, or there are none: contracts that answer oddly, and proofs that lack something. */

import { describe, expect, test } from 'vitest';
import {
  defineNetwork,
  type Network,
  networks,
  type TreeAnchor,
} from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { compactProof } from '../../../src/compact/index.js';
import type { BalanceItem, BalancePage } from '../../../src/data/items/balanceItem.js';
import { createBalanceVerifier } from '../../../src/data/proofs/held/balances.js';
import type { CallFork } from '../../../src/forks.js';
import { openStateTree } from '../../../src/tree/index.js';
import type { HeldEntry, HeldProofs } from '../../support/answers.js';
import { assemble } from '../../support/contracts/assemble.js';
import { toHex } from '../../support/hex.js';

/** What no proof of a balance covers. */
const wordOfServer = ['completeness', 'names', 'quotes', 'times'];

const wallet: Hex = `0x${'a1'.repeat(20)}`;
const token: Hex = `0x${'c0'.repeat(20)}`;
const native: Hex = `0x${'e'.repeat(40)}`;
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const answer = 'PUSH0 MSTORE 0x20 PUSH0 RETURN';

/** A token whose balances are all in slot 0, and whose decimals are what a program says. */
const tokenOf = (decimals: string) =>
  assemble(`
    0x00 CALLDATALOAD 0xe0 SHR 0x313ce567 EQ @decimals JUMPI
    0x00 SLOAD ${answer}
    decimals: ${decimals}`);

interface Trust {
  readonly fork?: CallFork;
  readonly network?: Network;
  /** Changes members of the anchor. */
  readonly anchor?: Partial<TreeAnchor>;
}

/** A page with the token and the native token, proven; `edit` changes the proofs, and the items. */
async function pageOf(
  decimals: string,
  edit: (proofs: HeldProofs, items: BalanceItem[]) => void = () => {},
  { anchor: more, ...trust }: Trust = { fork: 'prague' },
) {
  const tree = await openStateTree();
  const code = tokenOf(decimals);
  const { stateRoot } = await tree.applyBlock({
    number: 1,
    changes: [
      {
        address: token,
        account: { nonce: 1n, balance: 0n, code },
        storage: [
          { key: word(0), value: word(5) },
          { key: word(9), value: word(6) },
        ],
      },
    ],
  });
  await tree.finalize(1);
  const prove = async (address: Hex, storageKeys: Hex[]) => {
    const result = await tree.getProof(address, storageKeys, 1);
    const proof = compactProof(result, { stateRoot, address, storageKeys });
    return { address, storageKeys, proof: toHex(proof) };
  };
  // The wallet has no account: that it has none is proof enough that it owns nothing.
  const accounts = [await prove(wallet, []), await prove(token, [word(0)])];
  const proofs = { block: 1, accounts, codes: [code] };
  await tree.close();
  const items = [
    { contract_address: native, native_token: true, balance: '0', contract_decimals: 2 },
    { contract_address: token, supports_erc: ['erc20'], balance: '5', contract_decimals: 0 },
  ] as BalanceItem[];
  edit(proofs, items);
  const place = { blockNumber: 1, blockHash: undefined, total: 2, pageSize: 2, hasMore: false };
  const page = { items, unproven: [], assumed: [], ...place } as const;
  const anchor = {
    l2ChainId: 59_144,
    l2BlockNumber: 1,
    stateRoot,
    hash: 'poseidon2',
    l1: { chainId: 1, blockNumber: 1, blockHash: word(1) },
    how: 'given',
    ...more,
  } satisfies TreeAnchor;
  const verifier = createBalanceVerifier(wallet, {
    ...{ anchor, network: trust.network, fork: trust.fork, signal: undefined },
  });
  const whole: BalancePage = { ...page, more: { block_height: 1, proofs } };
  return verifier.verified(whole);
}

describe('decimals', () => {
  test.each<[string, string, number | null]>([
    ['of a word', `0x06 ${answer}`, 6],
    ['of as many digits as an amount has', `0x4d ${answer}`, 77],
    ['of more', `0x4e ${answer}`, null],
    ['of all ones', `PUSH0 NOT ${answer}`, null],
    ['that are nothing', 'STOP', null],
    ['that are half a word', '0x06 PUSH0 MSTORE 0x10 PUSH0 RETURN', null],
    ['of a contract that reverts', 'PUSH0 PUSH0 REVERT', null],
    ['that depend on a time that is not proven', `TIMESTAMP ${answer}`, null],
    ['that depend on an earlier hash', `0x00 BLOCKHASH ${answer}`, null],
    ['in a slot that did not come', `0x09 SLOAD ${answer}`, null],
  ])('%s', async (_, program, decimals) => {
    const { items } = await pageOf(program);
    const [own, other] = items;
    // The native token's come from the chain, never from the server.
    expect(own).toMatchObject({ balance: '0', contract_decimals: 18, verified: true });
    expect(other).toMatchObject({ balance: '5', contract_decimals: decimals, verified: true });
  });
});

describe('an amount is refused if', () => {
  const six = `0x06 ${answer}`;
  test.each<[string, (proofs: HeldProofs) => void, RegExp]>([
    ['its slot did not come', ({ accounts }) => accounts.pop(), /no proof of the account/],
    ['its code did not come', (proofs) => proofs.codes.pop(), /the code of .* did not come/],
    [
      'a code is longer than any',
      (proofs) => proofs.codes.push(`0x${'00'.repeat(256 * 1024 + 1)}`),
      /a code is longer than 262144 bytes/,
    ],
    [
      'a page proves more than any lists',
      ({ accounts }) => {
        for (let i = 0; i < 8192; i++) accounts.push({ ...(accounts[0] as HeldEntry) });
      },
      /the page proves 8195 accounts and slots; ask for a smaller one/,
    ],
    [
      'the proofs are of another block',
      (proofs) => {
        proofs.block = 2;
      },
      /the proofs are of block 2, the root of block 1/,
    ],
  ])('%s', async (_, edit, message) => {
    await expect(pageOf(six, edit)).rejects.toMatchObject({
      code: 'NOT_VERIFIED',
      message: expect.stringMatching(message),
    });
  });

  test('its proof is not of the slots that it names', async () => {
    await expect(
      pageOf(six, (proofs) => {
        (proofs.accounts[1] as HeldEntry).storageKeys = [];
      }),
    ).rejects.toMatchObject({ code: 'NOT_VERIFIED' });
  });
});

describe('the rules of the block', () => {
  const l1Of = (timestamp: number, proven = true) => ({
    l1: {
      ...{ chainId: 1, blockNumber: 1, blockHash: word(1) },
      timestamp: BigInt(timestamp),
      proven,
    },
  });
  const nothing = () => {};
  const { shanghai = 0 } = networks.mainnet.forks;
  const proven = { how: 'proof', isNewest: true } as const;

  test('of the newest finalization are the newest that had begun by a proven time', async () => {
    const early = pageOf(`0x06 ${answer}`, nothing, {
      anchor: { ...proven, ...l1Of(shanghai - 1) },
    });
    // London knows no PUSH0, so the contract gives no amount.
    await expect(early).rejects.toMatchObject({ code: 'NOT_VERIFIED' });
    const { assumed } = await pageOf(`0x06 ${answer}`, nothing, {
      anchor: { ...proven, ...l1Of(shanghai) },
    });
    expect(assumed).toEqual(['fork', ...wordOfServer]);
  });

  test.each<[string, Partial<TreeAnchor>]>([
    ['of an older block', { how: 'proof', isNewest: false, ...l1Of(shanghai) }],
    ['of a block that may be older', { how: 'proof', ...l1Of(shanghai) }],
    ['under an L1 header that is not proven', { ...proven, ...l1Of(shanghai, false) }],
    [
      'of a claimed time',
      {
        ...{ how: 'proof', isNewest: false, ...l1Of(shanghai) },
        timestamp: { value: BigInt(shanghai), proven: false },
      },
    ],
  ])('%s are for the caller to name', async (_, anchor) => {
    const unnamed = pageOf(`0x06 ${answer}`, nothing, { anchor });
    await expect(unnamed).rejects.toMatchObject({
      code: 'FORK_UNKNOWN',
      message: expect.stringMatching(/^the time of block 1 is not proven.*name it as "fork"/),
    });
    const { items, assumed } = await pageOf(`0x06 ${answer}`, nothing, { anchor, fork: 'prague' });
    expect(items[1]).toMatchObject({ balance: '5', contract_decimals: 6 });
    expect(assumed).toEqual(wordOfServer);
    // No contract runs for the native balance.
    const native = await pageOf(`0x06 ${answer}`, (_, items) => items.pop(), { anchor });
    expect(native).toMatchObject({
      assumed: wordOfServer,
      items: [{ balance: '0', verified: true }],
    });
  });

  test('follow from a proven time, whatever the caller names', async () => {
    const anchor = { how: 'proof', timestamp: { value: BigInt(shanghai), proven: true } } as const;
    const { assumed } = await pageOf(`0x06 ${answer}`, nothing, { anchor, fork: 'london' });
    expect(assumed).toEqual(wordOfServer);
  });

  test('follow from the times of the network that is named', async () => {
    const { mainnet } = networks;
    const network = defineNetwork({ ...mainnet, l2ChainId: 5, forks: { london: 0, prague: 9 } });
    const anchor = { ...proven, ...l1Of(8), l2ChainId: 5 };
    const early = pageOf(`0x06 ${answer}`, nothing, { anchor, network });
    await expect(early).rejects.toMatchObject({ code: 'NOT_VERIFIED' });
    const late = { ...anchor, ...l1Of(9) };
    const { assumed } = await pageOf(`0x06 ${answer}`, nothing, { anchor: late, network });
    expect(assumed).toEqual(['fork', ...wordOfServer]);
    // Of a chain without known times, they are the newest.
    expect((await pageOf(`0x06 ${answer}`, nothing, { anchor })).assumed[0]).toBe('fork');
  });

  test('that the engine does not run are refused', async () => {
    const network = defineNetwork({ ...networks.mainnet, forks: { london: 0, amsterdam: 9 } });
    const late = pageOf(`0x06 ${answer}`, nothing, { anchor: { ...proven, ...l1Of(9) }, network });
    await expect(late).rejects.toMatchObject({
      code: 'NOT_VERIFIED',
      message: expect.stringMatching(/under the rules of amsterdam/),
    });
  });
});
