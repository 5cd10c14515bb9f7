import { expect, test } from 'vitest';
import type { Level } from '../../../../src/explain/index.js';
import { foldLevels } from '../../../../src/page/anatomy/fold.js';

const levels = (empty: string): Level[] =>
  [...empty].map((sign, level) => ({
    level,
    node: '0x01',
    sibling: '0x02',
    siblingSide: 'left',
    siblingIsEmpty: sign === 'e',
  }));

/** Folded runs in brackets. */
const shown = (empty: string, ...kept: number[]): string =>
  foldLevels(levels(empty), new Set(kept))
    .map(({ isFolded, levels: run }) => {
      const numbers = run.map(({ level }) => level).join(' ');
      return isFolded ? `(${numbers})` : numbers;
    })
    .join(' ');

test('a long run of levels with nothing beside them is folded', () => {
  expect(shown('eeesseeeee')).toBe('(0 1 2) 3 4 (5 6 7 8 9)');
});

test('a short run is not worth a fold', () => {
  expect(shown('seese')).toBe('0 1 2 3 4');
});

test('a level that a law looks at is always shown', () => {
  expect(shown('eeeeeee', 3)).toBe('(0 1 2) 3 (4 5 6)');
});
