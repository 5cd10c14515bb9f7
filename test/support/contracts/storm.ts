/** Contracts that emit more than anybody wants in one transaction: what a hostile one may do to an index and its readers. */
import type { Hex } from '../../../src/bytes.js';
import { topics } from '../../../src/indexer/logs/events.js';
import type { Anvil, Transaction } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { deployAnywhere } from './contract.js';

/** Runs a body so many times as the first word of call data says. The body has the number from 1 on on the stack, and leaves it. */
const repeated = (body: string) => `
  PUSH0 CALLDATALOAD
  next: ${body}
  0x01 SWAP1 SUB DUP1 @next JUMPI STOP`;

const storms = {
  /** A log with nothing in it each time. */
  empty: repeated('PUSH0 PUSH0 LOG0'),
  /** A log with its own topic each time. */
  topics: repeated('DUP1 PUSH0 PUSH0 LOG1'),
  /** `Approval(owner, spender)` of a wallet, in the second word, to another spender each time. */
  approvals: repeated(
    `DUP1 PUSH0 MSTORE DUP1 0x20 CALLDATALOAD ${topics.approval} 0x20 PUSH0 LOG3`,
  ),
  /** A transfer of one to another wallet each time. */
  transfers: repeated(`0x01 PUSH0 MSTORE DUP1 PUSH0 ${topics.transfer} 0x20 PUSH0 LOG3`),
  /** One log whose data are so many bytes as the word says. */
  data: 'PUSH0 CALLDATALOAD PUSH0 LOG0 STOP',
  /** Four topics, each of which is the second word, and no data. */
  four: repeated('0x20 CALLDATALOAD DUP1 DUP1 DUP1 PUSH0 PUSH0 LOG4'),
  /**
   * `TransferBatch` to the wallet in the second word: so many ids, which count down from the third word, each in an amount of
   * 2^256 - 1.
   */
  batch: `
    0x40 PUSH0 MSTORE
    PUSH0 CALLDATALOAD DUP1 0x40 MSTORE
    DUP1 0x20 MUL 0x60 ADD DUP1 0x20 MSTORE
    DUP2 SWAP1 MSTORE
    next:
    DUP1 0x40 CALLDATALOAD SUB DUP2 0x20 MUL 0x40 ADD MSTORE
    PUSH0 NOT DUP2 PUSH0 CALLDATALOAD ADD 0x20 MUL 0x60 ADD MSTORE
    0x01 SWAP1 SUB DUP1 @next JUMPI
    0x20 CALLDATALOAD PUSH0 CALLER ${topics.transferBatch}
    PUSH0 CALLDATALOAD 0x40 MUL 0x80 ADD PUSH0 LOG4 STOP`,
} as const;

export type StormKind = keyof typeof storms;
export const stormKinds = Object.keys(storms) as readonly StormKind[];

export interface Storm {
  readonly address: Hex;
  /** @returns a transaction with all the gas that it may take */
  of(...words: readonly (bigint | Hex)[]): Transaction;
}

const wordOf = (value: bigint | Hex): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');

export async function deployStorm(node: Anvil, kind: StormKind): Promise<Storm> {
  const artifact = { abi: [], bytecode: initOf(assemble(storms[kind])) };
  const { address } = await deployAnywhere(node, artifact);
  return {
    address,
    of: (...words) => ({
      to: address,
      gas: '0x20000000',
      data: `0x${words.map(wordOf).join('')}`,
    }),
  };
}
