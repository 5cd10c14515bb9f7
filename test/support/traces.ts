import type { HashFamily, Hex } from '../../src/index.js';
import { verifyTransition } from '../../src/trace/index.js';
import { loadFile } from '../vectors/run.js';
import { transitionOf } from '../vectors/traces.js';
import type { Wire } from './runs.js';

/** One block of the saved run, and the roots around it. */
export interface Block {
  family: HashFamily;
  traces: Wire[];
  parentRoot: Hex;
  endRoot: Hex;
}

/** The saved run of a family: all kinds of traces, over five blocks. */
export function savedRun(family: HashFamily): {
  traces: Wire[][];
  claim: { parentRoot: Hex; endRoot?: Hex; hash: HashFamily };
} {
  const file = loadFile('vectors', `traces-${family}-synthetic.json`);
  const claim = { ...transitionOf(file), hash: family };
  return { traces: file.json.traces as Wire, claim };
}

/** The blocks of the saved run, each with its own claim: an edit of one is then seen in that block. */
export function savedBlocks(family: HashFamily): Block[] {
  const { traces, claim } = savedRun(family);
  const { blockRoots } = verifyTransition(traces, claim);
  return traces.map((block, i) => ({
    family,
    traces: block,
    parentRoot: i === 0 ? claim.parentRoot : (blockRoots[i - 1] as Hex),
    endRoot: blockRoots[i] as Hex,
  }));
}

/** A place in JSON: the object that holds it, and its name there. */
export interface Place {
  holder: Wire;
  name: string;
  path: string;
}

/** Every text and number in JSON. */
export function leavesOf(value: Wire, path: string): Place[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
    return typeof member === 'object' && member !== null
      ? leavesOf(member, at)
      : [{ holder: value, name, path: at }];
  });
}

/** The error that refuses an action; throws if the action succeeds. */
export function refusalOf(action: () => unknown): Wire {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('accepted');
}
