/** One tree of a compact proof: what it shows of each key, and the laws in the order of `verifyTree`. */
import { compareBytes, type Hex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import { type CompactLeaf, type CompactTree, neighbourPlace } from '../compact/format.js';
import { firstNotBelow, type OpenLeaf } from '../compact/gaps.js';
import { blockWidth } from '../hash/family.js';
import { explainPaths } from './compactPath.js';
import { type Asked, emptyKey, shownValue } from './keys.js';
import { type Compared, comparedLaw, endLaws, gapLaws, plainLaw } from './laws.js';
import type { KeyExplanation, PathExplanation, Place } from './types.js';

/** A key's own leaf, or the two that are nearest to it. */
interface Found {
  readonly own: OpenLeaf | undefined;
  readonly left: OpenLeaf | undefined;
  readonly right: OpenLeaf | undefined;
}

/** What is about a whole tree: of one key, or of several. */
const placeOf = (keys: readonly Asked[]): Place => ({
  proof: keys.length === 1 ? (keys[0] as Asked).proof : null,
  path: null,
  level: null,
  field: null,
});

/** A law about all leaves of a tree. @param broken the leaf that breaks it */
const leafLaw = (
  id: 'LEAF_PLACE' | 'LEAF_NEEDED',
  { at }: CompactTree,
  keys: readonly Asked[],
  broken: CompactLeaf | undefined,
): Compared => {
  const where = broken ? broken.locate('place') : `${at}.leaves`;
  return plainLaw(id, { at: where, place: { ...placeOf(keys), field: where }, holds: !broken });
};

/** The first leaf that is for no key, or for one that has a leaf. */
function findMisplaced({ leaves }: CompactTree, keyCount: number): CompactLeaf | undefined {
  const seen = new Set<number>();
  return leaves.find(({ place }) => {
    if (place === neighbourPlace) return false;
    const isWrong = place > keyCount || seen.has(place);
    seen.add(place);
    return isWrong;
  });
}

/** What a leaf says: that of a key follows from key and value. */
function openLeaf(spec: TreeSpec, keys: readonly Asked[], leaf: CompactLeaf): OpenLeaf {
  const { place, content } = leaf;
  const links = { prev: BigInt(leaf.prev), next: BigInt(leaf.next) };
  if (place === neighbourPlace) {
    const [hKey, hValue] = [content.subarray(0, blockWidth), content.subarray(blockWidth)];
    return { leaf, opening: { ...links, hKey, hValue } };
  }
  const { hKey, tree } = keys[place - 1] as Asked;
  const blocks = tree === 'account' ? spec.accountBlocks(content) : spec.wordBlocks(content);
  return { leaf, opening: { ...links, hKey, hValue: spec.hasher.hash(blocks) } };
}

/** The leaves of each key. */
function findLeaves(leaves: readonly OpenLeaf[], keys: readonly Asked[]): Found[] {
  const owns = new Map(leaves.map((open) => [open.leaf.place, open]));
  const sorted = [...leaves].sort((a, b) => compareBytes(a.opening.hKey, b.opening.hKey));
  return keys.map(({ hKey }, i): Found => {
    const own = owns.get(i + 1);
    if (own) return { own, left: undefined, right: undefined };
    const position = firstNotBelow(sorted, hKey);
    // Beyond its ends the prototype would answer.
    const left = position > 0 ? sorted[position - 1] : undefined;
    const right = position < sorted.length ? sorted[position] : undefined;
    return { own: undefined, left, right };
  });
}

/** That an absent key lies between two leaves of the proof; one that is missing breaks the law. */
function absentLaws({ at }: CompactTree, key: KeyExplanation, proof: number): Compared[] {
  const locate = (path: PathExplanation | null, member: string) =>
    path ? `${path.at}.${member}` : `${at}.leaves`;
  const laws = gapLaws(key, proof, locate);
  if (key.left && key.right) return laws;
  const missing = key.left ? 'RIGHT_ABOVE' : 'LEFT_BELOW';
  return laws.map((law) => (law.id === missing ? { ...law, holds: false } : law));
}

/** Explains a tree. @param keys distinct ones, at least one @param root that its leaves must lead to */
export function explainTree(
  spec: TreeSpec,
  tree: CompactTree,
  keys: readonly Asked[],
  root: Hex,
): { shown: KeyExplanation[]; laws: Compared[] } {
  const { at } = tree;
  const misplaced = findMisplaced(tree, keys.length);
  const placeLaw = leafLaw('LEAF_PLACE', tree, keys, misplaced);
  if (misplaced) {
    const shown = keys.map((asked) => ({ ...emptyKey(asked, 'nothing'), at, root }));
    return { shown, laws: [placeLaw] };
  }
  const leaves = tree.leaves.map((leaf) => openLeaf(spec, keys, leaf));
  const found = findLeaves(leaves, keys);
  const needed = new Set<OpenLeaf>();
  for (const { own, left, right } of found) {
    for (const open of [own, left, right]) if (open) needed.add(open);
  }
  const paths = explainPaths(spec, tree, leaves, needed);
  const pathOf = (open: OpenLeaf | undefined) => (open && paths.get(open)) ?? null;
  const shown = keys.map((asked, i): KeyExplanation => {
    const { own, left, right } = found[i] as Found;
    return {
      ...emptyKey(asked, own ? 'present' : 'absent'),
      at,
      root,
      ...shownValue(spec, asked.tree, own?.leaf.content),
      own: pathOf(own),
      left: pathOf(left),
      right: pathOf(right),
    };
  });
  const proofOf = (i: number) => (keys[i] as Asked).proof;
  const ends = leaves.flatMap(({ leaf }) => {
    if (leaf.place === neighbourPlace) return [];
    const { hKey } = shown[leaf.place - 1] as KeyExplanation;
    const where = { proof: proofOf(leaf.place - 1), path: 'own' } as const;
    return endLaws(spec, hKey, leaf.locate('hKey'), where);
  });
  const gaps = shown.flatMap((key, i) => (key.own ? [] : absentLaws(tree, key, proofOf(i))));
  const isNeeded = (open: OpenLeaf) => open.leaf.place !== neighbourPlace || needed.has(open);
  const unneeded = leaves.find((open) => !isNeeded(open))?.leaf;
  const [first] = paths.values();
  return {
    shown,
    laws: [
      placeLaw,
      ...ends,
      ...gaps,
      leafLaw('LEAF_NEEDED', tree, keys, unneeded),
      comparedLaw('TREE_ROOT', {
        at,
        place: { ...placeOf(keys), field: 'root' },
        left: first?.top?.root ?? null,
        right: root,
      }),
    ],
  };
}
