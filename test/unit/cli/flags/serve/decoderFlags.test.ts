/** `--prices pools:FILE`: prices that are read from pools on the chain. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDecoder } from '../../../../../src/cli/flags/serve/decoderFlags.js';
import { createLog } from '../../../../../src/service/index.js';
import { newFolder } from '../../../../support/folder.js';

const chains = [{ name: 'x', url: 'http://127.0.0.1:1' }];
const request = { chains, store: undefined, tokenLists: [], abis: undefined };

test('a file of pools is read, and one that is wrong is named', async () => {
  const log = await createLog('error');
  const folder = newFolder();
  const address = `0x${'12'.repeat(20)}`;
  const pool = { token: address, pool: address, quote: address, leastLiquidity: '5' };
  const file = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return `pools:${join(folder, name)}`;
  };
  const good = file('good.json', { x: { dollars: [address], pools: [pool] } });
  const decoder = await openDecoder({ ...request, prices: good }, log);
  expect(decoder.chains).toEqual(['x']);
  await decoder.close();
  const wrong = file('wrong.json', { x: { dollars: [], pools: [{ ...pool, quote: 5 }] } });
  await expect(openDecoder({ ...request, prices: wrong }, log)).rejects.toThrow('pools[0].quote');
  const other = file('other.json', { y: { dollars: [], pools: [] } });
  await expect(openDecoder({ ...request, prices: other }, log)).rejects.toThrow('"y" is no chain');
  const missing = `pools:${join(folder, 'none.json')}`;
  await expect(openDecoder({ ...request, prices: missing }, log)).rejects.toThrow('none.json');
});
