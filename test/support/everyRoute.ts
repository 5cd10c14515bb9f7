/** Paths of every route that answers about a chain, made of what stands in its description and what the chain holds. */
import type { Hex } from '../../src/bytes.js';
import type { AnvilCalls } from './anvil.js';
import type { ServedData } from './data.js';
import type { Wire } from './runs.js';

/** Things of a chain that paths may name. */
export interface RouteValues {
  readonly chain: string;
  readonly wallets: readonly Hex[];
  /** Tokens, and other contracts with logs. */
  readonly contracts: readonly Hex[];
  readonly topics: readonly Hex[];
  /** Blocks whose numbers and hashes are asked for. */
  readonly blocks: readonly number[];
}

/** Transactions of a block that are asked for one by one. */
const mostTransactions = 2;

const hexOf = (block: number) => `0x${block.toString(16)}`;
const dateOf = (seconds: number) => new Date(1000 * seconds).toISOString().replace('.000', '');

/** Values of the members of paths, by name; a route with another one has to be added here. */
async function membersOf(node: AnvilCalls, { chain, ...values }: RouteValues) {
  const blocks: Wire[] = [];
  for (const block of values.blocks) {
    blocks.push(await node.call('eth_getBlockByNumber', hexOf(block), false));
  }
  const times = blocks.map(({ timestamp }) => Number(timestamp));
  const members: Readonly<Record<string, readonly string[]>> = {
    chain_name: [chain],
    address: [...values.wallets, ...values.contracts.slice(0, 2)],
    token_address: values.contracts,
    contract_address: values.contracts.slice(-2),
    token_id: ['0', '0x1'],
    tx_hash: blocks.flatMap(({ transactions }) => transactions.slice(0, mostTransactions)),
    block_hash: blocks.map(({ hash }) => hash),
    block_height: ['latest', ...values.blocks.map(String)],
    page_number: ['0', '1'],
    time_bucket: [...new Set(times.map((time) => String(Math.floor(time / 900))))],
    topic_hash: values.topics,
    trait: ['Eyes'],
    start_date: times.slice(0, 2).map(dateOf),
    end_date: times.slice(-1).map(dateOf),
    event_type: ['erc20', 'nativetokens', 'uniswapv3'],
    contract_addresses: [values.contracts.slice(0, 2).join(',')],
    quote_currency: ['USD'],
    pool_address: values.contracts.slice(0, 1),
  };
  return members;
}

/** Queries of routes that answer more, or nothing, without one. */
const queries: Readonly<Record<string, (values: RouteValues) => readonly string[]>> = {
  '/allchains/transactions/': ({ wallets }) => [`addresses=${wallets}&limit=7`],
  '/events/': ({ blocks, contracts, topics }) => [
    `starting-block=${Math.min(...blocks)}&ending-block=${Math.max(...blocks)}`,
    `starting-block=0&address=${contracts[0]}&topics=${topics[0]}`,
  ],
  '/historical_balances/': ({ blocks }) => [`block-height=${Math.min(...blocks)}`, 'page-size=2'],
  '/portfolio_v2/': () => ['days=2'],
  '/transactions_summary/': () => ['with-gas=true&with-transfer-count=true'],
  '/transactions_v3/': () => ['block-signed-at-asc=true&with-input-data=true'],
  '/transfers_v2/': ({ contracts }) => contracts.map((one) => `contract-address=${one}`),
  '/{topic_hash}/': ({ wallets }) => [`secondary-topics=${wallets[0]}`, 'page-size=3'],
};

/** Paths of the routes in the description of a service that answer what is on its chains. */
export async function everyPath(
  api: Wire,
  node: AnvilCalls,
  values: RouteValues,
): Promise<readonly string[]> {
  const members = await membersOf(node, values);
  const routes = Object.keys(api.paths).filter((route) => /^\/v1\/.*(\{|allchains)/.test(route));
  return routes.flatMap((route) => {
    const paths = route.split('/').reduce<string[]>(
      (begun, part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        const choices = name === undefined ? [part] : members[name];
        if (choices === undefined) throw new Error(`everyRoute.ts has no value of ${name}`);
        return begun.flatMap((path) => choices.map((one) => `${path}${one}/`));
      },
      [''],
    );
    const ending = Object.keys(queries).find((end) => route.endsWith(end));
    const asked = ending === undefined ? [] : (queries[ending]?.(values) ?? []);
    return paths
      .map((path) => path.slice(0, -1))
      .flatMap((path) => [path, ...asked.map((query) => `${path}?${query}`)]);
  });
}

/** An answer as text, but for the time at which it was made. Services whose links are compared have one public URL. */
export async function answerOf({ url }: Pick<ServedData, 'url'>, path: string): Promise<string> {
  const response = await fetch(url + path);
  const text = await response.text();
  return `${path} ${response.status} ${text.replace(/"updated?_at":"[^"]*"/g, '')}`;
}

/** Every answer of a service. */
export async function everyAnswer(
  served: Pick<ServedData, 'url'>,
  paths: readonly string[],
): Promise<string[]> {
  const answers: string[] = [];
  for (let from = 0; from < paths.length; from += 8) {
    const some = paths.slice(from, from + 8).map((path) => answerOf(served, path));
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}
