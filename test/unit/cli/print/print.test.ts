/** Tables for people. */
import { expect, test } from 'vitest';
import { columns } from '../../../../src/cli/print/print.js';

test('a table of two columns is aligned, and may have more rows than a call takes arguments', () => {
  expect(columns([])).toBe('');
  const few = columns([
    ['a', '1'],
    ['longer', '2'],
  ]);
  expect(few).toBe('  a       1\n  longer  2');
  const many = columns(new Array(200_000).fill(['slot', '0x']));
  expect(many).toHaveLength(200_000 * '  slot  0x\n'.length - 1);
});
