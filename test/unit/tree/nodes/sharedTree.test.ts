/** What the trees of a process share, and what they do not. */
import { expect, test, vi } from 'vitest';
import { openStateTree } from '../../../../src/tree/index.js';
import { sharedEmptyTree } from '../../../../src/tree/nodes/sharedTree.js';
import { families, patience } from '../../../support/runs.js';

const engines = ['wasm', 'portable'] as const;
const kinds = families.flatMap((family) => engines.map((engine) => [family, engine] as const));

test('to open a tree opens no other kernel than the first of its family', async () => {
  await openStateTree();
  const instances = vi.spyOn(WebAssembly, 'Instance');
  for (let i = 0; i < 10; i++) await openStateTree();
  expect(instances).not.toHaveBeenCalled();
  instances.mockRestore();
});

test('each family and each form of it has its own', () => {
  const all = kinds.map(([family, engine]) => sharedEmptyTree(family, engine));
  expect(new Set(all.map(({ spec }) => spec.hasher)).size).toBe(kinds.length);
  expect(all.map(({ spec }) => spec.hasher.family)).toEqual(kinds.map(([family]) => family));
});

test.each([
  ['no family', { hash: 'sha256' }],
  ['no engine', { engine: 'fast' }],
  ['a text that only reads like a family', { hash: new String('mimc') }],
])('%s is refused, also if others were opened before', async (_, options) => {
  for (const [hash, engine] of kinds) await openStateTree({ hash, engine });
  await expect(openStateTree(options as never)).rejects.toThrow(TypeError);
});

test.each(kinds)(
  'blocks that trees of %s (%s) write in turns leave each as if it were alone',
  async (hash, engine) => {
    const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as const;
    const changesOf = (tree: number, number: number) =>
      [1, 2, 3].map((i) => ({
        address: address(100 * tree + ((number * i) % 7)),
        account: { nonce: BigInt(number), balance: BigInt(tree) },
      }));
    const alone: string[][] = [];
    for (const which of [1, 2]) {
      const tree = await openStateTree({ hash });
      const roots: string[] = [];
      for (const number of [1, 2, 3]) {
        roots.push(
          (await tree.applyBlock({ number, changes: changesOf(which, number) })).stateRoot,
        );
      }
      alone.push(roots);
    }
    const trees = await Promise.all([1, 2].map(() => openStateTree({ hash, engine })));
    const together: string[][] = [[], []];
    for (const number of [1, 2, 3]) {
      await Promise.all(
        trees.map(async (tree, i) => {
          const { stateRoot } = await tree.applyBlock({
            number,
            changes: changesOf(i + 1, number),
          });
          together[i]?.push(stateRoot);
        }),
      );
    }
    expect(together).toEqual(alone);
    expect(alone[0]).not.toEqual(alone[1]);
  },
  patience,
);
