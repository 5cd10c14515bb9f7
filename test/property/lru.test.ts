/** The bounded cache beside a list. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruCache } from '../../src/lru.js';

interface Sized {
  readonly size: number;
}

test('what is kept stays within its size, and is what was used last', () => {
  const step = fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.nat(12), fc.nat(700));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const maxSize = 2000;
      const cache = new LruCache<string, Sized>(maxSize, ({ size }, { length }) => size + length);
      /** The same as a list, the one used last at the end. */
      let model: { key: string; value: Sized; size: number }[] = [];
      for (const [what, name, extra] of steps) {
        const key = String(name);
        const found = model.find((one) => one.key === key);
        const others = model.filter((one) => one !== found);
        if (what === 'get') {
          expect(cache.get(key)).toBe(found?.value);
          model = found ? [...others, found] : others;
        } else if (what === 'delete') {
          cache.delete(key);
          model = others;
        } else {
          const value = { size: extra * 4 };
          cache.set(key, value);
          const size = value.size + key.length;
          model = size > maxSize ? others : [...others, { key, value, size }];
          const total = () => model.reduce((sum, one) => sum + one.size, 0);
          while (total() > maxSize) model.shift();
        }
      }
      expect([...cache.keys()]).toEqual(model.map(({ key }) => key));
      for (const { key, value } of model) expect(cache.get(key)).toBe(value);
    }),
  );
});

test('without sizes, entries are counted', () => {
  const cache = new LruCache<number, string>(2);
  for (const key of [1, 2]) cache.set(key, `${key}`);
  cache.get(1);
  cache.set(3, '3');
  expect([...cache.keys()]).toEqual([1, 3]);
  expect(cache.get(2)).toBeUndefined();
});
