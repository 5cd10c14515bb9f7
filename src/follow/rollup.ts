/** The rollup contract on L1, which holds the state root of the last block of each finalization. */
import type { Hex } from '../bytes.js';
import type { Asker } from './ask.js';
import { FormatError, readHex, readQuantity, zeroWord } from './read.js';

export interface Rollup {
  /** The last L2 block that is finalized: `currentL2BlockNumber()`. */
  finalized(): Promise<number>;
  /** `stateRootHashes(uint256)`; undefined where the block ended no finalization. */
  stateRoot(block: number): Promise<Hex | undefined>;
}

/** First four bytes of the keccak-256 of each signature. */
const selectors = {
  currentL2BlockNumber: '695378f5',
  stateRootHashes: '8be745d1',
} as const;

/** Which state of L1 is read. */
export type L1Tag = 'finalized' | 'safe' | 'latest';

export function createRollup({ ask }: Asker, rollup: Hex, tag: L1Tag): Rollup {
  const call = <T>(data: string, read: (word: Hex) => T): Promise<T> =>
    ask('eth_call', [{ to: rollup, data: `0x${data}` }, tag], (answer) => {
      // What an address without code answers; a wrong address is the likeliest mistake.
      if (answer === '0x') throw new FormatError('result', 'a word, but no contract is there');
      return read(readHex(answer, 32, 'result'));
    });
  return {
    finalized: () =>
      call(selectors.currentL2BlockNumber, (word) => Number(readQuantity(word, 48, 'result'))),
    stateRoot: (block) =>
      call(`${selectors.stateRootHashes}${block.toString(16).padStart(64, '0')}`, (word) =>
        word === zeroWord ? undefined : word,
      ),
  };
}
