/** Holds balances against the state under a trusted root: proofs are verified, and contracts asked again on what they prove. */
import { decodeDecimals, decodeUint256 } from '../../abi/answers.js';
import { questions } from '../../abi/tokens.js';
import { checkAnchored } from '../../anchor/checkAnchored.js';
import { defineNetwork, networks } from '../../anchor/common/network.js';
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import {
  type BlockRules,
  EvmError,
  openSession,
  rulesOf,
  type Session,
  viewAnswer,
  viewCall,
} from '../../evm/index.js';
import { hexToBytes } from '../../foreign/argument.js';
import { type CallFork, callForks } from '../../forks.js';
import { createTurns, type Turns } from '../../turns.js';
import type { BalanceItem, BalancePage } from '../items/balanceItem.js';
import { DataError } from '../wire/errors.js';
import { openPageState, type PageState } from './pageState.js';
import { provenItem } from './provenItem.js';
import { notProven, parseHolding, toTokenCalls } from './tokenCalls.js';

/** The ground that balances must fit. */
export interface Trust {
  readonly anchor: AnchoredRoot;
  /** Default: the public network of the anchor's chain, if there is one. */
  readonly network?: Network | undefined;
  readonly fork: CallFork | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Holdings and tokens of a page: each takes a call of a contract. A service lists 1,000 of each at most. */
const maxListed = 4096;

/** Of the native token, by the definition of the chain. */
const nativeDecimals = 18;

/** Why a call has no result that the state decides: what it would say is not proven. */
const undecided = [
  'HEADER_VALUE',
  'BLOCK_HASH',
  'TOO_MANY_READS',
  'TOO_MANY_ROUNDS',
  'UNSUPPORTED',
];

const isUndecided = (error: unknown): boolean =>
  error instanceof DataError || (error instanceof EvmError && undecided.includes(error.code));

interface BalanceVerifier {
  /** The page, with its items verified. @throws DataError, and the signal's reason */
  verified(page: BalancePage): Promise<BalancePage>;
}

/** A page as it is worked on: one state and one session, so that what was read for an item is there for the next one. */
interface Work {
  readonly state: PageState;
  /** Loads the engine when it is first called. */
  session(): Promise<Session>;
  readonly turns: Turns;
  /** Names the fork once a contract ran by rules that nobody named and nothing proves. */
  readonly assumed: readonly string[];
}

const nameOf = ({ contract_address: contract, native_token: isNative }: BalanceItem): string =>
  isNative ? 'the native balance' : `the balance of ${contract}`;

/** A contract's answer on proven state; undefined if the call fails. @throws DataError, EvmError, ProofError */
async function ask(
  { state, session, turns }: Work,
  { to, data }: { to: Hex; data: Hex },
): Promise<Uint8Array | undefined> {
  await turns.tick();
  await state.open(to);
  const engine = await session();
  const outcome = await engine.execute(viewCall(to, hexToBytes(data)));
  if (outcome.assumed.length > 0) {
    throw notProven(`it depends on unproven values: ${outcome.assumed.join(', ')}`);
  }
  return viewAnswer(outcome);
}

/** The decimals of a token; null if they are not proven, or no amount could be written with them. @throws as `ask` */
async function decimalsOf(work: Work, to: Hex): Promise<number | null> {
  try {
    const answer = await ask(work, { to, data: questions.decimals });
    return (answer && decodeDecimals(answer)) ?? null;
  } catch (error) {
    if (isUndecided(error)) return null;
    throw error;
  }
}

/** The public network of a chain, if there is one. */
const publicNetwork = (l2ChainId: unknown): Network | undefined =>
  Object.values(networks).find((network) => network.l2ChainId === l2ChainId);

/** The rules that contracts run by. @throws DataError `FORK_UNKNOWN`; EvmError `FORK` */
function findRules(
  anchor: AnchoredRoot,
  network: Network | undefined,
  fork: CallFork | undefined,
): BlockRules {
  try {
    return rulesOf(anchor, network?.forks ?? {}, { fork });
  } catch (cause) {
    if (!(cause instanceof EvmError && cause.code === 'FORK_UNKNOWN')) throw cause;
    const text = `the time of block ${anchor.l2BlockNumber} is not proven, so its fork is not known; name it as "fork", such as fork: 'osaka'`;
    throw new DataError('FORK_UNKNOWN', text, { cause });
  }
}

/** @param wallet in lower case @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createBalanceVerifier(
  wallet: Hex,
  { anchor: given, network: own, fork: named, signal }: Trust,
): BalanceVerifier {
  const network = own === undefined ? publicNetwork(given?.l2ChainId) : defineNetwork(own);
  const anchor = checkAnchored(given, network);
  checkFork(named);
  const { l2ChainId: chainId, l2BlockNumber: number } = anchor;

  /**
   * What was asked, over all pages. An amount that comes twice would count twice, and one contract gives one answer to
   * ERC-20 and to ERC-721: hence the questions, and not what the server calls the items.
   */
  const seen = new Set<string>();

  /** @throws DataError */
  function once(question: string): void {
    if (seen.has(question)) throw notProven('it comes twice');
    seen.add(question);
  }

  /** The item, verified. @throws DataError, EvmError, ProofError */
  async function check(item: BalanceItem, work: Work): Promise<BalanceItem> {
    const holding = parseHolding(item, wallet);
    if (holding.standard === undefined) {
      once('native');
      const { account } = await work.state.open(wallet);
      const balance = account?.balance ?? 0n;
      if (balance !== holding.balance) throw notProven(`it is ${balance}, not ${item.balance}`);
      return provenItem(item, holding, nativeDecimals);
    }
    const to = item.contract_address.toLowerCase() as Hex;
    for (const call of toTokenCalls(holding, to, wallet)) {
      const { data, expected } = call;
      once(`${to} ${data}`);
      const found = decodeUint256(await ask(work, call));
      if (found === expected) continue;
      const is = found === undefined ? 'the contract gives none' : `it is ${found}`;
      throw notProven(`${is}, but the server says ${expected}`);
    }
    const decimals = holding.standard === 'erc20' ? await decimalsOf(work, to) : null;
    return provenItem(item, holding, decimals);
  }

  function failure(item: BalanceItem, cause: unknown): unknown {
    if (signal?.aborted) return signal.reason;
    if (cause instanceof DataError && cause.code === 'FORK_UNKNOWN') return cause;
    if (cause instanceof EvmError && cause.code === 'MISSING_PEER') {
      return new DataError('MISSING_PEER', cause.reason, { cause });
    }
    const isOurs = cause instanceof DataError && cause.code === 'NOT_VERIFIED';
    const reason = isOurs ? cause.reason : (cause as Error).message;
    return new DataError('NOT_VERIFIED', `${nameOf(item)} is not verified: ${reason}`, { cause });
  }

  async function openWork(proofs: unknown): Promise<Work> {
    const turns = createTurns(() => signal?.throwIfAborted());
    const state = await openPageState(proofs, anchor, turns);
    let opening: Promise<Session> | undefined;
    const assumed: string[] = [];
    // Of a page without contracts, the rules do not matter.
    const open = () => {
      const { fork, isAssumed, proven: timestamp } = findRules(anchor, network, named);
      if (isAssumed && named === undefined) assumed.push('fork');
      const environment = { chainId, fork, number, proven: { timestamp }, assumed: {} };
      return openSession({ source: state.source, environment, signal });
    };
    const session = async () => {
      opening ??= open();
      return opening;
    };
    return { state, session, turns, assumed };
  }

  return {
    async verified(page) {
      const { block_height: height, proofs, ...more } = page.more;
      if (height !== number) {
        const block = typeof height === 'number' ? `block ${height}` : 'no known block';
        throw notProven(`the balances are of ${block}, the root of block ${number}`);
      }
      const listed = page.items.reduce((sum, item) => sum + 1 + (item.nft_data?.length ?? 0), 0);
      if (listed > maxListed) {
        throw notProven(`the page has ${listed} holdings and tokens; ask for a smaller one`);
      }
      const work = await openWork(proofs);
      const items: BalanceItem[] = [];
      for (const item of page.items) {
        try {
          items.push(await check(item, work));
        } catch (cause) {
          throw failure(item, cause);
        }
      }
      return { ...page, items, assumed: work.assumed, more: { ...more, block_height: height } };
    },
  };
}

/** @throws RangeError */
function checkFork(fork: CallFork | undefined): void {
  if (fork === undefined || callForks.includes(fork)) return;
  throw wrongRange('fork', `expected one of ${callForks.join(', ')}`);
}
