/** `GET /v1/{chain_name}/approvals/{address}/`: who may spend a wallet's ERC-20 tokens, and how much is at risk. */
import { z } from '@hono/zod-openapi';
import { toAllowanceText, toExpiryText, toRiskFactor } from '../../../abi/allowances.js';
import { addressWidth, type Hex } from '../../../bytes.js';
import type { Decimal } from '../../../decode/context/quote.js';
import type { TokenMetadata } from '../../../decode/index.js';
import { cleanName, cleanUrl } from '../../../decode/receipt/text.js';
import type { Index, Spender } from '../../../indexer/index.js';
import { askPrices } from '../../chain/prices.js';
import { type AllowedToken, readAllowances } from '../../data/allowances.js';
import { learnNames } from '../../data/balances.js';
import { pricesByAddress, toQuote, toRate } from '../../data/items.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { attemptDecimals, citeScaled } from '../../proving/scaled.js';
import { addressParameter } from '../../rest/table.js';
import { addressOf, createCursors } from '../common/cursor.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { PieceWriter } from '../common/json.js';
import { wholePageQuery } from '../common/parameters.js';
import { proofsQuery, provenItems, writeProvenList } from '../common/proofs.js';
import { amount, cursorPagination, head, hex, number, text, time } from '../common/schemas.js';
import { needReceipts } from '../common/settled.js';
import { type ApprovalsQuestion, readApprovals, toApprovalsQuestion } from './approvalPages.js';
import { findPlaces, placeMembers } from './approvalPlaces.js';

const description = `Tokens of which others may take something, and who they are: every spender that the wallet ever approved by an event is asked about, at
\`block_height\`, so allowances that were spent or taken back without an event are right. Spenders whom Permit2 lets take tokens have \`permit2\` (ours) and
\`expires_at\` (ours), and are left out once expired. \`value_at_risk\` of a spender is the least of its allowance and the balance, with Permit2 also of what the wallet
lets Permit2 take; that of a token is the least of the balance and all that its contract allows to the spenders of the page. \`risk_factor\` compares amounts, and says nothing
about who the spender is: \`CONSIDER REVOKING\` if the allowance is unlimited or at least the balance. A contract can claim any allowance, for any wallet.
Ours is paging: a page has so many approvals that events have made, so it may have fewer spenders, or none; a token whose spenders are on two pages is on both.

Ours too: with \`proofs=true\`, if the service has a state of its own, \`proofs\` proves what a token's contract, and Permit2, said: the balance, each allowance, that of Permit2 for a
spender who goes by it, and \`decimals()\` if that can be proven. As for \`balances_v2\`, a token that cannot be shown stands in \`unproven\`.`;

const item = z.object({
  token_address: hex(20),
  token_address_label: text.openapi({ description: 'The name that the contract gives itself' }),
  ticker_symbol: text,
  contract_decimals: number,
  logo_url: text,
  quote_rate: number,
  balance: amount.nullable().openapi({ description: 'Null if the contract does not say it' }),
  balance_quote: number,
  pretty_balance_quote: text,
  value_at_risk: amount.nullable(),
  value_at_risk_quote: number,
  pretty_value_at_risk_quote: text,
  spenders: z.array(
    z.object({
      ...placeMembers,
      spender_address: hex(20),
      spender_address_label: z.null(),
      allowance: z
        .string()
        .regex(/^(\d+|UNLIMITED)$/)
        .openapi({ description: 'In smallest units, or `UNLIMITED`' }),
      allowance_quote: number,
      pretty_allowance_quote: text,
      value_at_risk: amount.nullable(),
      value_at_risk_quote: number,
      pretty_value_at_risk_quote: text,
      risk_factor: z.enum(['CONSIDER REVOKING', 'LOW RISK']),
      permit2: z.boolean().openapi({ description: 'Ours: whether Permit2 keeps the allowance' }),
      expires_at: time.nullable().openapi({
        description:
          'Ours: the last second in which Permit2 lets the spender take something; null beyond the year 9999, and without Permit2',
      }),
    }),
  ),
});

type SpenderKey = Pick<Spender, 'contract' | 'isPermit' | 'spender'>;

const kind = {
  name: 'approvals',
  cursors: createCursors('approvals', [addressWidth, 1, addressWidth]),
  toNumbers: ({ contract, isPermit, spender }: SpenderKey) => [
    ...[BigInt(contract), isPermit ? 1 : 0, BigInt(spender)],
  ],
  fromNumbers: (numbers: readonly bigint[]): SpenderKey => {
    const [contract, isPermit, spender] = numbers as [bigint, bigint, bigint];
    return {
      ...{ contract: addressOf(contract), isPermit: isPermit !== 0n },
      spender: addressOf(spender),
    };
  },
  read: (index: Index, owner: Hex, part: { after: SpenderKey | undefined; limit: number }) =>
    index.spenders(owner, part),
  count: (index: Index, owner: Hex, limit: number) => index.countSpenders(owner, limit),
};

/** What an item is worded with. */
interface Wording {
  readonly tokens: ReadonlyMap<string, TokenMetadata>;
  readonly prices: ReadonlyMap<string, Decimal>;
  readonly placeOf: Awaited<ReturnType<typeof findPlaces>>;
}

function toItem(
  { contract, balance, atRisk, allowances }: AllowedToken,
  { tokens, prices, placeOf }: Wording,
): z.input<typeof item> {
  const { name, symbol, decimals, logo } = tokens.get(contract) ?? {};
  const price = prices.get(contract);
  const worth = (value: bigint | undefined) =>
    value === undefined ? { quote: null, pretty: null } : toQuote(value, decimals, price);
  const text = (value: bigint | undefined) => (value === undefined ? null : String(value));
  const [held, risked] = [worth(balance), worth(atRisk)];
  return {
    token_address: contract,
    token_address_label: cleanName(name) ?? null,
    ticker_symbol: cleanName(symbol) ?? null,
    contract_decimals: decimals ?? null,
    logo_url: cleanUrl(logo) ?? null,
    quote_rate: toRate(price),
    balance: text(balance),
    balance_quote: held.quote,
    pretty_balance_quote: held.pretty,
    value_at_risk: text(atRisk),
    value_at_risk_quote: risked.quote,
    pretty_value_at_risk_quote: risked.pretty,
    spenders: allowances.map((allowance) => {
      const { spender, amount, isUnlimited, atRisk: own } = allowance;
      const allowed = worth(isUnlimited ? undefined : amount);
      const lost = worth(own);
      // Not spread: on Node 20, that takes ten times as long. Nor added to the place: several may share one.
      return Object.assign({}, placeOf(spender), {
        spender_address: spender.spender,
        spender_address_label: null,
        allowance: toAllowanceText(allowance),
        allowance_quote: allowed.quote,
        pretty_allowance_quote: allowed.pretty,
        value_at_risk: text(own),
        value_at_risk_quote: lost.quote,
        pretty_value_at_risk_quote: lost.pretty,
        risk_factor: toRiskFactor(allowance, balance),
        permit2: spender.isPermit,
        expires_at: toExpiryText(allowance),
      });
    }),
  };
}

/** Blocks in which the tokens were seen, for their names. */
const seenIn = (tokens: readonly AllowedToken[]) =>
  tokens.map(({ contract, allowances }) => ({
    contract,
    lastBlock: allowances.reduce((newest, { spender }) => Math.max(newest, spender.block), 0),
  }));

async function writeApprovals(question: ApprovalsQuestion, working: Working) {
  const { access, context, prover } = working;
  const { chain, ledger, log } = access;
  const { number: block } = working.at;
  needReceipts(access);
  const { approvals: spenders, before } = await readApprovals(kind, question, working);
  const { timestamp: time } = await heldBlock(ledger, block);
  const allowed = await readAllowances(question.owner, spenders, { block, time }, working);
  const contracts = allowed.map(({ contract }) => contract);
  if (prover) await attemptDecimals(contracts, { prover, context });
  const all = allowed.flatMap(({ allowances }) => allowances.map(({ spender }) => spender));
  const placeOf = await findPlaces(all, block, working);
  const tokens = await learnNames(access, seenIn(allowed), context);
  const asked = {
    ...{ chainName: chain.name, chainId: chain.id },
    ...{ addresses: contracts, timestamp: undefined },
  };
  const { prices } = await askPrices(access.prices, asked, log);
  const wording = { tokens, prices: pricesByAddress(prices), placeOf };
  const cited = allowed.map((token) => ({
    item: toItem(token, wording),
    accounts: citeScaled(prover, token.contract, token.calls),
  }));
  const writer = new PieceWriter(context.pause);
  const json = await writeProvenList(
    { ...before, quote_currency: 'USD' },
    cited,
    working,
    ({ spenders, ...token }) => writer.list(token, ['spenders', spenders]),
  );
  return { json };
}

const keyOf = (question: ApprovalsQuestion) => `approvals ${JSON.stringify(question)}`;

export const approvals: DataRoute = (data) =>
  defineChainRoute({
    title: 'approvals of a wallet',
    path: '/v1/{chain_name}/approvals/{address}/',
    summary: 'Who may spend the ERC-20 tokens of a wallet',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: { ...proofsQuery, ...wholePageQuery },
    answer: enveloped({
      name: 'Approvals',
      description: 'A page of tokens with their spenders',
      data: z.object({
        ...head,
        address: hex(20),
        quote_currency: z.string(),
        pagination: cursorPagination,
        ...provenItems(item),
      }),
    }),
    question: toApprovalsQuestion,
    cost: () => 1,
    ...provable(keyOf, writeApprovals),
  });
