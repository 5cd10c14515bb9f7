/** Kind `traces`: state transitions, valid and forged. */
import { encodeHex } from '../../src/bytes.js';
import { hashTopNode } from '../../src/codec/node.js';
import { specOf, type TreeSpec } from '../../src/codec/spec.js';
import type { Hex } from '../../src/index.js';
import { verifyTransition } from '../../src/trace/index.js';
import { accountTreeKind } from '../../src/trace/kinds.js';
import { parseTraces } from '../../src/trace/parse.js';
import { checkTransition } from '../../src/trace/transition.js';
import { type Trace, type TreeKind, worldLocation } from '../../src/trace/types.js';
import { fromHex } from '../support/hex.js';
import { codeOfRefusal, traceRefusalByPage } from '../support/refusals.js';
import type { Case, VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type JsonObject } from './members.js';

/** What a `traces` file is to be verified with. */
export interface TransitionOf {
  parentRoot: Hex;
  endRoot?: Hex;
}

export function transitionOf({ json }: VectorFile): TransitionOf {
  const expect = json.expect as JsonObject;
  return {
    parentRoot: (json.zkParentStateRootHash ?? expect.parentRoot) as Hex,
    ...(json.zkEndStateRootHash !== null && { endRoot: json.zkEndStateRootHash as Hex }),
  };
}

/** A tree of 32-byte words, each hashed as one block, as upstream's own tests of the tree have it. */
const rawTree: TreeKind = {
  keyWidth: 32,
  valueWidth: 32,
  keyBlocks: (key) => key,
  valueBlocks: (value) => value,
  checkValue() {},
  storageRootOf: undefined,
};

function worldOf(spec: TreeSpec, keyKind: unknown): TreeKind {
  if (keyKind === 'account') return accountTreeKind(spec);
  if (keyKind === 'raw') return rawTree;
  throw new Error(`worldKeyKind "${keyKind}" is not known to this runner`);
}

/** Traces of each type; a type that does not occur has no member. */
function countsOf(blocks: readonly (readonly Trace[])[]): JsonObject {
  const counts: JsonObject = {};
  for (const { statement } of blocks.flat()) {
    const name = statement.kind.toLowerCase();
    counts[name] = ((counts[name] as number | undefined) ?? 0) + 1;
  }
  return counts;
}

const sorted = (counts: JsonObject) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));

/** Checks the file's own figures: how many traces, and the root that the first of the accounts begins at. */
function checkFigures(spec: TreeSpec, blocks: Trace[][], expect: JsonObject): void {
  if (expect.counts !== undefined) {
    checkEqual(sorted(countsOf(blocks)), sorted(expect.counts as JsonObject), 'counts');
  }
  const first = blocks.flat().find(({ location }) => location === worldLocation);
  if (first === undefined) throw new Error('no trace of the tree of accounts');
  checkEqual(encodeHex(hashTopNode(spec, first.before)), expect.parentRoot, 'parentRoot');
}

/** A `traces` file is one case: the blocks lead to the expected root, or are refused. */
export function traceCases(file: VectorFile): Case[] {
  const { json, name, engine } = file;
  const always = ['kind', 'source', 'hash', 'worldKeyKind', 'expect', 'traces'];
  const roots = ['zkParentStateRootHash', 'zkEndStateRootHash'];
  const expect = json.expect as JsonObject;
  checkMembers(json, [...always, ...roots], expect.valid ? ['note', 'blockRoots'] : ['note'], name);
  const spec = specOf(file.spec.hasher.family, engine);
  const world = worldOf(spec, json.worldKeyKind);
  const { parentRoot, endRoot } = transitionOf(file);
  const verify = (): { endRoot: Hex; blockRoots: readonly Hex[] } => {
    if (json.worldKeyKind === 'account') {
      const { family: hash } = spec.hasher;
      return verifyTransition(json.traces, {
        parentRoot,
        hash,
        ...(endRoot && { endRoot }),
        ...(engine && { engine }),
      });
    }
    const blockRoots = checkTransition(
      spec,
      parseTraces(spec, world, json.traces),
      fromHex(parentRoot),
    ).map(encodeHex);
    const last = blockRoots.at(-1) ?? parentRoot;
    if (endRoot !== undefined) checkEqual(last, endRoot, 'zkEndStateRootHash');
    return { endRoot: last, blockRoots };
  };
  const run = () => {
    if (expect.valid) {
      checkMembers(expect, ['valid', 'parentRoot', 'endRoot'], ['counts'], `${name} expect`);
      checkEqual(parentRoot, expect.parentRoot, 'parentRoot');
      checkFigures(spec, parseTraces(spec, world, json.traces), expect);
      const state = verify();
      checkEqual(state.endRoot, expect.endRoot, 'endRoot');
      checkEqual(state.blockRoots.length, (json.traces as unknown[]).length, 'blocks');
      if (json.blockRoots !== undefined) {
        checkEqual(state.blockRoots, json.blockRoots, 'blockRoots');
      }
      return;
    }
    checkMembers(expect, ['valid'], ['parentRoot', 'oracleReason', 'code'], `${name} expect`);
    // The second verifier knows no tree of raw words: a file of one that is refused names the code.
    const code =
      json.worldKeyKind === 'account'
        ? traceRefusalByPage(json.traces as unknown[][], {
            family: spec.hasher.family,
            parentRoot,
            ...(endRoot && { endRoot }),
          })
        : (expect.code as string | undefined);
    if (code === undefined) throw new Error('the file, or the page, names no code');
    checkEqual(codeOfRefusal(verify), code, 'code');
  };
  return [{ name: 'traces', run }];
}
