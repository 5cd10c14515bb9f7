/**
 * State under the header of a block: an account and its slots in the answer of a node to `eth_getProof`, held against the
 * root that the header has. Any node of the chain answers it.
 */
import { encodeHex, equalBytes, type Hex, isZero } from '../bytes.js';
import { ShapeError, VerificationError, wrongRange, wrongType } from '../errors.js';
import { checkHex, pickMembers, refuseUnknown } from '../foreign/argument.js';
import { memberPath, type Source } from '../foreign/members.js';
import { openArray, openObject, readMember } from '../foreign/shape.js';
import { toWord } from '../foreign/values.js';
import { verifyAccount, verifySlot } from '../mpt/account.js';
import { emptyTrieRoot } from '../mpt/encode.js';
import { TrieError } from '../mpt/errors.js';
import { toInteger } from '../mpt/text.js';
import { runSteps, type Steps } from '../steps.js';
import { anchorMembers, type ClaimQuestion, checkClaimQuestion } from '../verify/claim.js';
import { type VerifiedState, verifiedSlot } from '../verify/result.js';

/** What an answer to `eth_getProof` is held against. It may be an anchor of kind `header` with a question added. */
export interface AccountProofClaim {
  /** Merkle-Patricia root of the state, 32 bytes, trusted: that of a header that was proven. */
  readonly stateRoot?: Hex | undefined;
  /** In its place, such a header. */
  readonly header?:
    | {
        /** 32 bytes. */
        readonly stateRoot: Hex;
      }
    | undefined;
  /** 20 bytes. */
  readonly address: Hex;
  /** 32 bytes each, in the order asked, at most 16384; default none. */
  readonly storageKeys?: readonly Hex[] | undefined;
}

const names = ['stateRoot', 'header', 'address', 'storageKeys'] as const;

/** The same, checked. */
export interface CheckedAccountClaim {
  /** 32 bytes, trusted. */
  readonly stateRoot: Uint8Array;
  readonly question: ClaimQuestion;
}

/** Bytes of a root of the kind that headers have; any 32 bytes may be one. @throws TypeError or RangeError */
export function checkTrieRoot(value: unknown, name: string): Uint8Array {
  const bytes = checkHex(value, 32, name);
  if (isZero(bytes)) throw wrongRange(name, 'is zero, which is no root');
  return bytes;
}

/** @throws TypeError or RangeError */
function checkAccountClaim(claim: AccountProofClaim): CheckedAccountClaim {
  const { stateRoot, header, ...question } = pickMembers(claim, names, 'claim');
  refuseUnknown(claim, [...names, 'hash', ...anchorMembers], 'claim');
  // Under the root of a sparse Merkle tree no answer of eth_getProof can hold.
  const { kind, hash } = pickMembers(
    claim as { kind?: unknown; hash?: unknown },
    ['kind', 'hash'],
    'claim',
  );
  if ((kind !== undefined && kind !== 'header') || hash !== undefined) {
    throw wrongRange('kind', 'expected header: the root of a tree is for verifyProof');
  }
  const named = header && pickMembers(header, ['stateRoot'], 'header').stateRoot;
  if (stateRoot === undefined && named === undefined) {
    throw wrongType('stateRoot', 'or "header" expected');
  }
  const root = checkTrieRoot(
    stateRoot ?? named,
    stateRoot === undefined ? 'header.stateRoot' : 'stateRoot',
  );
  if (named !== undefined && !equalBytes(checkTrieRoot(named, 'header.stateRoot'), root)) {
    throw wrongRange('header.stateRoot', 'expected "stateRoot", or leave one of them out');
  }
  const { address, storageKeys = [] } = question;
  return { stateRoot: root, question: checkClaimQuestion({ address, storageKeys }) };
}

/** Tells a proof that does not lead to the root by the code of the law. */
function onPath<T>(check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof TrieError)) throw cause;
    const { path, reason } = cause;
    throw new VerificationError('NOT_ON_PATH', path, reason, { cause });
  }
}

/**
 * Each entry by its own key, then the slots in the order asked. Nodes differ: geth answers one entry per key asked, in this
 * order; Besu sorts them by key, names each key once, and answers none for an account that does not exist.
 */
function* verifyingSlots(
  storageRoot: Uint8Array,
  storageKeys: readonly Uint8Array[],
  answer: Source,
): Steps<VerifiedState['storage']> {
  const entries = openArray(readMember(answer, 'storageProof'), 'storageProof');
  const { length, at } = entries;
  if (length > storageKeys.length) {
    const text = `expected at most ${storageKeys.length} entries, one per key, got ${length}`;
    throw new VerificationError('SLOT_COUNT', at, text);
  }
  const asked = new Set(storageKeys.map(encodeHex));
  const words = new Map<Hex, Uint8Array>();
  for (let i = 0; i < length; i++) {
    yield;
    const entry = openObject(readMember(entries, i), memberPath(entries, i));
    const label = toWord(readMember(entry, 'key'));
    if (!label) throw new ShapeError(memberPath(entry, 'key'), 'expected a key in hex');
    const key = encodeHex(label);
    if (!asked.has(key)) {
      throw new VerificationError(
        'KEY_MISMATCH',
        memberPath(entry, 'key'),
        `${key} was not asked for`,
      );
    }
    const place = memberPath(entry, 'proof');
    words.set(
      key,
      onPath(() => verifySlot(storageRoot, label, readMember(entry, 'proof'), place)),
    );
  }
  return storageKeys.map((key) => {
    const word = words.get(encodeHex(key));
    // An empty trie holds no slot: that needs no entry.
    if (word === undefined && !equalBytes(storageRoot, emptyTrieRoot)) {
      throw new VerificationError('SLOT_COUNT', at, `expected an entry for ${encodeHex(key)}`);
    }
    // A trie holds no zero.
    return verifiedSlot({ key, value: word && !isZero(word) ? word : undefined });
  });
}

/** The same as {@link verifyAccountProof}, in steps: the account, then each slot. */
export function* verifyingAccountProof(
  { stateRoot, question }: CheckedAccountClaim,
  result: unknown,
): Steps<VerifiedState<'header'>> {
  const { address, storageKeys } = question;
  const answer = openObject(result, '');
  const nodes = readMember(answer, 'accountProof');
  const account = onPath(() => verifyAccount(stateRoot, address, nodes, 'accountProof'));
  // An account that does not exist has no storage, nor has one that never had any.
  const storageRoot = account?.storageRoot ?? emptyTrieRoot;
  const storage = yield* verifyingSlots(storageRoot, storageKeys, answer);
  return Object.freeze({
    stateRoot: encodeHex(stateRoot),
    address: encodeHex(address),
    hash: undefined,
    account:
      account === undefined
        ? null
        : Object.freeze({
            nonce: toInteger(account.nonce),
            balance: toInteger(account.balance),
            storageRoot: encodeHex(account.storageRoot),
            snarkCodeHash: undefined,
            keccakCodeHash: encodeHex(account.codeHash),
            codeSize: undefined,
          }),
    storage: Object.freeze(storage),
  });
}

/**
 * Verifies a whole answer to `eth_getProof` against the state root in a block header, without trusting the node that gave
 * it. The answer's own `balance`, `value` and so on are not read: they prove nothing. Its slots may stand in any order.
 *
 * @param result of unknown origin: the `result` of the answer; never changed
 * @param claim what was asked, and the trusted root
 * @returns what is proven, as `verifyProof` gives it; there is no `hash`, `codeSize` or `snarkCodeHash`
 * @throws ShapeError if the result is no such answer
 * @throws VerificationError `NOT_ON_PATH`, `SLOT_COUNT` if a key has no entry, or `KEY_MISMATCH` if an entry is of a key not asked for
 * @throws TypeError or RangeError for a wrong claim, before the result is looked at
 *
 * @example
 * ```ts
 * import { verifyAccountProof } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const node = createTransport({ url: 'https://node.example' }); // any node of the L2
 * const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * const block = { blockHash: '0xL2_BLOCK_HASH' };
 * const answer = await node.call('eth_getProof', [address, [], block]);
 * const stateRoot = '0xL2_STATE_ROOT'; // of that block, from verifyL2Header
 * console.log(verifyAccountProof(answer, { stateRoot, address }).account?.balance);
 * ```
 */
export const verifyAccountProof = (
  result: unknown,
  claim: AccountProofClaim,
): VerifiedState<'header'> => runSteps(verifyingAccountProof(checkAccountClaim(claim), result));
