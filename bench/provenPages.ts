/**
 * `npm run bench -- provenPages`: pages of the data interface with their proofs beside the same pages without, each asked of
 * a service that has just begun, by processor time of this process, turn by turn; and what it takes a client to verify them,
 * from the text of the answer on. The chain is a real Anvil with 100 ERC-20 tokens of OpenZeppelin, of which one wallet has
 * some, and 100 holders of one of them.
 */
import { gzipSync } from 'node:zlib';
import type { Hex } from '../src/bytes.js';
import { createDataClient, type ListPage } from '../src/data/index.js';
import { type Anvil, accounts } from '../test/support/anvil.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';
import { chainName, serveData } from '../test/support/data.js';
import { provenNetwork as network, startProvenChain } from '../test/support/provenChain.js';
import { digits } from './report.js';

const rounds = 7;
const size = 100;
const wallet: Hex = `0x${'5e'.repeat(20)}`;
const minter = accounts[0] as Hex;

async function make(node: Anvil) {
  const tokens: Hex[] = [];
  for (let i = 0; i < size; i++) {
    const token = await deployErc20(node, `Token ${i}`, `T${i}`);
    await node.mine({ ...token.call('mint', wallet, 1000n + BigInt(i)), from: minter });
    tokens.push(token.address);
    if (i > 0) continue;
    for (let holder = 1; holder < size; holder++) {
      const to: Hex = `0x${holder.toString(16).padStart(2, '0').padStart(40, '5')}`;
      await node.mine({ ...token.call('mint', to, BigInt(holder)), from: minter });
    }
  }
  return tokens;
}

const chain = await startProvenChain({ make });
const { node, tree, served, made, block } = chain;
const anchor = await chain.anchorAt();
const trust = { anchor, network, fork: 'prague' } as const;
const state = { tree, fork: 'prague', finality: async () => block } as const;
/** Outlives the services that read it. */
const store = { ...served.store, close: async () => {} };

/** Processor time of some work, in ms. */
async function timed<T>(work: () => Promise<T>): Promise<readonly [ms: number, result: T]> {
  const from = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(from);
  return [(user + system) / 1000, result];
}

const middle = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

/** The text of a page, asked of a service that has just begun. */
async function askCold(path: string): Promise<readonly [ms: number, text: string]> {
  const one = await serveData(node.url, { state, fed: store });
  const [ms, text] = await timed(async () => (await fetch(one.url + path)).text());
  await one.close();
  return [ms, text];
}

interface Case {
  readonly what: string;
  readonly path: string;
  readonly pages: (client: ReturnType<typeof createDataClient>) => AsyncIterable<ListPage<object>>;
}

const base = `/v1/${chainName}`;
const [token] = made as [Hex];
const cases: readonly Case[] = [
  {
    what: 'balances of a wallet',
    path: `${base}/address/${wallet}/balances_v2/?page-size=${size}`,
    pages: (client) => client.balances({ address: wallet, pageSize: size, ...trust }),
  },
  {
    what: 'holders of a token',
    path: `${base}/tokens/${token}/token_holders_v2/?page-size=${size}&block-height=${block}`,
    pages: (client) => client.holders({ token, pageSize: size, ...trust }),
  },
];

try {
  for (const { what, path, pages } of cases) {
    const times: [plain: number[], proven: number[], client: number[]] = [[], [], []];
    let [text, items] = ['', 0];
    for (let round = 0; round < rounds; round++) {
      times[0].push((await askCold(path))[0]);
      const asked = await askCold(
        `${path}&proofs=true${path.includes('block-height') ? '' : `&block-height=${block}`}`,
      );
      times[1].push(asked[0]);
      text = asked[1];
      const canned = async () =>
        new Response(text, { headers: { 'content-type': 'application/json' } });
      const client = createDataClient({ url: 'http://canned', chain: chainName, fetch: canned });
      const [ms, page] = await timed(
        async () => (await pages(client)[Symbol.asyncIterator]().next()).value,
      );
      items = (page as ListPage<object>).items.length;
      times[2].push(ms);
    }
    const [plain, proven, client] = times.map(middle) as [number, number, number];
    console.log(
      `${what}: ${items} items; without proofs ${digits(plain)} ms, with ${digits(proven)} ms, ratio ${digits(proven / plain)} (bar 8); ` +
        `verified in ${digits(client)} ms, ${digits(client / items)} ms an item (bar 60; first ${digits(times[2][0] as number)} ms); ` +
        `${Math.round(text.length / items)} bytes an item, ${Math.round(gzipSync(text).length / items)} compressed`,
    );
  }
} finally {
  await chain.close();
}
