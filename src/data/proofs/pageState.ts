/** The state that a page proves, as the engine reads it. Accounts are proven when they are first read, once for a page. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import * as z from 'zod/mini';
import type { AnchoredRoot } from '../../anchor/index.js';
import { encodeHex, type Hex } from '../../bytes.js';
import type { KnownAccount, StateSource } from '../../evm/index.js';
import { hexToBytes } from '../../foreign/argument.js';
import { openStateVerifier } from '../../proven/index.js';
import type { Turns } from '../../turns.js';
import { isWithoutCode } from '../../verify/code.js';
import { readAs } from '../wire/answer.js';
import { addressMember, bytesMember, hashMember } from '../wire/members.js';
import { notProven } from './tokenCalls.js';

const pageProofs = z.looseObject({
  block: z.number(),
  accounts: z.array(
    z.looseObject({
      address: addressMember,
      storageKeys: z.array(hashMember),
      /** A compact proof, or under a header an answer to `eth_getProof`. */
      proof: z.union([bytesMember, z.looseObject({})]),
    }),
  ),
  codes: z.array(bytesMember),
});

type AccountEntry = z.infer<typeof pageProofs>['accounts'][number];

/** Accounts and slots that a page may prove, and bytes of one code. A service gives half of that at most. */
const most = { entries: 8192, code: 256 * 1024 };

/** What a page proves. */
export interface PageState {
  /** @throws DataError if no proof of the account came; ShapeError, VerificationError */
  open(address: Hex): Promise<KnownAccount>;
  /**
   * Opens all accounts, so that a call has all that came when it begins. One after the other, it would first run with stand-ins
   * for those that are not open yet, and may then ask for slots that are not needed, and did not come.
   */
  openAll(): Promise<void>;
  /** Reads of what did not come fail: a missing proof never means zero. */
  readonly source: StateSource;
}

/** Code by its hash. */
async function readCodes(codes: readonly string[], turns: Turns): Promise<Map<Hex, Hex>> {
  const byHash = new Map<Hex, Hex>();
  for (const code of codes as readonly Hex[]) {
    if (code.length > 2 * most.code) throw notProven(`a code is longer than ${most.code} bytes`);
    await turns.tick();
    byHash.set(encodeHex(keccak_256(hexToBytes(code))), code);
  }
  return byHash;
}

function openAccounts(entries: readonly AccountEntry[], anchor: AnchoredRoot, turns: Turns) {
  const verifyState = openStateVerifier(anchor);
  const byAddress = new Map(entries.map((entry) => [entry.address.toLowerCase(), entry]));
  const known = new Map<Hex, KnownAccount>();

  async function verify(address: Hex): Promise<KnownAccount> {
    const entry = byAddress.get(address);
    if (entry === undefined) throw notProven(`no proof of the account ${address} came`);
    const storageKeys = entry.storageKeys.map((key) => key.toLowerCase() as Hex);
    const { proof } = entry;
    const answer = typeof proof === 'string' ? hexToBytes(proof as Hex) : proof;
    const question = { address, storageKeys };
    const { account, storage } = await verifyState(answer, question, turns.tick);
    return { account, slots: new Map(storage.map(({ key, value }) => [key, value])) };
  }

  async function open(address: Hex): Promise<KnownAccount> {
    const there = known.get(address);
    if (there !== undefined) return there;
    await turns.tick();
    const opened = await verify(address);
    known.set(address, opened);
    return opened;
  }

  async function openAll(): Promise<void> {
    for (const address of byAddress.keys()) {
      await turns.tick();
      // One that is needed fails once more where it is; one that is not decides nothing.
      await open(address as Hex).catch(() => undefined);
    }
  }

  return { known, open, openAll };
}

/** @param proofs as the server gave them @throws DataError */
export async function openPageState(
  proofs: unknown,
  anchor: AnchoredRoot,
  turns: Turns,
): Promise<PageState> {
  if (proofs === undefined) throw notProven('the server gives no proofs');
  const { block, accounts, codes: given } = readAs(pageProofs, proofs, 200);
  const number = anchor.l2BlockNumber;
  if (block !== number) {
    throw notProven(`the proofs are of block ${block}, the root of block ${number}`);
  }
  const entries = accounts.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0);
  if (entries > most.entries) {
    throw notProven(`the page proves ${entries} accounts and slots; ask for a smaller one`);
  }
  const codes = await readCodes(given, turns);
  const { known, open, openAll } = openAccounts(accounts, anchor, turns);
  const source: StateSource = {
    // All slots of an account come with it, so that a chain of them takes one run and not one each.
    known: (address) => known.get(address),
    knownCode: (account) => (isWithoutCode(account) ? '0x' : codes.get(account.keccakCodeHash)),
    async read(questions) {
      const answers: Awaited<ReturnType<StateSource['read']>>[number][] = [];
      for (const { address, storageKeys } of questions) {
        const { account, slots } = await open(address);
        const values = storageKeys.map((key) => {
          const value = slots.get(key);
          if (value === undefined)
            throw notProven(`no proof of the slot ${key} of ${address} came`);
          return value;
        });
        answers.push({ account, values });
      }
      return answers;
    },
    async code(address) {
      throw notProven(`the code of ${address} did not come`);
    },
  };
  return { open, openAll, source };
}
