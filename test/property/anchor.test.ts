/** No edit of the nodes of a real L1 proof of the rollup contract passes. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { anchorStorageKeys, defineNetwork, verifyAnchorProof } from '../../src/anchor/index.js';
import type { Hex } from '../../src/bytes.js';
import type { NodeProof } from '../support/answers.js';
import { type Anvil, startAnvil, word } from '../support/anvil.js';
import { type Edit, edits, isHonest, isMalformed } from '../support/nodeEdits.js';
import { deployRollup, finalizeOnL1, setSlots } from '../support/rollup.js';
import { honest, patience } from '../support/runs.js';
import { randomOf } from '../support/trie.js';

const isDeep = process.env.DEEP === '1';
const wanted = isDeep ? 100_000 : 5000;

const network = defineNetwork({
  l1ChainId: 31337,
  l2ChainId: 1,
  rollup: '0xd19d4b5d358258f05d7b411e21a1460d11b0876f',
});
const { stateRoot } = honest('poseidon2').claim;

let node: Anvil;
let result: NodeProof;
let l1StateRoot: Hex;
beforeAll(async () => {
  node = await startAnvil();
  await deployRollup(node, network.rollup, `0x${'59'.repeat(20)}`);
  // Neighbours, so that the paths have several nodes.
  const slots = Array.from({ length: 300 }, (_, i) => [word(1000 + i), word(i + 1)]);
  await setSlots(node, network.rollup, Object.fromEntries(slots));
  for (let i = 0; i < 100; i++) {
    await node.call('anvil_setBalance', `0x${word(5000 + i).slice(24)}`, '0x1');
  }
  await finalizeOnL1(node, network.rollup, { start: 1, end: 7, stateRoot, timestamp: 5 });
  const keys = anchorStorageKeys(network, 7);
  result = await node.call('eth_getProof', network.rollup, keys, 'latest');
  ({ stateRoot: l1StateRoot } = await node.call('eth_getBlockByNumber', 'latest', false));
}, patience);
afterAll(() => node.close());

/** The proof's lists of nodes, each with what makes an answer of it with another list. */
type ListEdit = [string[], (nodes: string[]) => unknown];
const lists = (): ListEdit[] => [
  [result.accountProof, (accountProof) => ({ ...result, accountProof })],
  ...result.storageProof.map(
    (entry, i): ListEdit => [
      entry.proof,
      (proof: string[]) => ({
        ...result,
        storageProof: result.storageProof.map((other, at) =>
          at === i ? { ...other, proof } : other,
        ),
      }),
    ],
  ),
];

test(
  `of ${wanted} edits none is accepted`,
  () => {
    const claim = { l1StateRoot, network };
    expect(verifyAnchorProof(result, claim)).toMatchObject({ l2BlockNumber: 7, stateRoot });
    const all = lists();
    const names = Object.keys(edits);
    const refused = new Map<string, number>();
    for (let seed = 1, count = 0; count < wanted; seed++) {
      const random = randomOf(seed);
      // Slot 447 is looked at only if a preimage is given.
      const [nodes, put] = all[random(all.length - 1)] as (typeof all)[number];
      const [foreign] = all[random(all.length)] as (typeof all)[number];
      const name = names[seed % names.length] as string;
      const edited = (edits[name] as Edit)([...nodes], random, foreign);
      if (isHonest(edited, nodes)) continue;
      const answer = put(edited);
      expect(() => verifyAnchorProof(answer, claim), `edit ${seed}, ${name}`).toThrow(
        expect.objectContaining({
          name: 'AnchorError',
          code: isMalformed(edited) ? 'BAD_ANSWER' : 'BAD_PROOF',
        }),
      );
      count++;
      refused.set(name, (refused.get(name) ?? 0) + 1);
    }
    // Each sort of edit had its share.
    expect([...refused.keys()].sort()).toEqual([...names].sort());
  },
  patience,
);
