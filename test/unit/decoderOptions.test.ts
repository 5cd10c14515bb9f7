/** The options of a decoder: what is wrong is named, without what is secret. */
import { expect, test } from 'vitest';
import { createDecoder } from '../../src/service/index.js';

test('wrong options are refused, and say nothing of a URL', async () => {
  const url = 'http://127.0.0.1:1/secret-key-of-mine';
  const refused: [object, RegExp][] = [
    [{ chains: [] }, /"chains"/],
    [{ chains: { length: 1 } }, /"chains" expected an array/],
    [{ chains: [{ url }] }, /"name" expected the name/],
    [{ chains: [{ name: 'A B', url }] }, /name/],
    [
      {
        chains: [
          { name: 'a', url },
          { name: 'a', url },
        ],
      },
      /twice/,
    ],
    [{ chains: [{ name: 'a', url: `${url.slice(4)}` }] }, /"url"/],
    [{ chains: [{ name: 'a', url }], recheck: -1 }, /"recheck"/],
    [{ chains: [{ name: 'a', url }], storeBytes: 1.5 }, /"storeBytes"/],
    [{ chains: [{ name: 'a', url }], storeBytes: 0 }, /"storeBytes"/],
  ];
  for (const [options, words] of refused) {
    const error = await createDecoder(options as any).then(
      () => undefined,
      (cause) => cause,
    );
    expect(error?.message).toMatch(words);
    expect(error?.message).not.toContain('secret');
  }
});
