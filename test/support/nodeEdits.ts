/** Edits of the nodes of a Merkle-Patricia proof. */
import { toHex } from './hex.js';
import { type Random, randomBytes } from './trie.js';

export type Edit = (nodes: string[], random: Random, foreign: readonly string[]) => string[];

/** A copy with some nodes replaced. */
const spliced = (nodes: string[], at: number, count: number, ...others: string[]): string[] => [
  ...nodes.slice(0, at),
  ...others,
  ...nodes.slice(at + count),
];

const changeNode =
  (change: (bytes: number[], random: Random) => void): Edit =>
  (nodes, random) => {
    const at = random(nodes.length);
    const bytes = [...Buffer.from((nodes[at] as string).slice(2), 'hex')];
    change(bytes, random);
    return spliced(nodes, at, 1, toHex(Uint8Array.from(bytes)));
  };

/** Each makes another list of nodes. */
export const edits: Record<string, Edit> = {
  bit: changeNode((bytes, random) => {
    const at = random(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << random(8));
  }),
  'cut bytes': changeNode((bytes, random) => {
    bytes.length = random(bytes.length);
  }),
  'more bytes': changeNode((bytes, random) => {
    bytes.push(...randomBytes(random, 1 + random(3)));
  }),
  'byte left out': changeNode((bytes, random) => {
    bytes.splice(random(bytes.length), 1);
  }),
  doubled: (nodes, random) => {
    const at = random(nodes.length);
    return spliced(nodes, at, 0, nodes[at] as string);
  },
  'node left out': (nodes, random) => spliced(nodes, random(nodes.length), 1),
  cut: (nodes, random) => nodes.slice(0, random(nodes.length)),
  swapped: (nodes, random) => {
    if (nodes.length < 2) return [...nodes, '0x80'];
    const at = random(nodes.length - 1);
    const [first, second] = nodes.slice(at, at + 2) as [string, string];
    return spliced(nodes, at, 2, second, first);
  },
  'foreign node': (nodes, random, foreign) =>
    spliced(nodes, random(nodes.length + 1), 0, foreign[random(foreign.length)] as string),
  'foreign node instead': (nodes, random, foreign) => {
    const at = random(nodes.length);
    const [other] = foreign.filter((node) => node !== nodes[at]);
    return spliced(nodes, at, 1, other ?? '0x80');
  },
  'a header of a second form': changeNode((bytes) => {
    // The list's length in one byte more.
    const header = bytes[0] as number;
    if (header < 0xf8) bytes.splice(0, 1, 0xf8, header - 0xc0);
    else bytes.splice(0, 1, header + 1, 0);
  }),
};

/** A list's header of 3 bytes, 16 hashes of 33 bytes each, and a value of no bytes. */
const longestBranch = 3 + 16 * 33 + 1;

/**
 * Whether one of the nodes is longer than any node of a trie. Such an answer is malformed. Any other edit is not told by
 * its form: each node is held against its hash before it is read.
 */
export const isMalformed = (nodes: readonly string[]): boolean =>
  nodes.some((node) => node.length > 2 + 2 * longestBranch);

/** Whether these are the listed nodes, but for short ones left out. */
export function isHonest(nodes: readonly string[], listed: readonly string[]): boolean {
  let at = 0;
  for (const [i, node] of listed.entries()) {
    if (nodes[at] === node) at++;
    else if (i === 0 || node.length >= 2 + 2 * 32) return false;
  }
  return at === nodes.length;
}
