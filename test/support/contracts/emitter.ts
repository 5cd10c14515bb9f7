/** A contract that emits any log: what a hostile one may say. */
import type { Hex } from '../../../src/bytes.js';
import type { Anvil, Transaction } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { deployAnywhere } from './contract.js';

const topicAt = (index: number) => `0x${(32 * index).toString(16).padStart(2, '0')} CALLDATALOAD`;

/** The size of the data lies on the stack; topics go below it, the last one first. */
const emit = (topics: number) => `
log${topics}:
  POP ${Array.from({ length: topics }, (_, i) => `${topicAt(topics - i)} SWAP1`).join(' ')}
  PUSH0 LOG${topics} STOP`;

/** Call data: the number of topics, four words of topics, then the data. */
const code = assemble(`
  0xa0 CALLDATASIZE SUB
  DUP1 0xa0 PUSH0 CALLDATACOPY
  PUSH0 CALLDATALOAD
  DUP1 0x01 EQ @log1 JUMPI
  DUP1 0x02 EQ @log2 JUMPI
  DUP1 0x03 EQ @log3 JUMPI
  DUP1 0x04 EQ @log4 JUMPI
  ${[0, 1, 2, 3, 4].map(emit).join('')}
`);

export interface Emitter {
  readonly address: Hex;
  /** @returns a transaction that emits one log */
  emit(topics: readonly Hex[], data: Hex): Transaction;
}

const emitterAt = (address: Hex): Emitter => ({
  address,
  emit(topics, data) {
    const words = Array.from({ length: 4 }, (_, i) =>
      (topics[i] ?? '0x').slice(2).padStart(64, '0'),
    );
    const count = topics.length.toString(16).padStart(64, '0');
    return { to: address, data: `0x${count}${words.join('')}${data.slice(2)}` };
  },
});

/** @param salt one contract for each */
export async function deployEmitter(node: Anvil, salt = 0): Promise<Emitter> {
  const artifact = { abi: [], bytecode: initOf(code) };
  const { address } = await deployAnywhere(node, artifact, {
    salt: `0x${salt.toString(16).padStart(64, '0')}`,
  });
  return emitterAt(address);
}

/** The same at an address whose logs count for more than those of others. */
export async function placeEmitter(node: Anvil, address: Hex): Promise<Emitter> {
  await node.call('anvil_setCode', address, code);
  return emitterAt(address);
}
