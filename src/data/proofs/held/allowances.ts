/** Holds allowances against the state under a trusted root: tokens, and Permit2, are asked again, and what is at risk worked out. */
import {
  decodeAllowed,
  permit2Address,
  permit2Call,
  spenderCall,
  toAllowanceText,
  toExpiryText,
  toRisk,
  toRiskFactor,
} from '../../../abi/allowances.js';
import { decodeUint256 } from '../../../abi/answers.js';
import type { AbiCall } from '../../../abi/call.js';
import { holdingCalls } from '../../../abi/tokens.js';
import type { Hex } from '../../../bytes.js';
import { ownNamed } from '../../../foreign/members.js';
import type { AllowancesItem, SpenderItem } from '../../items/approvalItem.js';
import type { Trust } from '../../wire/trust.js';
import { openGround } from '../ground.js';
import { createOnce, createPageVerifier, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import { decimalsOf, type Work } from '../work.js';

/** Members that stay as the server words them. */
const claimed = [
  ...(['token_address_label', 'ticker_symbol', 'logo_url', 'quote_rate'] as const),
  ...(['balance_quote', 'pretty_balance_quote'] as const),
  ...(['value_at_risk_quote', 'pretty_value_at_risk_quote'] as const),
] as const;

/** The same of a spender: where it was approved last, and quotes. */
const claimedOfSpender = [
  ...(['block_height', 'tx_offset', 'log_offset', 'block_signed_at', 'tx_hash'] as const),
  ...(['allowance_quote', 'pretty_allowance_quote'] as const),
  ...(['value_at_risk_quote', 'pretty_value_at_risk_quote'] as const),
] as const;

/** @throws DataError if the server says something else */
function checkSame(name: string, found: string | null, given: string | null | undefined): void {
  const told = given ?? null;
  if (told !== found) throw notProven(`its ${name} is ${found}, but the server says ${told}`);
}

/** What is known of the wallet and the token as its spenders are looked at. */
interface SpenderQuestion {
  readonly token: Hex;
  readonly balance: bigint | undefined;
  /** How much Permit2 may take. */
  readonly ofPermit2: bigint;
}

/** @param owner in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createAllowancesVerifier(owner: Hex, trust: Trust): PageVerifier<AllowancesItem> {
  const ground = openGround(trust);
  /** Over all pages: a token may be on several of them, a spender of it is on one. */
  const once = createOnce();

  /** @throws DataError, EvmError, ProofError */
  async function checkSpender(
    item: SpenderItem,
    { token, balance, ofPermit2 }: SpenderQuestion,
    work: Work,
  ) {
    const spender = item.spender_address.toLowerCase() as Hex;
    const isPermit = item.permit2 === true;
    const call = spenderCall({ spender, isPermit }, { owner, token });
    once(`${call.to} ${call.data}`);
    const allowed = decodeAllowed(await work.ask(call), { isPermit });
    if (allowed === undefined) throw notProven(`no allowance of ${spender} is known`);
    const { amount, expiry } = allowed;
    if (amount === 0n) throw notProven(`${spender} may take nothing`);
    const text = toAllowanceText(allowed);
    if (item.allowance !== String(amount)) checkSame('allowance', text, item.allowance);
    checkSame('expires_at', toExpiryText(allowed), item.expires_at);
    // Permit2 refuses in blocks later than that.
    const { proven: time } = ground.findRules();
    if (expiry !== undefined && time !== undefined && expiry < time) {
      throw notProven(`what ${spender} could take has expired`);
    }
    const atRisk = toRisk(balance, amount, ...(isPermit ? [ofPermit2] : []));
    const verified: SpenderItem = {
      spender_address: spender,
      ...ownNamed(item, claimedOfSpender),
      allowance: text,
      value_at_risk: atRisk === undefined ? null : String(atRisk),
      risk_factor: toRiskFactor(allowed, balance),
      permit2: isPermit,
      expires_at: toExpiryText(allowed),
    };
    return { spender, isPermit, amount, verified };
  }

  /** @throws DataError, EvmError, ProofError */
  async function check(item: AllowancesItem, work: Work): Promise<AllowancesItem> {
    const token = item.token_address.toLowerCase() as Hex;
    // An item without spenders would count as verified though nobody may take anything.
    if (item.spenders.length === 0) throw notProven('it names no spender');
    const amountOf = async (call: AbiCall) => decodeUint256(await work.ask(call));
    const [balanceCall] = holdingCalls('erc20', { contract: token, wallet: owner }, []);
    const balance = await amountOf(balanceCall as AbiCall);
    const balanceText = balance === undefined ? null : String(balance);
    checkSame('balance', balanceText, item.balance);
    const hasPermits = item.spenders.some(({ permit2 }) => permit2 === true);
    const ofPermit2 = hasPermits ? ((await amountOf(permit2Call(owner, token))) ?? 0n) : 0n;
    const spenders = [];
    for (const one of item.spenders) {
      spenders.push(await checkSpender(one, { token, balance, ofPermit2 }, work));
    }
    const direct = spenders.filter(({ isPermit }) => !isPermit);
    const isListed = direct.some(({ spender }) => spender === permit2Address);
    const sum = direct.reduce((total, { amount }) => total + amount, isListed ? 0n : ofPermit2);
    const atRisk = toRisk(balance, sum);
    return {
      token_address: token,
      contract_decimals: await decimalsOf(work, token),
      ...ownNamed(item, claimed),
      balance: balanceText,
      value_at_risk: atRisk === undefined ? null : String(atRisk),
      spenders: spenders.map(({ verified }) => verified),
      verified: true,
    };
  }

  return createPageVerifier(ground, {
    nameOf: ({ token_address: token }) => `what others may take of ${token}`,
    // The balance, the decimals, and what Permit2 may take.
    callsOf: ({ spenders }) => 3 + spenders.length,
    check,
    assumed: ['completeness', 'names', 'quotes', 'times'],
  });
}
