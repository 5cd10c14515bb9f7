/** Checks an index that was fed: whether what it holds of some contracts and wallets fits together, and fits what contracts say. */

import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import { ownOptions } from '../../foreign/argument.js';
import type { Transport } from '../../rpc/index.js';
import type { Store } from '../../tree/index.js';
import { BlockEntries } from '../blocks/blockEntries.js';
import { naming } from '../holdings/naming.js';
import { IndexError } from '../layout/errors.js';
import { contractBytes, keyOf } from '../layout/layout.js';
import { openFormat } from '../sealed/format.js';
import { type Head, readHead } from '../sealed/head.js';
import { sealed } from '../sealed/sealedStore.js';
import { type ContractFindings, checkContract, checkNumber } from './contractLaws.js';
import { frozenStore } from './frozen.js';
import { CheckReader } from './reading.js';
import { sampleNumbers } from './sample.js';
import { createSupplyCheck, type Standing, type SupplyCheck } from './supply.js';
import { checkSomeWallet } from './walletLaws.js';

/** What {@link checkIndex} takes. */
export interface IndexCheckOptions {
  /** Holds the index, and may be written to meanwhile: it is read as it is at the beginning. It stays open. */
  store: Store;
  /** A node that is asked what contracts say at the newest block of the index. Default: nobody is asked. */
  l2?: Transport;
  /** How many contracts are looked at, from 1 to 100,000, chosen by chance; and as many wallets. Default 1000. */
  contracts?: number;
  /** What messages about damage call the index. Default: `the index`. */
  name?: string;
  /** Told of each contract that was looked at. */
  onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Ends the check, which then fails with the reason of the signal. */
  signal?: AbortSignal;
}

/** A token whose sums are not what its contract says. */
export interface TokenDifference {
  /** The token, 20 bytes. */
  readonly contract: Hex;
  /** What all transfers add up to. */
  readonly sums: bigint;
  /** What `totalSupply` answers. */
  readonly supply: bigint | undefined;
  /** The first of some wallets whose balance differs; undefined if none of these does. */
  readonly wallet: Hex | undefined;
}

/** What a check has found. All that the index holds of what was looked at fits together. */
export interface IndexCheck {
  /** The chain that the index is of. */
  readonly chainId: number;
  /** The newest block of the index; undefined of a new index. */
  readonly block: number | undefined;
  /** Contracts that were looked at. */
  readonly contracts: number;
  /** Contracts that the index knows. */
  readonly knownContracts: number;
  /** Wallets whose transactions were counted. */
  readonly wallets: number;
  /** Lists of sums that were added up: one a token, or one an id of ERC-1155. */
  readonly sums: number;
  /** Records that were read. */
  readonly records: number;
  /** ERC-20 tokens by what their contracts say; undefined if no node was asked. */
  readonly tokens: TokenStandings | undefined;
}

/** ERC-20 tokens by how their sums stand to what their contracts say. */
export interface TokenStandings {
  /** How many have sums that are the balances of some wallets and the supply. */
  readonly equal: number;
  /** Those whose sums differ, though nothing shows that the contract gives or takes without events. */
  readonly different: readonly TokenDifference[];
  /** How many give or take without events, as rebasing tokens do: that their sums differ says nothing. */
  readonly moving: number;
  /** How many do not say. */
  readonly silent: number;
}

const mostContracts = 100_000;

/** Contracts have the numbers from 0 on: the last one is there, and none behind it. @throws IndexError `DAMAGED` */
async function checkCount(store: Store, { contracts }: Head): Promise<void> {
  const keys = [contracts - 1, contracts]
    .filter((number) => number >= 0)
    .map((number) => keyOf('address', contractBytes(number)));
  const { values } = await sealed(store).read({ keys, ranges: [] });
  const found = values.filter((value) => value !== undefined).length;
  if (found === Math.min(contracts, 1) && values.at(-1) === undefined) return;
  throw new IndexError(
    'DAMAGED',
    `the index does not hold the ${contracts} contracts that its head says`,
  );
}

class Tokens {
  readonly #counts: Record<Standing, number> = { equal: 0, different: 0, moving: 0, silent: 0 };
  readonly #different: TokenDifference[] = [];

  async add({ contract, token }: ContractFindings, supplies: SupplyCheck): Promise<void> {
    if (token === undefined) return;
    const { standing, supply, wallet } = await supplies.of(contract, token);
    this.#counts[standing]++;
    if (standing === 'different') {
      this.#different.push({ contract, sums: token.total, supply, wallet });
    }
  }

  get found(): TokenStandings {
    const { equal, moving, silent } = this.#counts;
    return { equal, different: this.#different, moving, silent };
  }
}

async function checkFrozen(
  store: Store,
  {
    l2,
    contracts: most,
    onProgress,
    signal,
  }: Pick<IndexCheckOptions, 'l2' | 'onProgress' | 'signal'> & { contracts: number },
): Promise<IndexCheck> {
  const { chainId, only } = await openFormat(store, {});
  const head = await readHead(sealed(store));
  const { newest, contracts } = head;
  await checkCount(store, head);
  const reader = new CheckReader(store, newest, signal);
  const mark = await new BlockEntries(sealed(store)).mark(newest);
  const at = mark && { chainId, block: newest, hash: mark.hash };
  const supplies = l2 && at && (await createSupplyCheck(l2, at, signal));
  const numbers = sampleNumbers(contracts, most);
  const tokens = new Tokens();
  let [done, sums, wallets] = [0, 0, 0];
  for (const number of numbers) {
    const check = only === undefined ? checkContract : checkNumber;
    const findings = await check(reader, number);
    sums += findings.sums;
    if (supplies) await tokens.add(findings, supplies);
    if (only === undefined && (await checkSomeWallet(reader))) wallets++;
    onProgress?.({ done: ++done, total: numbers.length });
  }
  await supplies?.end();
  return {
    ...{ chainId, block: newest < 0 ? undefined : newest },
    ...{ contracts: numbers.length, knownContracts: contracts, wallets, sums },
    ...{ records: reader.records, tokens: l2 && tokens.found },
  };
}

const names = ['store', 'l2', 'contracts', 'name', 'onProgress', 'signal'] as const;

/**
 * Looks at some contracts and wallets of an index: whether their records are in order and of blocks that it has, their
 * numbers and totals count what is listed, and sums are what transfers add up to; with a node, whether sums are what
 * contracts say. What was looked at is right then as far as the index can tell: nothing is proven.
 *
 * @throws IndexError `DAMAGED` if something does not fit together; `WRONG_INDEX`, `WRONG_CHAIN`
 * @throws FollowError `NODE_FAILED` if the node is not on the newest block of the index; RpcError if it does not answer
 * @throws what the store throws; the signal's reason; TypeError or RangeError for wrong options
 */
export async function checkIndex(options: IndexCheckOptions): Promise<IndexCheck> {
  const given = ownOptions(options, names, 'options', ['l2']);
  const { store, name, contracts = 1000, ...rest } = given;
  if (!Number.isSafeInteger(contracts) || contracts < 1 || contracts > mostContracts) {
    throw wrongRange('contracts', `expected a whole number from 1 to ${mostContracts}`);
  }
  return naming(name, async () => {
    const snapshot = await store.snapshot();
    try {
      return await checkFrozen(frozenStore(snapshot), { ...rest, contracts });
    } finally {
      await snapshot.release();
    }
  });
}
