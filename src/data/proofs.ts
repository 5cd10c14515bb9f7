/** Holds balances against the state under a trusted root: proofs are verified, and contracts asked again on what they prove. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import * as z from 'zod/mini';
import type { AnchoredRoot } from '../anchor/index.js';
import { bytesToInteger, encodeHex, type Hex } from '../bytes.js';
import { verifyCompactProof } from '../compact/index.js';
import {
  EvmError,
  type Fork,
  forkOf,
  type KnownAccount,
  openSession,
  type StateSource,
  viewAnswer,
  viewCall,
} from '../evm/index.js';
import { hexBytes, hexText } from '../foreign/values.js';
import { readAs } from './answer.js';
import type { BalanceItem, BalancePage } from './balances.js';
import { DataError } from './errors.js';
import { callsOf, type TokenCall } from './tokenCalls.js';

/** Hex of any even length. */
const bytesText = z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})*$/));
const wordText = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/));

const pageProofs = z.looseObject({
  block: z.number(),
  accounts: z.array(
    z.looseObject({
      address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
      storageKeys: z.array(wordText),
      proof: bytesText,
    }),
  ),
  codes: z.array(bytesText),
});

type AccountEntry = z.infer<typeof pageProofs>['accounts'][number];

/** What balances are held against. */
export interface Trust {
  readonly anchor: AnchoredRoot;
  readonly fork: Fork | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Holdings and tokens of a page: each takes a call of a contract. A service lists 1,000 of each at most. */
const maxListed = 4096;

/** The address that stands for the native token in lists of contracts. */
const nativeAddress = `0x${'e'.repeat(40)}`;

/** A turn of the event loop: the calls and proofs of a page are long work. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

const bytesOf = (hex: Hex) => hexBytes(hex, (hex.length - 2) / 2) as Uint8Array;

/** The accounts that a page proves. A read of any other account fails: a missing proof never means zero. */
function openAccounts(entries: readonly AccountEntry[], { stateRoot, hash }: AnchoredRoot) {
  const byAddress = new Map(entries.map((entry) => [entry.address.toLowerCase(), entry]));
  const verified = new Map<Hex, KnownAccount>();

  /** @throws DataError if a proof is missing; ShapeError, VerificationError */
  function open(address: Hex): KnownAccount {
    const entry = byAddress.get(address);
    if (entry === undefined) throw missing(`no proof of the account ${address} came`);
    const storageKeys = entry.storageKeys.map((key) => key.toLowerCase() as Hex);
    const claim = { stateRoot, hash, address, storageKeys };
    const { account, storage } = verifyCompactProof(bytesOf(entry.proof as Hex), claim);
    return { account, slots: new Map(storage.map(({ key, value }) => [key, value])) };
  }

  return (address: Hex): KnownAccount => {
    const known = verified.get(address) ?? open(address);
    verified.set(address, known);
    return known;
  };
}

const missing = (message: string) => new DataError('NOT_VERIFIED', message);

/** The state that a page proves, as the engine reads it. */
function sourceOf(read: (address: Hex) => KnownAccount, codes: ReadonlyMap<Hex, Hex>): StateSource {
  return {
    known: () => undefined,
    knownCode: ({ codeSize, keccakCodeHash }) =>
      codeSize === 0n ? '0x' : codes.get(keccakCodeHash),
    async read(questions) {
      return questions.map(({ address, storageKeys }) => {
        const { account, slots } = read(address);
        const values = storageKeys.map((key) => {
          // An account that does not exist has no slots: that it does not is proof enough.
          const value = account === null ? (`0x${'0'.repeat(64)}` as const) : slots.get(key);
          if (value === undefined) throw missing(`no proof of the slot ${key} of ${address} came`);
          return value;
        });
        return { account, values };
      });
    },
    async code(address) {
      throw missing(`the code of ${address} did not come`);
    },
  };
}

export interface BalanceVerifier {
  /** The page, with its items verified. @throws DataError */
  verified(page: BalancePage): Promise<BalancePage>;
}

const nameOf = ({ contract_address: contract, native_token: isNative }: BalanceItem): string =>
  isNative ? 'the native balance' : `the balance of ${contract}`;

/** @param wallet in lower case */
export function createBalanceVerifier(
  wallet: Hex,
  { anchor, fork: named, signal }: Trust,
): BalanceVerifier {
  checkAnchor(anchor);
  const { l2ChainId: chainId, l2BlockNumber: number, timestamp } = anchor;
  const newest = forkOf({}, {});
  const fork = named ?? newest.fork;
  const proven = { timestamp: timestamp?.proven === true ? timestamp.value : undefined };
  const environment = { chainId, fork, number, proven, assumed: {} };
  const assumed = named === undefined && newest.isAssumed ? ['fork'] : [];
  /**
   * What was asked, over all pages. An amount that comes twice would count twice, and one contract gives one answer to
   * ERC-20 and to ERC-721: hence the questions, and not what the server calls the items.
   */
  const seen = new Set<string>();

  /** @throws DataError */
  function once(question: string): void {
    if (seen.has(question)) throw missing('it comes twice');
    seen.add(question);
  }

  /** A contract's answer on proven state. @throws DataError, EvmError */
  async function ask(source: StateSource, { to, data }: TokenCall): Promise<bigint | undefined> {
    await turn();
    signal?.throwIfAborted();
    const session = await openSession({ source, environment, signal });
    const outcome = await session.execute(viewCall(to, bytesOf(data)));
    if (outcome.assumed.length > 0) {
      throw missing(`it depends on unproven values: ${outcome.assumed.join(', ')}`);
    }
    const answer = viewAnswer(outcome);
    return answer?.length === 32 ? bytesToInteger(answer) : undefined;
  }

  /** @throws DataError, EvmError, ProofError */
  async function check(
    item: BalanceItem,
    read: (address: Hex) => KnownAccount,
    codes: ReadonlyMap<Hex, Hex>,
  ): Promise<void> {
    if (item.native_token) {
      once('native');
      const contract = item.contract_address.toLowerCase();
      if (contract !== nativeAddress) throw missing(`${contract} is not its address`);
      const balance = read(wallet).account?.balance ?? 0n;
      if (String(balance) !== item.balance) throw missing(`it is ${balance}, not ${item.balance}`);
      return;
    }
    const source = sourceOf(read, codes);
    for (const call of callsOf(item, wallet)) {
      const { to, data, expected } = call;
      once(`${to} ${data}`);
      const found = await ask(source, call);
      if (found === expected) continue;
      const is = found === undefined ? 'the contract gives none' : `it is ${found}`;
      throw missing(`${is}, but the server says ${expected}`);
    }
  }

  function failure(item: BalanceItem, cause: unknown): unknown {
    if (signal?.aborted) return signal.reason;
    const { message } = cause as Error;
    if (cause instanceof EvmError && cause.code === 'MISSING_PEER') {
      return new DataError('MISSING_PEER', message.replace(` (${cause.code})`, ''), { cause });
    }
    const reason = message.replace(' (NOT_VERIFIED)', '');
    return new DataError('NOT_VERIFIED', `${nameOf(item)} is not verified: ${reason}`, { cause });
  }

  return {
    async verified(page) {
      const { block_height: height, proofs, ...more } = page.more;
      if (height !== number) {
        const block = typeof height === 'number' ? `block ${height}` : 'no known block';
        throw missing(`the balances are of ${block}, the root of block ${number}`);
      }
      if (proofs === undefined) throw missing('the server gives no proofs');
      const { block, accounts, codes: given } = readAs(pageProofs, proofs, 200);
      if (block !== number) {
        throw missing(`the proofs are of block ${block}, the root of block ${number}`);
      }
      const listed = page.items.reduce((sum, item) => sum + 1 + (item.nft_data?.length ?? 0), 0);
      if (listed > maxListed) {
        throw missing(`the page has ${listed} holdings and tokens; ask for a smaller one`);
      }
      const codes = new Map(
        given.map((code) => [encodeHex(keccak_256(bytesOf(code as Hex))), code as Hex]),
      );
      const read = openAccounts(accounts, anchor);
      for (const item of page.items) {
        try {
          await check(item, read, codes);
        } catch (cause) {
          throw failure(item, cause);
        }
      }
      const items = page.items.map((item) => ({ ...item, verified: true as const }));
      return { ...page, items, assumed, more: { ...more, block_height: height } };
    },
  };
}

/** @throws TypeError or RangeError */
function checkAnchor(anchor: AnchoredRoot): void {
  if (hexText(anchor.stateRoot, 32) === undefined || !Number.isSafeInteger(anchor.l2BlockNumber)) {
    throw new TypeError('"anchor" expected an AnchoredRoot, as l2proof/anchor gives it');
  }
}
