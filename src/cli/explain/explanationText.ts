/** An explanation for people: each proof with its paths, and the laws in their order. */
import type {
  Explanation,
  KeyExplanation,
  Law,
  Level,
  PathExplanation,
} from '../../explain/index.js';
import { columns } from '../print/print.js';
import { countText } from '../print/result.js';
import { fitLine } from './lines.js';

const unread = 'not read';
const uncomputed = 'cannot be computed';

/** A leaf by its index; the ends of the list are in every tree. */
function leafName(index: string | null): string {
  if (index === null) return 'a leaf that was not read';
  const end = ['head', 'tail'][Number(index)];
  return `leaf ${index}${end === undefined ? '' : ` (the ${end} of the list)`}`;
}

const levelText = ({ level, node, sibling, siblingSide }: Level): string =>
  `level ${String(level).padEnd(2)}  ${node ?? uncomputed}  sibling ${(siblingSide ?? '').padEnd(5)}  ${sibling ?? unread}`;

/** Fewest levels beside empty siblings that are folded. */
const leastFolded = 2;

/** The levels of a path, from the leaf up: those beside empty siblings are folded, for nothing happens there. */
function levelLines(levels: readonly Level[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < levels.length; i++) {
    let end = i;
    while (levels[end]?.siblingIsEmpty) end++;
    if (end - i >= leastFolded) {
      lines.push(`levels ${i} to ${end - 1}: sibling empty, path climbs alone`);
      i = end - 1;
    } else lines.push(levelText(levels[i] as Level));
  }
  return lines;
}

/** A path, under its title. */
function pathLines(title: string, path: PathExplanation): string[] {
  const { leaf, levels, subTreeRoot, top, leafIndex } = path;
  const facts: [string, string][] = [
    ['leaf hKey', leaf?.hKey ?? unread],
    ['leaf hValue', leaf?.hValue ?? unread],
    ['leaf before', leaf ? leafName(leaf.prev) : unread],
    ['next leaf', leaf ? leafName(leaf.next) : unread],
  ];
  const above: [string, string][] = [
    ['sub-tree root', subTreeRoot ?? uncomputed],
    ['next free node', top?.nextFreeNode ?? unread],
    ['root', top?.root ?? unread],
  ];
  return [
    `  ${title}: ${leafName(leafIndex)}`,
    ...indent(columns(facts)),
    ...levelLines(levels).map((line) => `    ${line}`),
    ...indent(columns(above)),
  ];
}

const indent = (text: string): string[] => text.split('\n').map((line) => `  ${line}`);

/** What a proof shows, in a word or two. */
function showsText({ shows, left, right }: KeyExplanation): string {
  const texts = {
    present: 'its own leaf',
    absent: `absent, between ${leafName(left?.leafIndex ?? null)} and ${leafName(right?.leafIndex ?? null)}`,
    empty: 'zero: no leaf can be there',
    nothing: 'no proof',
  };
  return texts[shows];
}

/** The gap between two neighbours, with the key inside it. */
const gapRows = ({ hKey, left, right }: KeyExplanation): [string, string][] => [
  ['left', `${left?.leaf?.hKey ?? unread}, next is ${leafName(left?.leaf?.next ?? null)}`],
  ['key', hKey],
  ['right', `${right?.leaf?.hKey ?? unread}, before is ${leafName(right?.leaf?.prev ?? null)}`],
];

const proofName = (proof: number): string => (proof === 0 ? 'account' : `slot ${proof}`);

function proofLines(key: KeyExplanation, proof: number): string[] {
  const { account, value, own, left, right } = key;
  const facts: [string, string][] = [['hKey', key.hKey]];
  if (account) {
    facts.push(
      ['nonce', account.nonce],
      ['balance', `${account.balance} wei`],
      ['code size', countText(BigInt(account.codeSize), 'byte')],
      ['code keccak', account.keccakCodeHash],
      ['storage root', account.storageRoot],
    );
  } else if (value !== null && key.tree === 'storage') facts.push(['value', value]);
  if (key.hValue) facts.push(['hValue', key.hValue]);
  return [
    '',
    `${proofName(proof)} ${key.key}: ${showsText(key)}`,
    columns(facts),
    ...(key.shows === 'absent' ? ['  gap', ...indent(columns(gapRows(key)))] : []),
    ...(own ? pathLines('path', own) : []),
    ...(left ? pathLines('left path', left) : []),
    ...(right ? pathLines('right path', right) : []),
  ];
}

/** Between the sides of a law that holds, and of one that is broken. */
const signs = {
  equal: ['=', 'must be'],
  unequal: ['is not', 'must not be'],
  below: ['<', 'must be below'],
};

/** What a law is about. */
function subjectOf({ place: { proof, path } }: Law): string {
  if (proof === null) return 'answer';
  return path === null || path === 'own' ? proofName(proof) : `${proofName(proof)}, ${path}`;
}

function lawLines(law: Law): string[] {
  const { text, relation, left, right, holds, at, code } = law;
  const word = holds ? 'holds ' : 'BROKEN';
  const sides =
    relation === null || (left === null && right === null)
      ? []
      : [`          ${left ?? unread} ${signs[relation][holds ? 0 : 1]} ${right ?? unread}`];
  return [
    `  ${word}  ${subjectOf(law)}: ${text}`,
    ...sides,
    ...(holds ? [] : [`          at ${at || 'the whole answer'}; ${code ?? 'malformed'}`]),
  ];
}

/** All of it. @param verdict the first line @param width columns that lines may have */
export function explanationText(
  { claim, proofs, laws, agrees }: Explanation,
  verdict: string,
  width: number,
): string {
  const reached = laws.filter((law) => law.reached);
  const left = laws.length - reached.length;
  const lines = [
    verdict,
    columns([
      ['state root', `${claim.stateRoot} (${claim.hash})`],
      ['address', claim.address],
    ]),
    ...proofs.flatMap(proofLines),
    '',
    'laws, in the order in which they are compared',
    ...reached.flatMap(lawLines),
    ...(left === 0 ? [] : [`  ${countText(left, 'more law')} behind it: not compared`]),
    ...(agrees ? [] : ['These laws do not lead to the verdict, which alone counts; report it']),
  ];
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => fitLine(line, width))
    .join('\n');
}
