/** Holds approvals of NFTs against the state under a trusted root: contracts are asked again who may take what. */
import { decodeAddress, decodeTrue, decodeUint256 } from '../../../abi/answers.js';
import type { AbiCall } from '../../../abi/call.js';
import { approvedCalls, approvedForAllCall, holdingCalls, ownerCall } from '../../../abi/tokens.js';
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type { NftApprovalsItem, NftSpenderItem } from '../../items/approvalItem.js';
import type { Trust } from '../../wire/trust.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { type NamedToken, notProven, readAmount } from '../tokenCalls.js';
import { isUndecided, type Work } from '../work.js';

/** Members that stay as the server words them. */
const claimed = ['contract_address_label', 'contract_ticker_symbol'] as const;

/** The same of a spender: where it was approved last. */
const claimedOfSpender = [
  ...(['block_height', 'tx_offset', 'log_offset', 'block_signed_at', 'tx_hash'] as const),
] as const;

const standards = ['erc721', 'erc1155'] as const;
type Standard = (typeof standards)[number];

const nobody = /^0x0{40}$/;

const idTexts = ({ token_ids_approved: text }: NftSpenderItem): readonly string[] =>
  typeof text === 'string' ? text.split(',') : [];

/** The tokens that an item says a spender may take; undefined: all. @throws DataError */
function readIds(item: NftSpenderItem): readonly bigint[] | undefined {
  const isAll = item.token_ids_approved === 'ALL';
  const ids = isAll
    ? undefined
    : idTexts(item).map((text) => readAmount(text, 'token_ids_approved'));
  if (ids?.length === 0) throw notProven('a spender may take nothing');
  const count = ids === undefined ? 'UNLIMITED' : String(ids.length);
  if (item.allowance === count) return ids;
  throw notProven(`an allowance is ${count}, but the server says ${item.allowance}`);
}

/** The call whose answer is whether a wallet has a token, and what the answer then is. */
function tokenCall(
  standard: Standard,
  { contract, wallet }: { readonly contract: Hex; readonly wallet: Hex },
  { id, amount }: NamedToken,
): AbiCall & { readonly expected: bigint } {
  if (standard === 'erc721') return { ...ownerCall(contract, id), expected: BigInt(wallet) };
  const [call] = holdingCalls('erc1155', { contract, wallet }, [id]);
  return { ...(call as AbiCall), expected: amount };
}

/** @param owner in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createNftApprovalsVerifier(
  owner: Hex,
  trust: Trust,
): PageVerifier<NftApprovalsItem> {
  /** Over all pages: a contract may be on several of them, an approval is on one. */
  const once = createOnce();

  /** @throws DataError, EvmError, ProofError */
  async function checkSpender(
    item: NftSpenderItem,
    contract: Hex,
    work: Work,
  ): Promise<NftSpenderItem> {
    const spender = item.spender_address.toLowerCase() as Hex;
    const ids = readIds(item);
    const answerTo = async (call: AbiCall) => (await work.ask(call)) ?? new Uint8Array(0);
    if (ids === undefined) {
      const call = approvedForAllCall(contract, { owner, spender });
      once(`${call.to} ${call.data}`);
      if (!decodeTrue(await answerTo(call))) throw notProven(`${spender} may not take all`);
    } else if (nobody.test(spender)) throw notProven('a spender is nobody');
    for (const id of ids ?? []) {
      const [ownerOf, approved] = approvedCalls(contract, id) as [AbiCall, AbiCall];
      once(`${contract} ${id}`);
      if (decodeAddress(await answerTo(ownerOf)) !== owner) {
        throw notProven(`the wallet does not have the token ${id}`);
      }
      if (decodeAddress(await answerTo(approved)) !== spender) {
        throw notProven(`${spender} may not take the token ${id}`);
      }
    }
    return {
      spender_address: spender,
      ...ownNamed(item, claimedOfSpender),
      token_ids_approved: ids === undefined ? 'ALL' : ids.join(','),
      allowance: item.allowance,
    };
  }

  /** The standard by which the wallet has a token. @throws DataError, EvmError, ProofError */
  async function standardOf(
    token: NamedToken,
    { contract, named }: { readonly contract: Hex; readonly named: readonly Standard[] },
    work: Work,
  ): Promise<Standard> {
    for (const standard of named) {
      if (standard === 'erc721' && token.amount !== 1n) continue;
      const { expected, ...call } = tokenCall(standard, { contract, wallet: owner }, token);
      // Of a contract of both standards, the other one decides.
      const found = await work.ask(call).catch((cause) => {
        if (isUndecided(cause)) return undefined;
        throw cause;
      });
      if (decodeUint256(found) === expected) return standard;
    }
    throw notProven(`that the wallet has ${token.amount} of the token ${token.id} is not shown`);
  }

  /** @throws DataError, EvmError, ProofError */
  async function check(item: NftApprovalsItem, work: Work): Promise<NftApprovalsItem> {
    const contract = item.contract_address.toLowerCase() as Hex;
    // An item without spenders would count as verified though nobody may take anything.
    if (item.spenders.length === 0) throw notProven('it names no spender');
    const spenders: NftSpenderItem[] = [];
    for (const one of item.spenders) spenders.push(await checkSpender(one, contract, work));
    const named = standards.filter((standard) => item.supports_erc?.includes(standard));
    const held = new Set<string>();
    const used = new Set<Standard>();
    const tokens = [];
    for (const given of item.token_balances ?? []) {
      const id = readAmount(given.token_id, 'token_id');
      const amount = readAmount(given.token_balance, 'token_balance');
      if (amount === 0n) throw notProven(`the wallet does not have the token ${id}`);
      const left = named.filter((standard) => !held.has(`${standard} ${id}`));
      const standard = await standardOf({ id, amount }, { contract, named: left }, work);
      held.add(`${standard} ${id}`);
      used.add(standard);
      tokens.push({ token_id: String(id), token_balance: String(amount) });
    }
    return {
      contract_address: contract,
      ...ownNamed(item, claimed),
      supports_erc: [...used],
      token_balances: tokens,
      spenders,
      verified: true,
    };
  }

  return createPageVerifier(openGround(trust), {
    nameOf: ({ contract_address: contract }) => `what others may take of ${contract}`,
    callsOf: ({ spenders, token_balances: tokens }) =>
      spenders.reduce((sum, one) => sum + 2 * idTexts(one).length, 2 * (tokens?.length ?? 0)),
    check,
    assumed: ['completeness', 'names', 'times'],
  });
}
