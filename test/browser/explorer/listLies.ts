/** False figures in the lists of an address and in a token, and what the page makes of each. */
import { accounts } from '../../../src/cli/devnet/network.js';
import { heldPlace, tokenPlace } from './holdings.js';
import { otherDigit } from './lies.js';
import type { Passing } from './world.js';

// biome-ignore lint/suspicious/noExplicitAny: any answer of any server
type Answered = any;

/** One false figure of a list. */
export interface ListLie {
  /** Of the figure. */
  readonly name: string;
  /** @param data of the answer */
  readonly change: (data: Answered) => void;
  /** Default `refused`; `word`: it is shown as the server's word; `truth`: the page works the figure out itself. */
  readonly shown?: 'refused' | 'word' | 'truth';
}

/** The lies of one question of the page. */
export interface LiesOf {
  readonly place: string;
  readonly question: string;
  readonly asks: (passing: Passing) => boolean;
  readonly lies: readonly ListLie[];
}

const [, bob] = accounts;
const onPath =
  (end: RegExp) =>
  ({ path }: Passing): boolean =>
    end.test(path.split('?')[0] as string);

/** Another value of the same form. */
function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  const text = value as string;
  if (/^0x/.test(text)) return otherDigit(text);
  if (/^\d{4}-/.test(text)) return text.replace(/\dZ$/, (end) => `${(Number(end[0]) + 1) % 10}Z`);
  return String(BigInt(text) + 1n);
}

const member = (
  name: string,
  find: (data: Answered) => Answered,
  shown?: ListLie['shown'],
): ListLie => ({
  name,
  ...(shown && { shown }),
  change(data) {
    const item = find(data);
    item[name] = other(item[name]);
  },
});

const first = ({ items }: Answered) => items[0];
const twice: ListLie = {
  name: 'an item that comes twice',
  change: ({ items }) => void items.push(items[0]),
};
const withoutProofs: ListLie = {
  name: 'proofs that are left out',
  change: (data) => void delete data.proofs,
};
const renamed = (name: string): ListLie => ({
  name,
  shown: 'word',
  change: ({ items }) => void (items[0][name] = 'Ether ✓ proven'),
});

/** A byte of what proves blocks. */
const inHistory = (list: 'headers' | 'transactions' | 'receipts'): ListLie => ({
  name: `a digit of the ${list}`,
  change({ history, items }) {
    const block = items[0].block_height;
    const given = history[list][block];
    if (typeof given === 'string') history[list][block] = otherDigit(given);
    else given[items[0].tx_offset] = otherDigit(given[items[0].tx_offset]);
  },
});

const ofTransactions = [
  ...['block_height', 'tx_hash', 'tx_offset', 'from_address', 'to_address', 'value', 'fees_paid'],
  ...['successful', 'block_signed_at', 'gas_spent', 'block_hash'],
].map((name) => member(name, first));

const spender = (data: Answered) => first(data).spenders[0];

/** Those of one group are told at once, each in its own section. */
export const listLies: readonly (readonly LiesOf[])[] = [
  [
    {
      place: heldPlace,
      question: 'transactions',
      asks: onPath(/\/transactions_v3\/$/),
      lies: [
        ...ofTransactions,
        ...(['headers', 'transactions', 'receipts'] as const).map(inHistory),
        twice,
        withoutProofs,
        {
          name: 'a block that is called proven',
          change: ({ items, unproven }) => items.unshift(...unproven),
        },
      ],
    },
    {
      place: heldPlace,
      question: 'transfers',
      asks: onPath(/\/transfers_v2\/$/),
      lies: [
        ...['from_address', 'to_address', 'delta', 'contract_address', 'tx_hash'].map((name) =>
          member(name, (data) => first(data).transfers[0]),
        ),
        {
          name: 'the way',
          change: (data) => void (first(data).transfers[0].transfer_type = 'transfer-out'),
        },
        {
          name: 'a transfer too many',
          change: (data) => first(data).transfers.push(first(data).transfers[0]),
        },
        { name: 'a transfer that is left out', change: (data) => first(data).transfers.pop() },
        {
          name: 'the decimals',
          shown: 'truth',
          change: (data) => void (first(data).transfers[0].contract_decimals = 0),
        },
        {
          name: 'the name',
          shown: 'word',
          change: (data) => void (first(data).transfers[0].contract_ticker_symbol = 'USDC'),
        },
        twice,
        inHistory('receipts'),
      ],
    },
    {
      place: heldPlace,
      question: 'nfts',
      asks: onPath(/\/balances_nft\/$/),
      lies: [
        member('balance', first),
        member('token_id', (data) => first(data).nft_data[0]),
        {
          name: 'the owner',
          change: (data) => void (first(data).nft_data[0].current_owner = bob),
        },
        { name: 'the standard', change: (data) => void (first(data).supports_erc = ['erc1155']) },
        {
          name: 'an id of somebody else',
          change: (data) => void (first(data).nft_data[0].token_id = '1'),
        },
        renamed('contract_name'),
        twice,
        withoutProofs,
      ],
    },
    {
      place: heldPlace,
      question: 'allowances',
      asks: onPath(/\/v1\/[^/]+\/approvals\/[^/]+\/$/),
      lies: [
        { name: 'the allowance', change: (data) => void (spender(data).allowance = '1') },
        member('balance', first),
        member('spender_address', spender),
        { name: 'Permit2', change: (data) => void (spender(data).permit2 = true) },
        {
          name: 'the end',
          change: (data) => void (spender(data).expires_at = '2030-01-01T00:00:00Z'),
        },
        member('value_at_risk', spender, 'truth'),
        {
          name: 'the decimals',
          shown: 'truth',
          change: (data) => void (first(data).contract_decimals = 0),
        },
        member('block_signed_at', spender, 'word'),
        renamed('ticker_symbol'),
        { name: 'no spender', change: (data) => void (first(data).spenders = []) },
        twice,
      ],
    },
    {
      place: heldPlace,
      question: 'nftApprovals',
      asks: onPath(/\/nft\/approvals\/[^/]+\/$/),
      lies: [
        member('spender_address', spender),
        {
          name: 'ids',
          change: (data) =>
            void Object.assign(spender(data), { token_ids_approved: '1', allowance: '1' }),
        },
        { name: 'the count', change: (data) => void (spender(data).allowance = '7') },
        member('token_id', (data) => first(data).token_balances[0]),
        renamed('contract_address_label'),
        twice,
      ],
    },
  ],
  [
    {
      place: tokenPlace,
      question: 'holders',
      asks: onPath(/\/token_holders_v2\/$/),
      lies: [
        member('balance', first),
        member('total_supply', first),
        member('block_height', first),
        { name: 'a holder who has less', change: (data) => void (first(data).address = bob) },
        {
          name: 'the decimals',
          shown: 'truth',
          change: (data) => void (first(data).contract_decimals = 0),
        },
        {
          name: 'a holder who is left out',
          shown: 'word',
          change: (data) => void (data.items = data.items.slice(1)),
        },
        renamed('contract_name'),
        twice,
        withoutProofs,
      ],
    },
  ],
  [
    {
      place: tokenPlace,
      question: 'token',
      asks: ({ method }) => method === 'eth_getCode',
      lies: [
        {
          name: 'the code',
          change: (body) => void (body.result = otherDigit(body.result, body.result.length - 120)),
        },
      ],
    },
  ],
];
