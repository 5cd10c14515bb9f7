/** A chain with tokens that grows and is taken back, and what every route should answer about it: what a fresh service does. */
import type { Hex } from '../../src/bytes.js';
import { type Anvil, startAnvil } from './anvil.js';
import { chainName, type ServedData, serveData } from './data.js';
import { everyAnswer, everyPath } from './everyRoute.js';
import { startHistory, type TokenHistory, wallets } from './tokenHistory.js';

/** Links in answers begin with it, whichever service answers. */
export const linked = { publicUrl: 'https://data.example' };

const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const single: Hex = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';

const isDeep = process.env.DEEP !== undefined;

/** The deepest reorg: no block that far below the newest one is final. */
export const deepest = 6;

export interface DataLife {
  readonly node: Anvil;
  readonly history: TokenHistory;
  newest(): Promise<number>;
  /** Takes blocks back, and mines as many others and some more. */
  reorg(depth: number, more: number): Promise<void>;
  /** Paths of all routes, of what the chain holds now. */
  paths(served: ServedData): Promise<readonly string[]>;
  /**
   * What a service says that was begun and fed just now. An order of holders is kept for a while: the answer of one is what
   * was right at the block that it names, if the chain still has it.
   */
  expected(paths: readonly string[], answers: readonly string[]): Promise<string[]>;
}

/** The block of an order of holders that may be kept, as a query; else nothing. */
function blockOfKept(answer: string): string {
  const block = /^\S*\/token_holders_v2\/ 200 .*?"block_height":(\d+)/.exec(answer)?.[1];
  return block === undefined ? '' : `?block-height=${block}`;
}

export async function startLife(seed: number): Promise<DataLife> {
  const start = String(Math.floor(Date.now() / 1000) - 86_400);
  const node = await startAnvil(
    '--auto-impersonate',
    '--slots-in-an-epoch',
    '4',
    '--timestamp',
    start,
  );
  await node.call('anvil_setBlockTimestampInterval', 170);
  const history = await startHistory(node, seed);
  const { gold, wrapped, deed, goods } = history;
  const contracts = [gold, wrapped, deed, goods].map(({ address }) => address);
  const newest = async () => Number(await node.call('eth_blockNumber'));
  return {
    node,
    history,
    newest,
    async reorg(depth, more) {
      await node.call('anvil_rollback', depth);
      await history.mine(depth + more);
    },
    async paths(served) {
      const api = (await served.get('/openapi.json')).body;
      const last = await newest();
      const blocks = isDeep ? [1, last - deepest, last] : [last - deepest, last];
      const some = wallets.slice(1, isDeep ? 3 : 2);
      const values = { chain: chainName, wallets: some, contracts, blocks };
      const every = await everyPath(api, node, { ...values, topics: [transfer, single] });
      // The owners of a token have a kept order, too, and no way to ask for that of a block.
      return every.map((path) =>
        /\/owners\/[^?]*$/.test(path) ? `${path}?no-snapshot=true` : path,
      );
    },
    async expected(paths, answers) {
      const fresh = await serveData(node.url, { data: linked });
      try {
        const asked = paths.map((path, i) => path + blockOfKept(answers[i] as string));
        const found = await everyAnswer(fresh, asked);
        return found.map((answer, i) => answer.replace(asked[i] as string, paths[i] as string));
      } finally {
        await fresh.close();
      }
    },
  };
}
