/** Work that ends with its owner. */
import { expect, test } from 'vitest';
import { createLifetime } from '../../../../src/provider/state/lifetime.js';

test('ends what is under way with its reason, and begins nothing afterwards', async () => {
  const lifetime = createLifetime();
  const reason = new Error('closed');
  const under = lifetime.run(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  lifetime.end(reason);
  await expect(under).rejects.toBe(reason);
  expect(lifetime.isOver).toBe(true);
  let begun = 0;
  const later = lifetime.run(async () => {
    begun += 1;
  });
  await expect(later).rejects.toBe(reason);
  expect(begun).toBe(0);
});
