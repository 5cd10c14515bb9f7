/** The options of a decoder: what is wrong is named, without what is secret. */
import { expect, test } from 'vitest';
import { parseAbis } from '../../../../src/decode/index.js';
import { createDecoder, type DecoderOptions } from '../../../../src/service/index.js';

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
    ...[5, null, { wrappedNative: '0x12' }, { wrappedNative: ['0x12'] }, { entryPoint: [7] }].map(
      (contracts): [object, RegExp] => [{ chains: [{ name: 'a', url, contracts }] }, /"contracts/],
    ),
    [{ chains: [{ name: 'a', url }], log: 'silent' }, /"log"/],
    [{ chains: [{ name: 'a', url }], recheck: -1 }, /"recheck"/],
    [{ chains: [{ name: 'a', url }], storeBytes: 1.5 }, /"storeBytes"/],
    [{ chains: [{ name: 'a', url }], storeBytes: 0 }, /"storeBytes"/],
  ];
  for (const [options, words] of refused) {
    const error = await createDecoder(options as DecoderOptions).then(
      () => undefined,
      (cause) => cause,
    );
    expect(error?.message).toMatch(words);
    expect(error?.message).not.toContain('secret');
  }
});

test('an event of an ABI that was left out stands in the log', async () => {
  const told: unknown[] = [];
  const note = (fields: object, text: string) => told.push([fields, text]);
  const log = { info: note, warn: note, error: note };
  const abis = parseAbis({ 'old.json': ['event Odd(fixed a)', 'event Ping(uint a)'] });
  const chains = [{ name: 'a', url: 'http://127.0.0.1:1' }];
  await (await createDecoder({ chains, abis, log })).close();
  const item = '"old.json[0]" expected types of the ABI, at most three indexed';
  expect(told).toEqual([[{ item }, 'an event of an ABI was left out']]);
});
