/** The questions to a contract whose answers are what an item says. */
import type { AbiCall } from '../../abi/call.js';
import { holdingCalls } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { BalanceItem } from '../items/balanceItem.js';
import { DataError } from '../wire/errors.js';

interface TokenCall extends AbiCall {
  readonly expected: bigint;
}

/** A token of a collection. */
export interface NamedToken {
  readonly id: bigint;
  readonly amount: bigint;
}

const standards = ['erc20', 'erc721', 'erc1155'] as const;
type Standard = (typeof standards)[number];

/** What an item says, read. */
export interface ClaimedHolding {
  /** Undefined: the native token. */
  readonly standard: Standard | undefined;
  readonly balance: bigint;
  readonly tokens: readonly NamedToken[];
}

/** The address that stands for the native token in lists of contracts. */
export const nativeAddress = `0x${'e'.repeat(40)}`;

export const notProven = (message: string) => new DataError('NOT_VERIFIED', message);

const limit = 2n ** 256n;

/** A whole number of 256 bits in decimal. @throws DataError */
export function readAmount(text: unknown, name: string): bigint {
  const value = typeof text === 'string' && /^\d{1,78}$/.test(text) ? BigInt(text) : limit;
  if (value >= limit) throw notProven(`its ${name} is not a 256-bit integer`);
  return value;
}

/** What a token says of its owner can only be the wallet. @throws DataError */
function checkOwner(token: Readonly<Record<string, unknown>>, wallet: Hex): void {
  for (const name of ['owner', 'owner_address'] as const) {
    const owner = token[name] ?? wallet;
    if (typeof owner !== 'string' || owner.toLowerCase() !== wallet) {
      throw notProven(`the ${name} of a token is not the wallet`);
    }
  }
}

function standardOf(item: BalanceItem): Standard | undefined {
  const contract = item.contract_address.toLowerCase();
  if (item.native_token) {
    if (contract !== nativeAddress) throw notProven(`${contract} is not its address`);
    return undefined;
  }
  const [named, ...others] = item.supports_erc ?? [];
  const standard = standards.find((one) => one === named);
  if (standard === undefined || others.length > 0) {
    throw notProven('its standard is not one of erc20, erc721 and erc1155');
  }
  return standard;
}

/** @param wallet in lower case @throws DataError `NOT_VERIFIED` if the item cannot be right, whatever the contract says */
export function parseHolding(item: BalanceItem, wallet: Hex): ClaimedHolding {
  const balance = readAmount(item.balance, 'balance');
  const tokens = (item.nft_data ?? []).map((token): NamedToken => {
    checkOwner(token, wallet);
    return {
      id: readAmount(token.token_id, 'token_id'),
      amount: readAmount(token.token_balance, 'token_balance'),
    };
  });
  if (new Set(tokens.map(({ id }) => id)).size < tokens.length)
    throw notProven('a token comes twice');
  const standard = standardOf(item);
  if (standard === 'erc721') {
    if (tokens.some(({ amount }) => amount !== 1n)) throw notProven('a token is there once');
  } else if (standard === 'erc1155') {
    // An item without calls would count as verified though nothing was asked.
    if (tokens.length === 0 || tokens.some(({ amount }) => amount === 0n)) {
      throw notProven('it names no token that the wallet holds');
    }
    const sum = tokens.reduce((total, { amount }) => total + amount, 0n);
    if (sum !== balance) throw notProven(`its tokens are ${sum}, but the server says ${balance}`);
  } else if (tokens.length > 0) throw notProven('its nft_data is of no collection');
  return { standard, balance, tokens };
}

/** The calls that an item of a contract rests on. @param to the contract @param wallet both in lower case */
export function toTokenCalls(
  { standard = 'erc20', balance, tokens }: ClaimedHolding,
  to: Hex,
  wallet: Hex,
): TokenCall[] {
  const ids = tokens.map(({ id }) => id);
  const expected =
    standard === 'erc1155'
      ? tokens.map(({ amount }) => amount)
      : [balance, ...ids.map(() => BigInt(wallet))];
  return holdingCalls(standard, { contract: to, wallet }, ids).map((call, i) => ({
    ...call,
    expected: expected[i] as bigint,
  }));
}
