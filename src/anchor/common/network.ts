/** Networks as data: where a rollup's contract lies on L1, and what its chain is like. */
import { encodeHex, type Hex, integerToBytes } from '../../bytes.js';
import { checkHex, ownMembers, refuseEmpty } from '../../codec/argument.js';
import { defaultFamily, hashFamilies, quoteFamilies } from '../../codec/spec.js';
import { toWord } from '../../foreign/values.js';
import { type Fork, forks as forkNames } from '../../forks.js';
import type { HashFamily } from '../../hash/index.js';
import { checkObject, checkWhole } from './argument.js';

/** Where the contract keeps what is proven; each a storage slot of 32 bytes. */
export interface RollupSlots {
  /** The last finalized L2 block. */
  readonly currentL2BlockNumber: Hex;
  /** The mapping from L2 blocks to state roots. */
  readonly stateRootHashes: Hex;
  /** The hash over message and forced transaction counters and the timestamp of the last finalized L2 block. */
  readonly currentFinalizedState: Hex;
  /** The address of the code behind the proxy (EIP-1967). */
  readonly implementation: Hex;
  /** The bitmap of messages that were claimed, by their numbers: the mapping from a number's 256th part to a word. */
  readonly messageClaimedBitMap: Hex;
  /** The mapping from roots of message trees to the depths of these. */
  readonly l2MerkleRootsDepths: Hex;
  /**
   * The mapping from L2 blocks to their hashes, of contracts from version 9 on. Undefined: the contract is not known to have
   * it, and no anchor is of kind `header`.
   */
  readonly blockHashes?: Hex;
}

/** A rollup network. Made by {@link defineNetwork}; frozen. */
export interface Network {
  /** For messages. */
  readonly name: string;
  /** Chain id of L1. */
  readonly l1ChainId: number;
  /** Chain id of the rollup. */
  readonly l2ChainId: number;
  /** The rollup contract (its proxy) on L1, 20 bytes. */
  readonly rollup: Hex;
  /** The contract on L2 that sends messages to L1, 20 bytes; undefined if it is not known. */
  readonly messageService?: Hex;
  /** Where the contract keeps what is proven. */
  readonly slots: RollupSlots;
  /** Name of the proof method on the servers of this network. */
  readonly method: string;
  /** From which block time on, in seconds, which fork holds on L2. A fork that is not named never came by itself. */
  readonly forks: Readonly<Partial<Record<Fork, number>>>;
  /** How its state is hashed. */
  readonly hash: HashFamily;
  /** The only code that the contract may run, addresses of 20 bytes; any if undefined. */
  readonly implementations?: readonly Hex[];
}

/** Options of {@link defineNetwork}. */
export interface NetworkOptions {
  /** For messages; default `custom`. */
  readonly name?: string;
  /** Chain id of L1. */
  readonly l1ChainId: number;
  /** Chain id of the rollup. */
  readonly l2ChainId: number;
  /** The rollup contract (its proxy) on L1, 20 bytes. */
  readonly rollup: Hex;
  /** The contract on L2 that sends messages to L1, 20 bytes. Default none: then no message is found. */
  readonly messageService?: Hex;
  /** Default: the public network's, which has no `blockHashes` yet. */
  readonly slots?: Partial<Record<keyof RollupSlots, Hex | number>>;
  /** Default `l2_getProof`. */
  readonly method?: string;
  /** Default none. */
  readonly forks?: Network['forks'];
  /** Default `poseidon2`. */
  readonly hash?: HashFamily;
  /** Default any. An upgrade of the contract then needs a new pin, or no root is trusted any more. */
  readonly implementations?: readonly Hex[];
}

/** The same in every version of the contract from July 2024 to June 2026, and in version 9. */
const publicSlots: Record<keyof RollupSlots, Hex | number | undefined> = {
  currentL2BlockNumber: 281,
  stateRootHashes: 282,
  currentFinalizedState: 447,
  // keccak256('eip1967.proxy.implementation') - 1
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  messageClaimedBitMap: 335,
  l2MerkleRootsDepths: 336,
  // 456 by the sources of version 9, which no compiled layout of deployed code has confirmed.
  blockHashes: undefined,
};

const optionNames = [
  'name',
  'l1ChainId',
  'l2ChainId',
  'rollup',
  'messageService',
  'slots',
  'method',
  'forks',
  'hash',
  'implementations',
] as const;

/**
 * Describes a network of your own, or one of {@link networks} with changes: `defineNetwork({ ...networks.mainnet,
 * implementations })`. Plain JSON will do, so a network can come from a file that the caller trusts.
 *
 * @returns the network, frozen
 * @throws TypeError or RangeError that names the member that is wrong or unknown
 *
 * @example
 * ```ts
 * import { defineNetwork } from 'l2proof/anchor';
 *
 * const network = defineNetwork({
 *   l1ChainId: 1337,
 *   l2ChainId: 31337,
 *   rollup: '0x1000000000000000000000000000000000000001', // the contract on L1
 * });
 * console.log(network.method, network.hash); // l2_getProof poseidon2
 * ```
 */
export function defineNetwork(options: NetworkOptions): Network {
  checkObject(options, 'network');
  const given = ownMembers(options, optionNames, 'network');
  const { name = 'custom', method = 'l2_getProof', hash = defaultFamily } = given;
  const { slots = {}, forks = {}, implementations, messageService: service } = given;
  if (Object.prototype.propertyIsEnumerable.call(options, 'implementations')) {
    refuseEmpty(given, ['implementations']);
  }
  checkText(name, 'name');
  checkText(method, 'method');
  if (!hashFamilies.includes(hash)) {
    throw new TypeError(`"hash" expected ${quoteFamilies(hashFamilies)}`);
  }
  const pins = implementations === undefined ? undefined : checkPins(implementations);
  const network = {
    name,
    l1ChainId: checkWhole(given.l1ChainId, 'l1ChainId'),
    l2ChainId: checkWhole(given.l2ChainId, 'l2ChainId'),
    rollup: checkAddress(given.rollup, 'rollup'),
    slots: checkSlots(slots),
    method,
    forks: checkForks(forks),
    hash,
  };
  const messageService =
    service === undefined ? undefined : checkAddress(service, 'messageService');
  for (const [member, value] of Object.entries({ messageService, implementations: pins })) {
    // There even if undefined: a missing member would be looked up in the prototype. Then it is no member that a caller
    // who spreads this network would hand on as a pin without a value.
    Object.defineProperty(network, member, { value, enumerable: value !== undefined });
  }
  return Object.freeze(network);
}

/** The public network: Ethereum's mainnet and its rollup, and Sepolia and its. */
export const networks: {
  /** The rollup with chain id 59144, on Ethereum's mainnet. */
  readonly mainnet: Network;
  /** The rollup with chain id 59141, on Sepolia. */
  readonly sepolia: Network;
} = Object.freeze({
  mainnet: defineNetwork({
    name: 'mainnet',
    l1ChainId: 1,
    l2ChainId: 59144,
    rollup: '0xd19d4b5d358258f05d7b411e21a1460d11b0876f',
    messageService: '0x508ca82df566dcd1b0de8296e70a96332cd644ec',
    method: 'linea_getProof',
    forks: {
      london: 0,
      shanghai: 1761213600,
      cancun: 1761645600,
      prague: 1761646200,
      osaka: 1764798551,
    },
  }),
  sepolia: defineNetwork({
    name: 'sepolia',
    l1ChainId: 11155111,
    l2ChainId: 59141,
    rollup: '0xb218f8a4bc926cf1ca7b3423c154a0d627bdb7e5',
    messageService: '0x971e727e956690b9957be6d51ec16e73acac83a7',
    method: 'linea_getProof',
    forks: {
      london: 0,
      shanghai: 1759147200,
      cancun: 1759233600,
      prague: 1760004000,
      osaka: 1764583200,
    },
  }),
});

function checkText(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '') throw new TypeError(`"${name}" expected text`);
}

function checkAddress(value: unknown, name: string): Hex {
  return encodeHex(checkHex(value, 20, name));
}

function checkSlots(given: Partial<Record<keyof RollupSlots, Hex | number>>): RollupSlots {
  checkObject(given, 'slots');
  const names = Object.keys(publicSlots) as (keyof RollupSlots)[];
  const own = ownMembers(given, names, 'slots');
  const slots = names.map((name) => {
    const { [name]: slot = publicSlots[name] } = own;
    // Named even if unknown: a missing member would be looked up in the prototype.
    return [name, slot === undefined ? undefined : checkSlot(slot, name)];
  });
  return Object.freeze(Object.fromEntries(slots)) as RollupSlots;
}

function checkSlot(value: Hex | number, name: string): Hex {
  const at = `slots.${name}`;
  const word =
    typeof value === 'number' ? integerToBytes(BigInt(checkWhole(value, at)), 32) : toWord(value);
  if (word === undefined) throw new RangeError(`"${at}" expected a number, or up to 64 hex digits`);
  return encodeHex(word);
}

function checkForks(given: Network['forks']): Network['forks'] {
  checkObject(given, 'forks');
  const own = ownMembers(given, forkNames, 'forks');
  let last = 0;
  for (const name of forkNames) {
    const { [name]: time } = own;
    if (time === undefined) continue;
    if (checkWhole(time, `forks.${name}`) < last) {
      throw new RangeError(`"forks.${name}" expected a time after the fork before`);
    }
    last = time;
  }
  return Object.freeze({ ...own });
}

function checkPins(given: readonly Hex[]): readonly Hex[] {
  // An empty list would refuse every root, which cannot be meant.
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError('"implementations" expected one address or more');
  }
  return Object.freeze(given.map((pin, i) => checkAddress(pin, `implementations[${i}]`)));
}
