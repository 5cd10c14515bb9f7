/** Blocks with logs of a contract or a topic. */
import type { Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import {
  blockBytes,
  blockNumberWidth,
  checkWidth,
  contractWidth,
  numberIn,
  placeWidth,
} from '../layout/layout.js';
import { bodyIn, stateWidth } from '../layout/record.js';
import { atMoment } from '../sealed/moment.js';
import {
  type NumberedKind,
  numberedContracts,
  numberedTopics,
  numbersOf,
} from '../sealed/numbers.js';
import { type ListPart, readList } from './list.js';

/** A block with logs that were asked for. */
export interface LogBlock {
  readonly block: number;
  /** How many of its logs they are, from 1. */
  readonly logs: number;
}

export interface LogBlockLists {
  /** Blocks with logs of a contract. */
  emitted(contract: Hex, part: ListPart<number>): Promise<LogBlock[]>;
  /** Blocks with logs whose first topic is this one. */
  topic(topic: Hex, part: ListPart<number>): Promise<LogBlock[]>;
}

function decodeLogBlock({ key, value }: Entry): LogBlock {
  const at = 1 + contractWidth;
  return {
    block: numberIn(checkWidth(key, at + blockNumberWidth, 'a block with logs').subarray(at)),
    logs: numberIn(bodyIn(checkWidth(value, stateWidth + placeWidth, 'a number of logs'))),
  };
}

export function createLogBlockLists(store: Store): LogBlockLists {
  const read = (
    kind: 'emitted' | 'topic',
    numbered: NumberedKind,
    { name, part }: { name: Hex; part: ListPart<number> },
  ): Promise<LogBlock[]> =>
    atMoment(store, async (moment) => {
      const [number] = await numbersOf(moment, numbered, [name]);
      if (number === undefined) return [];
      const list = {
        kind,
        prefix: [number],
        blockBytes,
        isNewestFirst: false,
        keyBytes: (block: number) => [blockBytes(block)],
      };
      return readList(moment, list, part, decodeLogBlock);
    });

  return {
    emitted: (name, part) => read('emitted', numberedContracts, { name, part }),
    topic: (name, part) => read('topic', numberedTopics, { name, part }),
  };
}
