/** What an item says that no contract can have said is refused before any contract is asked. */
import { describe, expect, test } from 'vitest';
import { type AnchoredRoot, networks } from '../../../../src/anchor/index.js';
import type { Hex } from '../../../../src/bytes.js';
import { createBalanceVerifier } from '../../../../src/data/proofs/held/balances.js';
import { toTokenCalls as callsFor, parseHolding } from '../../../../src/data/proofs/tokenCalls.js';

const wallet = `0x${'a1'.repeat(20)}` as const;
const owner = wallet.slice(2).padStart(64, '0');
const contract_address = `0x${'C0'.repeat(20)}`;
const to = contract_address.toLowerCase() as Hex;
const callsOf = (given: never, of: Hex) => callsFor(parseHolding(given, of), to, of);
const word = (value: number) => value.toString(16).padStart(64, '0');
const item = (members: object) => ({ contract_address, balance: '5', ...members }) as never;
const nft = (token_id: unknown, token_balance: unknown) => ({ token_id, token_balance });

describe('the questions of an item', () => {
  test('are those of its standard', () => {
    const whole = { to, data: `0x70a08231${owner}`, expected: 5n };
    expect(callsOf(item({ supports_erc: ['erc20'] }), wallet)).toEqual([whole]);
    const one = { supports_erc: ['erc721'], nft_data: [nft('7', '1')] };
    expect(callsOf(item(one), wallet)).toEqual([
      whole,
      { to, data: `0x6352211e${word(7)}`, expected: BigInt(wallet) },
    ]);
    const many = { supports_erc: ['erc1155'], nft_data: [nft('7', '2'), nft('8', '3')] };
    expect(callsOf(item(many), wallet)).toEqual([
      { to, data: `0x00fdd58e${owner}${word(7)}`, expected: 2n },
      { to, data: `0x00fdd58e${owner}${word(8)}`, expected: 3n },
    ]);
  });

  test.each<[string, object, string]>([
    ['a balance that is no text', { balance: 5 }, 'its balance is not a 256-bit integer'],
    [
      'a balance of 257 bits',
      { balance: String(2n ** 256n) },
      'its balance is not a 256-bit integer',
    ],
    ['a hexadecimal id', { nft_data: [nft('0x7', '1')] }, 'its token_id is not a 256-bit integer'],
    ['an id twice', { nft_data: [nft('7', '1'), nft('7', '1')] }, 'a token comes twice'],
    ['no standard', {}, 'its standard is not one of'],
    ['two standards', { supports_erc: ['erc20', 'erc721'] }, 'its standard is not one of'],
    ['ERC-20 with ids', { supports_erc: ['erc20'], nft_data: [nft('7', '1')] }, 'of no collection'],
    [
      'the native token with ids',
      { native_token: true, contract_address: `0x${'eE'.repeat(20)}`, nft_data: [nft('7', '1')] },
      'of no collection',
    ],
    ...['owner', 'owner_address'].map((name): [string, object, string] => [
      `another ${name}`,
      {
        supports_erc: ['erc721'],
        nft_data: [{ ...nft('7', '1'), [name]: `0x${'b2'.repeat(20)}` }],
      },
      `the ${name} of a token is not the wallet`,
    ]),
    [
      'an owner that is no text',
      { supports_erc: ['erc721'], nft_data: [{ ...nft('7', '1'), owner: 7 }] },
      'the owner of a token is not the wallet',
    ],
    ['ERC-721 of two', { supports_erc: ['erc721'], nft_data: [nft('7', '2')] }, 'is there once'],
    [
      'ERC-1155 without tokens: nothing would be asked',
      { supports_erc: ['erc1155'], balance: '0' },
      'it names no token that the wallet holds',
    ],
    [
      'ERC-1155 with a token that the wallet does not hold',
      { supports_erc: ['erc1155'], nft_data: [nft('7', '5'), nft('8', '0')] },
      'it names no token that the wallet holds',
    ],
    ['ERC-1155 of another sum', { supports_erc: ['erc1155'], nft_data: [nft('7', '4')] }, 'are 4,'],
  ])('%s', (_, members, message) => {
    expect(() => callsOf(item(members), wallet)).toThrow(message);
    expect(() => callsOf(item(members), wallet)).toThrow(
      expect.objectContaining({ code: 'NOT_VERIFIED' }),
    );
  });
});

describe('a page', () => {
  const stateRoot = `0x${'00'.repeat(31)}01` as const;
  const anchor: AnchoredRoot = {
    ...{ l2ChainId: 59144, l2BlockNumber: 12, stateRoot, hash: 'poseidon2', how: 'given' },
    l1: { chainId: 1, blockNumber: 1, blockHash: stateRoot },
  };
  const trust = { anchor, fork: undefined, signal: undefined };
  const proofs = { block: 12, accounts: [], codes: [] };
  const page = (
    items: object[],
    { blockNumber = 12, ...more }: { readonly [name: string]: unknown } = {},
  ) =>
    ({
      items,
      unproven: [],
      blockNumber: blockNumber ?? undefined,
      more: { proofs, ...more },
    }) as never;
  const native = { native_token: true, contract_address, balance: '5' };

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['of another block', { blockNumber: 11 }, /is of block 11, the root of block 12/],
    ['of no block', { blockNumber: null }, /is of no known block/],
    ['without proofs', { proofs: undefined }, /the server gives no proofs/],
    [
      'with proofs of another block',
      { proofs: { ...proofs, block: 11 } },
      /proofs are of block 11/,
    ],
    ['with invalid proofs', { proofs: 7 }, /the answer does not have the required format/],
  ])('%s is refused', async (_, more, message) => {
    const verifier = createBalanceVerifier(wallet, trust);
    await expect(verifier.verified(page([], more))).rejects.toThrow(message);
  });

  test('whose native balance names another address is refused', async () => {
    const verifier = createBalanceVerifier(wallet, trust);
    await expect(verifier.verified(page([native]))).rejects.toThrow(
      /^the native balance is not verified: .* is not its address \(NOT_VERIFIED\)$/,
    );
  });

  test('ends with the reason of the signal', async () => {
    const signal = AbortSignal.abort('enough');
    const verifier = createBalanceVerifier(wallet, { ...trust, signal });
    await expect(verifier.verified(page([native]))).rejects.toBe('enough');
  });

  test('is verified by rules that the engine knows', () => {
    const given = { ...trust, fork: 'nope' as never };
    expect(() => createBalanceVerifier(wallet, given)).toThrow(RangeError);
    expect(() => createBalanceVerifier(wallet, given)).toThrow(/^"fork" expected one of london,/);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'more accounts and slots than a page may',
      {
        accounts: [
          {
            ...{ address: wallet, proof: '0x' },
            storageKeys: new Array(8192).fill(`0x${'00'.repeat(32)}`),
          },
        ],
      },
      /proves 8193 accounts and slots; ask for a smaller one/,
    ],
    [
      'a code that no contract has',
      { codes: [`0x${'00'.repeat(256 * 1024 + 1)}`] },
      /a code is longer than 262144 bytes/,
    ],
  ])('with %s is refused', async (_, more, message) => {
    const verifier = createBalanceVerifier(wallet, trust);
    const given = page([], { proofs: { ...proofs, ...more } });
    await expect(verifier.verified(given)).rejects.toThrow(message);
  });

  test('needs an anchor', () => {
    for (const [wrong, message] of [
      [undefined, /^"anchor" expected an object/],
      [{ ...anchor, stateRoot: '0x12' }, /^"anchor.stateRoot" expected 0x/],
      [{ ...anchor, l2BlockNumber: 1.5 }, /^"anchor.l2BlockNumber" expected a whole number/],
      [{ ...anchor, how: undefined }, /^"anchor.how" expected one of proof,/],
      [{ ...anchor, hash: 'mimc' }, /^"anchor.hash" expected poseidon2, as the network has it/],
    ] as const) {
      const given = { ...trust, anchor: wrong as never };
      expect(() => createBalanceVerifier(wallet, given)).toThrow(message);
    }
  });

  test('is of the network that is named', () => {
    const given = { ...trust, network: networks.sepolia };
    expect(() => createBalanceVerifier(wallet, given)).toThrow(/an anchor of the same network$/);
    const other = { ...anchor, l2ChainId: 5, hash: 'mimc' } as const;
    // Of a chain that is not public, only the form is checked.
    expect(() => createBalanceVerifier(wallet, { ...trust, anchor: other })).not.toThrow();
  });
});
