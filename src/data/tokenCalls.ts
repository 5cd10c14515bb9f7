/** The questions to a contract whose answers are what an item says. */
import { encodeHex, type Hex, integerToBytes } from '../bytes.js';
import type { BalanceItem } from './balances.js';
import { DataError } from './errors.js';

export interface TokenCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly expected: bigint;
}

const refuse = (message: string) => new DataError('NOT_VERIFIED', message);

const word = (value: bigint) => encodeHex(integerToBytes(value, 32)).slice(2);

const limit = 2n ** 256n;

/** A whole number of 256 bits in decimal. @throws DataError */
function readAmount(text: unknown, name: string): bigint {
  const value = typeof text === 'string' && /^\d{1,78}$/.test(text) ? BigInt(text) : limit;
  if (value >= limit) throw refuse(`its ${name} is not a 256-bit integer`);
  return value;
}

/** @param wallet in lower case @throws DataError `NOT_VERIFIED` if the item cannot be right, whatever the contract says */
export function callsOf(item: BalanceItem, wallet: Hex): TokenCall[] {
  const { supports_erc: standards, nft_data: given, contract_address } = item;
  const to = contract_address.toLowerCase() as Hex;
  const balance = readAmount(item.balance, 'balance');
  const owner = word(BigInt(wallet));
  // `balanceOf(address)`
  const whole: TokenCall = { to, data: `0x70a08231${owner}`, expected: balance };
  const tokens = (given ?? []).map(({ token_id: id, token_balance: amount }) => ({
    id: readAmount(id, 'token_id'),
    amount: readAmount(amount, 'token_balance'),
  }));
  if (new Set(tokens.map(({ id }) => id)).size < tokens.length) throw refuse('a token comes twice');
  const [standard, ...others] = standards ?? [];
  if (others.length === 0 && standard === 'erc20' && tokens.length === 0) return [whole];
  if (others.length === 0 && standard === 'erc721') {
    if (tokens.some(({ amount }) => amount !== 1n)) throw refuse('a token is there once');
    // `ownerOf(uint256)`
    const owners = tokens.map(({ id }): TokenCall => {
      return { to, data: `0x6352211e${word(id)}`, expected: BigInt(wallet) };
    });
    return [whole, ...owners];
  }
  if (others.length === 0 && standard === 'erc1155') {
    // An item without calls would count as verified though nothing was asked.
    if (tokens.length === 0 || tokens.some(({ amount }) => amount === 0n)) {
      throw refuse('it names no token that the wallet holds');
    }
    const sum = tokens.reduce((total, { amount }) => total + amount, 0n);
    if (sum !== balance) throw refuse(`its tokens are ${sum}, but the server says ${balance}`);
    // `balanceOf(address,uint256)`
    return tokens.map(({ id, amount }) => {
      return { to, data: `0x00fdd58e${owner}${word(id)}`, expected: amount };
    });
  }
  throw refuse('its standard is not one of erc20, erc721 and erc1155');
}
