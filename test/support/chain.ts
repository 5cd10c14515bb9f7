/** A chain on a real node that does all that can be done to accounts and slots, and its comparison with a state tree. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect } from 'vitest';
import { type Hex, verifyProof } from '../../src/index.js';
import type { AccountChange, StateTree } from '../../src/tree/index.js';
import {
  type Anvil,
  accounts,
  brieflyInit,
  create2,
  factory,
  revertingInit,
  slotInit,
  store,
  type Transaction,
  word,
} from './anvil.js';
import { fromHex, toHex } from './hex.js';

export const beaconRoots: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
export const blockHashes: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';
const feeRecipient = '0x0000000000000000000000000000000000000000';

/** Code of the beacon roots contract, from EIP-4788. */
export const beaconRootsCode: Hex =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500';

/** Anvil's own key of its second account. */
const secondKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

/** A string of RLP, shorter than 56 bytes. */
const rlp = (bytes: Uint8Array): number[] =>
  bytes.length === 1 && (bytes[0] as number) < 0x80 ? [...bytes] : [0x80 + bytes.length, ...bytes];

/** A transaction in which the second account takes an address' code for its own (EIP-7702); zero gives it back. */
export function delegate(target: string, nonce: number): Transaction {
  const body = [
    ...rlp(fromHex('0x7a69')),
    ...rlp(fromHex(target)),
    ...rlp(nonce === 0 ? new Uint8Array(0) : Uint8Array.of(nonce)),
  ];
  const digest = keccak_256(Uint8Array.from([5, 0xc0 + body.length, ...body]));
  const [parity, ...rs] = secp256k1.sign(digest, fromHex(secondKey), {
    prehash: false,
    format: 'recovered',
  });
  const quantity = (bytes: number[]) => `0x${BigInt(toHex(Uint8Array.from(bytes))).toString(16)}`;
  return {
    to: accounts[0],
    type: '0x4',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x1',
    authorizationList: [
      {
        chainId: '0x7a69',
        address: target,
        nonce: `0x${nonce.toString(16)}`,
        yParity: `0x${parity}`,
        r: quantity(rs.slice(0, 32)),
        s: quantity(rs.slice(32)),
      },
    ],
  };
}

/** Address of a CREATE2 by the factory (EIP-1014). */
export function create2Address(salt: number, init: string): Hex {
  const initHash = toHex(keccak_256(fromHex(`0x${init}`))).slice(2);
  const preimage = `0xff${factory.slice(2)}${word(salt)}${initHash}`;
  return `0x${toHex(keccak_256(fromHex(preimage))).slice(-40)}`;
}

const other = (digit: string): Hex => `0x${digit.repeat(40)}`;
const precompile: Hex = '0x0000000000000000000000000000000000000002';
/** Address of a contract, by salt. */
export const slots = (salt: number): Hex => create2Address(salt, slotInit);

/** Blocks that create, change and destroy accounts and slots, in all orders and within one block. */
export const life: Transaction[][] = [
  [
    { to: other('a'), value: 7n },
    { to: other('b') },
    { to: precompile, value: 1n },
    { data: `0x${slotInit}` },
  ],
  [create2(1, slotInit), store(slots(1), 1, 1), store(slots(1), 2, 2), store(slots(1), 3, 3)],
  // Set and cleared in one block, changed and changed back, cleared, overwritten, and written as it is.
  [
    store(slots(1), 5, 5),
    store(slots(1), 5, 0),
    store(slots(1), 1, 9),
    store(slots(1), 1, 1),
    store(slots(1), 2, 0),
    store(slots(1), 3, 4),
    store(slots(1), 0, 1),
  ],
  [],
  [{ to: slots(1) }],
  [create2(1, slotInit)],
  [store(slots(1), 7, 7)],
  // Destroyed and created again in one block.
  [{ to: slots(1) }, create2(1, slotInit), store(slots(1), 9, 9)],
  // Destroyed, and there again as a mere balance, which the next contract at that address finds.
  [{ to: slots(1) }, { to: slots(1), value: 5n }],
  [create2(1, slotInit), store(slots(1), 8, 8)],
  // Created and destroyed in one block, and in one transaction, with and without a balance.
  [create2(2, slotInit), store(slots(2), 4, 4), { to: slots(2) }],
  [
    { data: `0x${brieflyInit}`, value: 9n },
    { data: `0x${brieflyInit}` },
    { data: `0x${revertingInit}` },
    { to: create2Address(3, brieflyInit), value: 3n },
  ],
  // That balance is taken by a contract that is gone at once.
  [create2(3, brieflyInit)],
  [
    { from: accounts[1], to: other('c'), value: 1n },
    { to: accounts[1], value: 1n },
  ],
];

/** Blocks in which an account takes and gives back code, for forks since Prague. */
export const delegations: Transaction[][] = [
  [delegate(slots(1), 1)],
  // Its storage is its own.
  [store(accounts[1], 6, 6)],
  [delegate(other('0'), 2)],
  [delegate(slots(1), 3), delegate(other('0'), 4)],
  [delegate(slots(1), 5)],
  [delegate(other('0'), 6), { from: accounts[1], to: other('c'), value: 1n }],
];

/** Everything that a chain has touched: addresses, with their slots. */
export type Touched = Map<Hex, Set<Hex>>;

export function touch(touched: Touched, address: string, ...keys: string[]): void {
  const known = touched.get(address as Hex) ?? new Set();
  for (const key of keys) known.add(key as Hex);
  touched.set(address as Hex, known);
}

/** Collects what the traces of a block name, and the ring buffers' slots that it may have written. */
export async function touchBlock(node: Anvil, touched: Touched, block: number): Promise<void> {
  const number = `0x${block.toString(16)}`;
  const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
  for (const { result } of await node.call('debug_traceBlockByNumber', number, tracer)) {
    for (const side of [result.pre, result.post]) {
      for (const [address, { storage = {} }] of Object.entries<{ storage?: object }>(side)) {
        touch(touched, address, ...Object.keys(storage));
      }
    }
  }
  const { timestamp } = await node.call('eth_getBlockByNumber', number, false);
  const index = Number(timestamp) % 8191;
  touch(touched, beaconRoots, `0x${word(index)}`, `0x${word(index + 8191)}`);
  touch(touched, blockHashes, `0x${word((block - 1) % 8191)}`);
}

/** What the life above touches by plan, whether or not a trace tells it. */
export function touchLife(touched: Touched): void {
  const keys = Array.from({ length: 12 }, (_, i) => `0x${word(i)}`);
  for (const address of [slots(1), slots(2), create2Address(3, brieflyInit), accounts[1]]) {
    touch(touched, address, ...keys);
  }
  for (const digit of 'abc') touch(touched, other(digit));
  for (const address of [...accounts, factory, feeRecipient, precompile]) touch(touched, address);
}

/** The accounts that the node has at block 0, as a genesis; there is no trace of them. */
export async function genesisOf(node: Anvil, addresses: readonly string[]) {
  const at = (address: string) => [address, '0x0'];
  const [nonces, balances, codes] = await Promise.all([
    node.callEach('eth_getTransactionCount', addresses.map(at)),
    node.callEach('eth_getBalance', addresses.map(at)),
    node.callEach('eth_getCode', addresses.map(at)),
  ]);
  const changes = addresses.flatMap((address, i): AccountChange[] => {
    const [nonce, balance, code] = [BigInt(nonces[i]), BigInt(balances[i]), codes[i] as Hex];
    if (nonce === 0n && balance === 0n && code === '0x') return [];
    const account = code === '0x' ? { nonce, balance } : { nonce, balance, code };
    return [{ address: address as Hex, account }];
  });
  const { hash } = await node.call('eth_getBlockByNumber', '0x0', false);
  return { number: 0, hash: hash as Hex, changes };
}

export const genesisAddresses: string[] = [...accounts, factory, beaconRoots, blockHashes];

/** Holds every account and slot that was touched, as proven by the tree at a block, against the node's. */
export async function expectEqual(
  node: Anvil,
  tree: StateTree,
  touched: Touched,
  block: number,
): Promise<number> {
  const number = `0x${block.toString(16)}`;
  const addresses = [...touched.keys()];
  const ask = (method: string) =>
    node.callEach(
      method,
      addresses.map((address) => [address, number]),
    );
  const [nonces, balances, codes] = await Promise.all([
    ask('eth_getTransactionCount'),
    ask('eth_getBalance'),
    ask('eth_getCode'),
  ]);
  const stateRoot = await tree.stateRoot(block);
  let compared = 0;
  for (const [i, address] of addresses.entries()) {
    const storageKeys = [...(touched.get(address) as Set<Hex>)];
    const result = await tree.getProof(address, storageKeys, block);
    const { account, storage } = verifyProof(result, { stateRoot, address, storageKeys });
    const code = fromHex(codes[i]);
    const isThere = BigInt(nonces[i]) > 0n || BigInt(balances[i]) > 0n || code.length > 0;
    const known = account && {
      nonce: account.nonce,
      balance: account.balance,
      codeSize: account.codeSize,
      keccakCodeHash: account.keccakCodeHash,
    };
    const expected = {
      nonce: BigInt(nonces[i]),
      balance: BigInt(balances[i]),
      codeSize: BigInt(code.length),
      keccakCodeHash: toHex(keccak_256(code)),
    };
    expect(known, `${address} at block ${block}`).toEqual(isThere ? expected : null);
    const values = await node.callEach(
      'eth_getStorageAt',
      storageKeys.map((key) => [address, key, number]),
    );
    expect(
      storage.map(({ key, value }) => [key, value]),
      `storage of ${address} at block ${block}`,
    ).toEqual(storageKeys.map((key, at) => [key, values[at]]));
    compared += 1 + storageKeys.length;
  }
  return compared;
}
