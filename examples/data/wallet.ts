/** What a wallet holds, what has moved, and who else holds its tokens: rows of CSV or JSON, each with what is proven of it. */
import type { Hex } from 'l2proof';
import { fetchAnchor } from 'l2proof/anchor';
import { createDataClient } from 'l2proof/data';
import { createTransport } from 'l2proof/rpc';
import { network } from './network';

const { L1_URL = '', DATA_URL = '', DATA_KEY, DATA_CHAIN = '' } = process.env;

const [list = '', given = '', format = 'csv'] = process.argv.slice(2);
const address = given as Hex;

/** The root that L1 has finalized, under which the rows are proven. */
const anchor = await fetchAnchor({ l1: createTransport({ url: L1_URL }), network });
const client = createDataClient({
  ...{ url: DATA_URL, key: DATA_KEY, chain: DATA_CHAIN },
  ...{ anchor, network },
});

type Row = Record<string, string | number | boolean | null | undefined>;

/** `verified` is the word of this process: it has held the amounts against the root. A name is the server's word always. */
async function* balances(): AsyncGenerator<Row> {
  for await (const { items, unproven, blockNumber } of client.balances({ address })) {
    for (const item of [...items, ...unproven]) {
      const { contract_address: token, balance, contract_decimals: decimals } = item;
      const { contract_ticker_symbol: name, verified = false } = item;
      yield { token, balance, decimals, block: blockNumber, verified, name };
    }
  }
}

/** By events that are proven. That no transaction is left out is the server's word. */
async function* transfers(): AsyncGenerator<Row> {
  for await (const { items, unproven } of client.transfers({ address })) {
    for (const { transfers, block_height: block, verified = false } of [...items, ...unproven]) {
      for (const one of transfers) {
        const { contract_address: token, from_address: from, to_address: to, delta } = one;
        const { contract_ticker_symbol: name, tx_hash: transaction } = one;
        yield { token, from, to, amount: delta, block, transaction, verified, name };
      }
    }
  }
}

/** Of a token, whose address stands in the place of the wallet's. */
async function* holders(): AsyncGenerator<Row> {
  for await (const page of client.holders({ token: address })) {
    for (const item of [...page.items, ...page.unproven]) {
      const { address: holder, balance, total_supply: supply, verified = false } = item;
      yield { holder, balance, supply, block: page.blockNumber, verified };
    }
    // The proven balances add up to the proven supply: nobody is left out.
    if (!page.hasMore) console.error(page.complete ? 'these are all holders' : 'there may be more');
  }
}

/** A cell of CSV. Text in front of which a spreadsheet sees a formula gets a quote mark: names come from anybody. */
function toCell(value: Row[string]): string {
  const text = String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lists = { balances, transfers, holders };
if (!Object.hasOwn(lists, list))
  throw new Error(`expected one of ${Object.keys(lists).join(', ')}`);
let isFirst = true;
for await (const row of lists[list as keyof typeof lists]()) {
  if (format === 'json') console.log(JSON.stringify(row));
  else {
    if (isFirst) console.log(Object.keys(row).join(','));
    console.log(Object.values(row).map(toCell).join(','));
  }
  isFirst = false;
}
console.error(`proven at L2 block ${anchor.l2BlockNumber}, root by ${anchor.how}`);
