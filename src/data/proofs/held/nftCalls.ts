/** What contracts are asked about tokens with ids. */
import { decodeString, decodeUint256 } from '../../../abi/answers.js';
import type { AbiCall } from '../../../abi/call.js';
import { amountCall, ownerCall, uriCall } from '../../../abi/tokens.js';
import type { Hex } from '../../../bytes.js';
import { toTokenUrl } from '../../../decode/receipt/tokenUrl.js';
import { ownNamed } from '../../../foreign/members.js';
import type { NftData } from '../../items/nftItem.js';
import { notProven, readAmount } from '../tokenCalls.js';
import { askIfProven, type Work } from '../work.js';

const standards = ['erc721', 'erc1155'] as const;
type NftStandard = (typeof standards)[number];

/** A token by the standard that its contract is asked by. */
export interface AskedNft {
  readonly standard: NftStandard;
  /** In lower case. */
  readonly contract: Hex;
  readonly id: bigint;
}

/** The standard that an item says; its contract is asked by it. @throws DataError */
export function nftStandardOf(given: readonly string[] | null | undefined): NftStandard {
  const [named, ...others] = given ?? [];
  const standard = standards.find((one) => one === named);
  if (standard === undefined || others.length > 0) {
    throw notProven('its standard is not one of erc721 and erc1155');
  }
  return standard;
}

export const readId = (given: string): bigint => readAmount(given, 'token_id');

/** @param what the contract says how much it is @throws DataError */
export async function checkAsked(
  work: Work,
  call: AbiCall,
  { expected, what }: { readonly expected: bigint; readonly what: string },
): Promise<void> {
  const found = decodeUint256(await work.ask(call));
  if (found === expected) return;
  throw notProven(
    found === undefined ? `the contract does not say ${what}` : `the contract says another ${what}`,
  );
}

/** The call that says whether a wallet has a token, or how much of it. @param wallet in lower case */
export const holdCall = ({ standard, contract, id }: AskedNft, wallet: Hex): AbiCall =>
  standard === 'erc721' ? ownerCall(contract, id) : amountCall(contract, { wallet, id });

/**
 * Checks that a wallet has so much of a token: of ERC-721, that it is the owner.
 *
 * @param wallet in lower case
 * @throws DataError, EvmError, ProofError
 */
export async function checkHeld(
  work: Work,
  token: AskedNft,
  { wallet, amount }: { readonly wallet: Hex; readonly amount: bigint },
): Promise<void> {
  const isOne = token.standard === 'erc721';
  if (isOne ? amount !== 1n : amount === 0n) throw notProven('its balance is not one that can be');
  const asked = isOne
    ? { expected: BigInt(wallet), what: 'owner' }
    : { expected: amount, what: 'balance' };
  await checkAsked(work, holdCall(token, wallet), asked);
}

/**
 * The URL that the contract names for a token; undefined if the server says none, or nothing proves it: an answer that is no
 * text, or a long one, counts for nothing.
 *
 * @throws DataError if the contract names another one; EvmError, ProofError
 */
async function findUrl(
  work: Work,
  token: AskedNft,
  claimed: string | null | undefined,
): Promise<string | undefined> {
  if (claimed === null || claimed === undefined) return undefined;
  const answer = (await askIfProven(work, uriCall(token.standard, token)))?.answer;
  const text = answer && decodeString(answer);
  if (text === undefined) return undefined;
  if (toTokenUrl(token, text) === claimed) return claimed;
  throw notProven('the contract names another token_url');
}

/**
 * A token as it stands in verified items. Who had it first is known by events alone, and left out.
 *
 * @param owner proven; null for ERC-1155
 * @throws DataError, EvmError, ProofError
 */
export async function provenToken(
  given: NftData,
  token: AskedNft,
  { owner, work }: { readonly owner: Hex | null; readonly work: Work },
): Promise<NftData> {
  const { current_owner: named } = given;
  if (named !== null && named !== undefined && named.toLowerCase() !== owner) {
    throw notProven('the current_owner of a token is another one');
  }
  const url = await findUrl(work, token, given.token_url);
  return {
    token_id: String(token.id),
    current_owner: owner,
    ...(url !== undefined && { token_url: url }),
    ...ownNamed(given, ['external_data']),
  };
}
