/** Holds tokens with ids, and who has them, against the state under a trusted root. */
import { decodeUint256 } from '../../../abi/answers.js';
import { balanceCall, ownerCall } from '../../../abi/tokens.js';
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type {
  NftData,
  NftOwnerItem,
  NftTokenItem,
  WalletNftsItem,
  WalletTokenItem,
} from '../../items/nftItem.js';
import type { Trust } from '../../wire/trust.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven, readAmount } from '../tokenCalls.js';
import type { Work } from '../work.js';
import {
  type AskedNft,
  checkAsked,
  checkHeld,
  holdCall,
  nftStandardOf,
  provenToken,
  readId,
} from './nftCalls.js';

/** Members about a contract that are the server's word. */
const named = ['contract_name', 'contract_ticker_symbol', 'is_spam', 'type'] as const;

const lower = (address: string): Hex => address.toLowerCase() as Hex;

/** Whom a token names as its owner: of ERC-1155 nobody, for it may have many. */
const ownerOf = ({ standard }: AskedNft, wallet: Hex): Hex | null =>
  standard === 'erc721' ? wallet : null;

/** What the tokens of an ERC-1155 contract that a wallet has add up to. @throws DataError, EvmError, ProofError */
async function askSum(tokens: readonly AskedNft[], wallet: Hex, work: Work): Promise<bigint> {
  // An item without calls would count as verified though nothing was asked.
  if (tokens.length === 0) throw notProven('it names no token that the wallet has');
  let sum = 0n;
  for (const token of tokens) {
    const amount = decodeUint256(await work.ask(holdCall(token, wallet)));
    if (!amount) throw notProven(`the wallet has nothing of the token ${token.id}`);
    sum += amount;
  }
  return sum;
}

/**
 * What a wallet has, by contracts.
 *
 * @param wallet in lower case
 * @throws TypeError or RangeError for a wrong anchor, network or fork
 */
export function createWalletNftsVerifier(wallet: Hex, trust: Trust): PageVerifier<WalletNftsItem> {
  // Over all pages.
  const once = createOnce();
  return createPageVerifier(openGround(trust), {
    nameOf: ({ contract_address: contract }) => `what the wallet has of ${contract}`,
    callsOf: ({ nft_data: tokens }) => 1 + 2 * (tokens?.length ?? 0),
    async check(item, work) {
      const standard = nftStandardOf(item.supports_erc);
      const contract = lower(item.contract_address);
      const balance = readAmount(item.balance, 'balance');
      const given = item.nft_data ?? [];
      const tokens = given.map(({ token_id: id }) => ({ standard, contract, id: readId(id) }));
      once(`${contract} ${standard}`);
      if (new Set(tokens.map(({ id }) => id)).size < tokens.length) {
        throw notProven('a token comes twice');
      }
      if (standard === 'erc721') {
        const asked = { expected: balance, what: 'balance' };
        await checkAsked(work, balanceCall(contract, wallet), asked);
        for (const token of tokens) await checkHeld(work, token, { wallet, amount: 1n });
      } else if ((await askSum(tokens, wallet, work)) !== balance) {
        throw notProven('its tokens add up to another balance');
      }
      const proven: NftData[] = [];
      for (const [i, token] of tokens.entries()) {
        const owner = ownerOf(token, wallet);
        proven.push(await provenToken(given[i] as NftData, token, { owner, work }));
      }
      return {
        contract_address: item.contract_address,
        ...ownNamed(item, [...named, 'last_transfered_at']),
        supports_erc: [standard],
        balance: String(balance),
        nft_data: item.nft_data ? proven : null,
        verified: true,
      };
    },
    assumed: ['completeness', 'names', 'times', 'documents'],
  });
}

/** 20 bytes as the number that a contract answers. @throws DataError */
function readOwner(owner: Hex): bigint {
  if (!/^0x[0-9a-f]{40}$/.test(owner)) throw notProven('its current_owner is no address');
  return BigInt(owner);
}

const nameOfToken = (id: string, contract: string) => `the token ${id} of ${contract}`;

/**
 * What a wallet has of one contract, by tokens.
 *
 * @param wallet in lower case
 * @throws TypeError or RangeError for a wrong anchor, network or fork
 */
export function createWalletTokensVerifier(
  wallet: Hex,
  trust: Trust,
): PageVerifier<WalletTokenItem> {
  const once = createOnce();
  return createPageVerifier(openGround(trust), {
    nameOf: ({ token_id: id, contract_address: contract }) => nameOfToken(id, contract),
    callsOf: () => 2,
    async check(item, work) {
      const standard = nftStandardOf(item.supports_erc);
      const token = { standard, contract: lower(item.contract_address), id: readId(item.token_id) };
      const amount = readAmount(item.balance, 'balance');
      once(`${token.id} ${standard}`);
      await checkHeld(work, token, { wallet, amount });
      const { nft_data: given } = item;
      if (given && readId(given.token_id) !== token.id)
        throw notProven('its nft_data is of another');
      const owner = ownerOf(token, wallet);
      return {
        contract_address: item.contract_address,
        ...ownNamed(item, [...named, 'last_transfered_at']),
        token_id: String(token.id),
        supports_erc: [standard],
        balance: String(amount),
        nft_data: given ? await provenToken(given, token, { owner, work }) : null,
        verified: true,
      };
    },
    assumed: ['completeness', 'names', 'times', 'documents'],
  });
}

/** The tokens of a contract. @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createNftTokensVerifier(trust: Trust): PageVerifier<NftTokenItem> {
  const once = createOnce();
  return createPageVerifier(openGround(trust), {
    nameOf: ({ nft_data: { token_id: id }, contract_address: contract }) =>
      nameOfToken(id, contract),
    callsOf: () => 2,
    async check(item, work) {
      const { nft_data: given } = item;
      const { token_id: id, current_owner: claimed } = given;
      const owner = typeof claimed === 'string' ? lower(claimed) : null;
      const token: AskedNft = {
        standard: owner === null ? 'erc1155' : 'erc721',
        ...{ contract: lower(item.contract_address), id: readId(id) },
      };
      once(String(token.id));
      if (owner !== null) {
        const asked = { expected: readOwner(owner), what: 'owner' };
        await checkAsked(work, ownerCall(token.contract, token.id), asked);
      }
      const proven = await provenToken(given, token, { owner, work });
      // That somebody has some of an ERC-1155 token is nothing that its contract says: nothing is proven but the URL.
      if (owner === null && proven.token_url === undefined) return undefined;
      return {
        contract_address: item.contract_address,
        ...ownNamed(item, named),
        nft_data: proven,
        verified: true,
      };
    },
    assumed: ['completeness', 'names', 'documents'],
  });
}

/** Who has a token. @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createNftOwnersVerifier(trust: Trust): PageVerifier<NftOwnerItem> {
  const once = createOnce();
  return createPageVerifier(openGround(trust), {
    nameOf: ({ address }) => `what ${address} has of the token`,
    callsOf: () => 1,
    async check(item, work) {
      const standard = nftStandardOf(item.supports_erc);
      const token = { standard, contract: lower(item.contract_address), id: readId(item.token_id) };
      const wallet = lower(item.address);
      const amount = readAmount(item.balance, 'balance');
      once(`${standard} ${wallet}`);
      await checkHeld(work, token, { wallet, amount });
      return {
        contract_address: item.contract_address,
        ...ownNamed(item, named),
        token_id: String(token.id),
        address: item.address,
        balance: String(amount),
        supports_erc: [standard],
        verified: true,
      };
    },
    assumed: ['completeness', 'names'],
  });
}
