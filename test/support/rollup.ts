/** A rollup contract on a real L1 node: it answers the calls, emits the events, and keeps its slots where the real one does. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../../src/bytes.js';
import { type Anvil, word } from './anvil.js';
import { fromHex, toHex } from './hex.js';

/**
 * Assembles: hex is code; `@name` pushes a label's place, `:name` is the place.
 *
 * Answers mappings at slots 282, 456, 501 and 502. With selector 2, 4 or 5, emits a log of two topics, or of four with two or three
 * words of data: topics and data come in the call data.
 */
const source = [
  // PUSH0 CALLDATALOAD PUSH1 e0 SHR
  '5f3560e01c',
  // DUP1 PUSH4 selector EQ PUSH1 label JUMPI
  ...(
    [
      ['695378f5', 'current'],
      ['8be745d1', 'roots'],
      ['34cdf78d', 'hashes'],
      ['914e57eb', 'rolling'],
      ['add9137a', 'forced'],
      ['00000002', 'log2'],
      ['00000004', 'log4'],
      ['00000005', 'longLog4'],
    ] as const
  ).flatMap(([selector, label]) => [`8063${selector}14`, `@${label}`, '57']),
  '5f5ffd',
  // SLOAD(281)
  ':current',
  '610119545f5260205ff3',
  // PUSH2 slot, then the entry of the first argument
  ':roots',
  '61011a',
  '@entry',
  '56',
  ':hashes',
  '6101c8',
  '@entry',
  '56',
  ':rolling',
  '6101f5',
  '@entry',
  '56',
  ':forced',
  '6101f6',
  '@entry',
  '56',
  // MSTORE(20, slot) MSTORE(0, argument) SLOAD(KECCAK256(0, 40))
  ':entry',
  '6020526004355f5260405f20545f5260205ff3',
  // CALLDATACOPY(0, 44, 60) LOG2(0, 60, CALLDATA[4], CALLDATA[24])
  ':log2',
  '606060445f376024356004356060' + '5fa200',
  // CALLDATACOPY(0, 84, 40) LOG4(0, 40, CALLDATA[4], CALLDATA[24], CALLDATA[44], CALLDATA[64])
  ':log4',
  '604060845f3760643560443560243560043560405fa400',
  // The same with 60 bytes of data.
  ':longLog4',
  '606060845f3760643560443560243560043560605fa400',
];

function assemble(parts: readonly string[]): Hex {
  const places = new Map<string, number>();
  let at = 0;
  for (const part of parts) {
    if (part.startsWith(':')) places.set(part.slice(1), at);
    at += part.startsWith('@') ? 2 : part.startsWith(':') ? 1 : part.length / 2;
  }
  const code = parts.map((part) => {
    if (part.startsWith(':')) return '5b';
    if (!part.startsWith('@')) return part;
    return `60${(places.get(part.slice(1)) as number).toString(16).padStart(2, '0')}`;
  });
  return `0x${code.join('')}`;
}

export const eventfulRollupCode: Hex = assemble(source);

const keccak = (hex: string): string => toHex(keccak_256(fromHex(`0x${hex}`))).slice(2);
const topicOf = (signature: string) => keccak(Buffer.from(signature).toString('hex'));
const dataFinalizedV3 = topicOf('DataFinalizedV3(uint256,uint256,bytes32,bytes32,bytes32)');
const dataFinalizedV4 = topicOf('DataFinalizedV4(uint256,uint256,bytes32,uint256,bytes32,bytes32)');
const stateUpdated = topicOf('FinalizedStateUpdated(uint256,uint256,uint256,uint256)');

/** Slot of a mapping's entry. */
export const entrySlot = (key: number | bigint, slot: number): string =>
  keccak(word(key) + word(slot));

export const implementationSlot =
  '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** What one finalization leaves on L1. */
export interface Finalization {
  readonly start: number;
  readonly end: number;
  /** Zero from version 9 on: the contract then keeps no root. */
  readonly stateRoot: Hex;
  /** Seconds. */
  readonly timestamp: number;
  /** Hash of the last block, from version 9 on; the finalization that migrates to it has a root, too. */
  readonly blockHash?: Hex;
}

const messages = 7;
const forced = 9;
const rollingHash = '1a'.repeat(32);
const forcedHash = '1b'.repeat(32);

export async function setSlots(node: Anvil, address: Hex, slots: Record<string, string>) {
  for (const [slot, value] of Object.entries(slots)) {
    await node.call('anvil_setStorageAt', address, `0x${slot}`, `0x${value}`);
  }
}

/** Puts the contract there. */
export async function deployRollup(node: Anvil, address: Hex, implementation: Hex): Promise<void> {
  await node.call('anvil_setCode', address, eventfulRollupCode);
  await setSlots(node, address, {
    [implementationSlot]: implementation.slice(2).padStart(64, '0'),
    [entrySlot(messages, 501)]: rollingHash,
    [entrySlot(forced, 502)]: forcedHash,
  });
}

/** Finalizes, as the operator does: slots and events in one block. Mines an empty one behind it. */
export async function finalizeOnL1(
  node: Anvil,
  address: Hex,
  { start, end, stateRoot, timestamp, blockHash }: Finalization,
): Promise<void> {
  const root = stateRoot.slice(2);
  const hasRoot = BigInt(stateRoot) !== 0n;
  const state = [word(messages), rollingHash, word(forced), forcedHash, word(timestamp)];
  await setSlots(node, address, {
    [word(281)]: word(end),
    // Anvil keeps a zero that is set so, which no trie of L1 holds.
    ...(hasRoot && { [entrySlot(end, 282)]: root }),
    ...(blockHash && { [entrySlot(end, 456)]: blockHash.slice(2) }),
    [word(447)]: keccak(state.join('')),
  });
  const zero = word(0);
  const v3 = [dataFinalizedV3, word(start), word(end), '5a'.repeat(32), zero, root].join('');
  const hash = blockHash?.slice(2);
  const ends = [word(start), word(end), '5a'.repeat(32)].join('');
  const v4 = `${dataFinalizedV4}${ends}${zero}${zero}${hash}`;
  const updated = [stateUpdated, word(end), word(timestamp), word(messages), word(forced)].join('');
  await node.mine(
    { to: address, data: `0x00000002${updated}` },
    // From version 9 on the event is another.
    ...(hasRoot && !hash ? [{ to: address, data: `0x00000004${v3}` }] : []),
    ...(hash ? [{ to: address, data: `0x00000005${v4}` }] : []),
  );
  // Anvil counts slots that are set later to the block before: the next finalization's must not be this one's.
  await node.mine();
}
