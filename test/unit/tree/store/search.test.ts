/** Search in what is sorted, beside a look at one item after the other. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstWhere } from '../../../../src/tree/store/search.js';

test('the first item for which a test holds is found, in few steps', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (flags) => {
      const sorted = [...flags].sort();
      const asked: number[] = [];
      const found = firstWhere(sorted.length, (i) => {
        asked.push(i);
        return sorted[i] as boolean;
      });
      const first = sorted.indexOf(true);
      expect(found).toBe(first < 0 ? sorted.length : first);
      for (const i of asked) expect(sorted[i]).toBeDefined();
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(sorted.length + 1)));
    }),
  );
});
