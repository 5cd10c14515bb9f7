/** Random tries: the same values and absences as another implementation, and no edit of a proof passes. */
import { expect, test } from 'vitest';
import { ShapeError } from '../../src/errors.js';
import { TrieError } from '../../src/mpt/errors.js';
import { verifyPath } from '../../src/mpt/path.js';
import { type Edit, edits, isHonest, isMalformed } from '../support/nodeEdits.js';
import { patience } from '../support/runs.js';
import {
  branchOff,
  leaveOutShort,
  provenBy,
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
          expect(() => verifyPath(world.root, target, edited, 'proof'), `seed ${seed}`).toThrow(
            isMalformed(edited) ? ShapeError : TrieError,
          );
          refused++;
        }
      }
    }
  },
  patience,
);
