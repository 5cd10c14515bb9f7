/** What happened in a transaction: its logs, decoded for people. */
import type { DecodedEvent, LogsInput, PoolTokens, TokenMetadata } from '../../decode/index.js';
import type { Hex } from '../../index.js';
import { createAsker } from './contracts.js';
import { grounded } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** How often contracts are asked: tokens, pools, and the tokens of those pools. */
const rounds = 3;

/** Contracts that are asked what they are called: each is some calls. */
const mostContracts = 20;

/** Logs that are decoded. */
const mostLogs = 1000;

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

type Known = { readonly tokens: TokenMetadata[]; readonly pools: PoolTokens[] };

/** Asks tokens and pools what they say of themselves, as long as decoding would like to know more. */
async function learn(
  session: Session,
  logs: Pick<LogsInput, 'receipt' | 'chain' | 'rawLogs'>,
  { unproven, signal }: { unproven: Set<Hex>; signal: AbortSignal },
): Promise<Known> {
  const { missingInPieces } = await import('../../decode/index.js');
  const tokens: TokenMetadata[] = [];
  const pools: PoolTokens[] = [];
  let left = mostContracts;
  for (let round = 0; round < rounds; round++) {
    const missing = await missingInPieces({ ...logs, tokens, pools }, turn);
    if (missing.tokens.length + missing.pools.length === 0) break;
    const asker = createAsker(session, unproven, { signal });
    for (const address of missing.tokens) {
      if (left > 0) tokens.push(await asker.describeToken(address));
      else tokens.push({ address });
      left--;
    }
    for (const address of missing.pools) {
      if (left > 0) pools.push(await asker.describePool(address));
      else pools.push({ address });
      left--;
    }
  }
  return { tokens, pools };
}

export async function answerEvents(
  session: Session,
  { hash }: { hash: Hex },
  { signal, say }: Means,
) {
  const { history, network } = session;
  say('Proving the receipt');
  await history.anchor({ signal });
  const { transaction, receipt, ...ground } = await grounded(session, signal, async () => ({
    transaction: await history.transaction(hash, { signal }),
    receipt: await history.receipt(hash, { signal }),
  }));
  const { decodeInPieces, describeChain } = await import('../../decode/index.js');
  const described = describeChain({ name: network.name, id: network.l2ChainId });
  const { messageService } = network;
  const chain = {
    ...described,
    contracts: {
      ...described.contracts,
      ...(messageService && { messageService: [messageService] }),
    },
  };
  const isCut = receipt.logs.length > mostLogs;
  const shown = isCut ? { ...receipt, logs: receipt.logs.slice(0, mostLogs) } : receipt;
  const logs = { receipt: shown, chain, rawLogs: true };
  const unproven = new Set<Hex>();
  say('Asking the contracts what they are called, on proven state');
  const known = await learn(session, logs, { unproven, signal });
  const decoded = await decodeInPieces({ ...logs, ...known, transaction }, turn);
  const events: readonly DecodedEvent[] = decoded.events;
  return { ...ground, events, isCut, unproven: [...unproven] };
}
