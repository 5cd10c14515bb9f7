/** All that an index answers of the wallets of a random history, as one text. */
import type { Hex } from '../../src/bytes.js';
import type { Index } from '../../src/indexer/openIndex.js';
import { wallets } from './tokenHistory.js';

const page = { offset: 0, limit: 1000 };

export async function answersOf(index: Index): Promise<string> {
  const newest = (await index.newestBlock()) ?? -1;
  const final = (await index.finalBlock()) ?? -1;
  const answers: unknown[] = [newest, final];
  for (const block of [newest, final, newest + 1]) answers.push(await index.blockHash(block));
  for (const block of [1, 5, newest - 1, newest]) answers.push(await index.blockTime(block));
  for (const wallet of wallets) {
    const held = await index.holdings(wallet, page);
    answers.push(held, await index.countHoldings(wallet, 1000));
    for (const { standard, contract } of held) {
      answers.push(await index.isHolding(wallet, { standard, contract }));
      if (standard === 'erc20') continue;
      for (const block of [newest, 8]) {
        const tokens = await index.tokens(wallet, { standard, contract, block, limit: 1000 });
        answers.push(tokens.map(String));
      }
    }
  }
  const nobody = { standard: 'erc20', contract: wallets[0] as Hex } as const;
  answers.push(await index.isHolding(wallets[1] as Hex, nobody));
  return JSON.stringify(answers);
}
