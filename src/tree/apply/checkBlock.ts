/** Checks a block as callers give it. */
import type { Hex } from '../../bytes.js';
import { checkHex, ownMembers } from '../../codec/argument.js';
import type { TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import type { CheckedBlock } from './applyBlock.js';
import { type Block, type BlockNumber, checkBlockNumber, checkChanges } from './changes.js';

const checkWordIfGiven = (word: Hex | undefined, name: string): Uint8Array | undefined =>
  word === undefined ? undefined : checkHex(word, blockWidth, name);

const blockNames = ['number', 'changes', 'hash', 'headerRoot', 'finalBlock'] as const;

/** A line of a state file, or a block of a recorded chain, is applied as it is: these members are for its reader. */
const readersNames = ['stateRoot', 'final', 'note', 'cleared'] as const;

/** Checks a block and copies it. @throws TypeError or RangeError */
export function checkBlock<N extends BlockNumber>(
  spec: TreeSpec,
  given: Block & { number: N },
): { number: N; block: CheckedBlock } {
  const all: Block & { number: N } & { [name in (typeof readersNames)[number]]?: unknown } = given;
  const names = [...blockNames, ...readersNames] as const;
  const { number, changes, hash, headerRoot, finalBlock } = ownMembers(all, names, 'block');
  const block = {
    number: checkBlockNumber(number, 'number'),
    hash: checkWordIfGiven(hash, 'hash'),
    headerRoot: checkWordIfGiven(headerRoot, 'headerRoot'),
    finalBlock: finalBlock === undefined ? undefined : checkBlockNumber(finalBlock, 'finalBlock'),
    changes: checkChanges(spec, changes),
  };
  return { number, block };
}
