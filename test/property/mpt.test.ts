/** Random tries: the same values and absences as another implementation, and no edit of a proof passes. */
import { expect, test } from 'vitest';
import { ShapeError } from '../../src/errors.js';
import { TrieError } from '../../src/mpt/errors.js';
import { verifyPath } from '../../src/mpt/path.js';
import { toHex } from '../support/hex.js';
import { patience } from '../support/runs.js';
import {
  branchOff,
  leaveOutShort,
  provenBy,
  type Random,
  randomBytes,
  randomOf,
  randomTrie,
} from '../support/trie.js';

const isDeep = process.env.DEEP === '1';

test(
  'random tries: values and absences as @ethereumjs/mpt has them',
  async () => {
    const tries = isDeep ? 10_000 : 150;
    const seen = { present: 0, absent: 0, short: 0 };
    for (let seed = 1; seed <= tries; seed++) {
      const random = randomOf(seed);
      const world = await randomTrie(random);
      const present = world.keys.slice(-3);
      const near = present.map((key) => branchOff(random, key, random(64)));
      for (const key of [...present, ...near, randomBytes(random, 32)]) {
        if (world.keys.length === 0) {
          // The other implementation refuses proofs of the empty trie.
          expect(verifyPath(world.root, key, [], 'proof')).toBeUndefined();
          expect(verifyPath(world.root, key, ['0x80'], 'proof')).toBeUndefined();
          continue;
        }
        const { listed, value } = await provenBy(world, key);
        const left = leaveOutShort(listed);
        for (const nodes of [listed, left]) {
          expect(verifyPath(world.root, key, nodes, 'proof'), `seed ${seed}`).toEqual(value);
        }
        seen[value ? 'present' : 'absent']++;
        if (left.length < listed.length) seen.short++;
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(tries);
  },
  patience,
);

type Edit = (nodes: string[], random: Random, foreign: readonly string[]) => string[];

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
const edits: Record<string, Edit> = {
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

test.each(Object.keys(edits))(
  'no edit passes: %s',
  async (name) => {
    const edit = edits[name] as Edit;
    const wanted = isDeep ? 10_000 : 200;
    let refused = 0;
    for (let seed = 1; refused < wanted; seed++) {
      const random = randomOf(seed);
      const world = await randomTrie(random);
      const [key] = world.keys;
      if (key === undefined) continue;
      for (const target of [key, branchOff(random, key, random(64))]) {
        const { listed, value } = await provenBy(world, target);
        const foreign = (await provenBy(world, world.keys.at(-1) as Uint8Array)).listed;
        for (const nodes of [listed, leaveOutShort(listed)]) {
          const edited = edit([...nodes], random, foreign);
          // Short nodes may be listed or not, so an edit that lists one, or none, made the other honest form.
          if (isHonest(edited, listed)) {
            expect(verifyPath(world.root, target, edited, 'proof')).toEqual(value);
            continue;
          }
          const verify = () => verifyPath(world.root, target, edited, 'proof');
          expect(verify, `seed ${seed}`).toThrow();
          try {
            verify();
          } catch (error) {
            expect(error instanceof ShapeError || error instanceof TrieError).toBe(true);
          }
          refused++;
        }
      }
    }
  },
  patience,
);

/** Whether these are the listed nodes, but for short ones left out. */
function isHonest(nodes: readonly string[], listed: readonly string[]): boolean {
  let at = 0;
  for (const [i, node] of listed.entries()) {
    if (nodes[at] === node) at++;
    else if (i === 0 || node.length >= 2 + 2 * 32) return false;
  }
  return at === nodes.length;
}
