/**
 * The net change of a block, from its transactions' changes one after the other. Values set and cleared within the
 * block cancel out, and so do accounts that it creates and destroys. An account that it destroys and creates again is
 * marked, because its storage begins anew.
 */
import type { Hex } from '../../bytes.js';
import type { AccountBefore, AccountChange } from '../../tree/index.js';
import type { CodeHashes } from '../node/codeHashes.js';
import { FollowError } from '../node/errors.js';
import { zeroWord } from '../node/read.js';
import type { AccountPart, TransactionDiff } from '../node/transactionDiff.js';

/** An account as it is at some point of a block. */
export interface NodeAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  /** `0x` if it has none; undefined if no trace has said. */
  readonly code: Hex | undefined;
}

interface Entry {
  /** Null if there was no account. */
  before: NodeAccount | null;
  now: NodeAccount | null;
  /**
   * True while the values come from the tree alone: the block writes to the account before its transactions.
   */
  isFromTree: boolean;
  /** Whether the current storage was created in this block. */
  isFresh: boolean;
  slots: Map<Hex, { readonly before: Hex; now: Hex }>;
}

/** The rules of the fork: whether SELFDESTRUCT deletes accounts that the transaction did not create. */
interface MergeRules {
  readonly canDestroy: boolean;
}

const noCode = '0x';

/** An account without nonce, balance and code does not exist (EIP-161). */
const isEmpty = ({ nonce, balance, code }: NodeAccount): boolean =>
  nonce === 0n && balance === 0n && code === noCode;

const presence = (account: NodeAccount): NodeAccount | null => (isEmpty(account) ? null : account);

/** The account before a transaction; the trace gives all of it. */
const priorOf = (pre: AccountPart | undefined): NodeAccount | null =>
  presence({ nonce: pre?.nonce ?? 0n, balance: pre?.balance ?? 0n, code: pre?.code ?? noCode });

/** Code that EIP-7702 gives an account: a mark and an address. */
const isDelegation = (code: Hex | undefined): boolean =>
  code !== undefined && /^0xef0100[0-9a-f]{40}$/.test(code);

/** Whether the trace leaves open if the account still has its code: tracers leave out code that is now empty. */
const isUnsure = (code: Hex | undefined, post: AccountPart): boolean =>
  // Taking a delegation back raises the nonce.
  isDelegation(code) && post.code === undefined && post.nonce !== undefined;

/** Whether a block may leave codes open ({@link BlockMerge.unsureCodes}): few do. */
export const mayBeUnsure = (diffs: readonly TransactionDiff[]): boolean =>
  diffs.some(({ accounts }) =>
    accounts.some(({ pre, post }) => post !== undefined && isUnsure(pre?.code, post)),
  );

/** The account after a transaction: fields that the trace leaves out are unchanged. */
function afterOf(prior: NodeAccount | null, post: AccountPart): NodeAccount {
  const code = prior ? prior.code : noCode;
  return {
    nonce: post.nonce ?? prior?.nonce ?? 0n,
    balance: post.balance ?? prior?.balance ?? 0n,
    code: isUnsure(code, post) ? undefined : (post.code ?? code),
  };
}

const isSameCode = (a: Hex | undefined, b: Hex | undefined): boolean =>
  a === undefined || b === undefined || a === b;

const isSame = (a: NodeAccount | null, b: NodeAccount | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.nonce === b.nonce &&
    a.balance === b.balance &&
    isSameCode(a.code, b.code));

const contradiction = (address: Hex, what: string) =>
  new FollowError('BAD_TRACE', `the block's traces contradict themselves: ${address} ${what}`);

/** Collects a block. */
export class BlockMerge {
  readonly #entries = new Map<Hex, Entry>();
  readonly #rules: MergeRules;

  constructor(rules: MergeRules) {
    this.#rules = rules;
  }

  #entryOf(address: Hex, before: NodeAccount | null): Entry {
    let entry = this.#entries.get(address);
    if (entry === undefined) {
      const isFresh = before === null;
      entry = { before, now: before, isFromTree: false, isFresh, slots: new Map() };
      this.#entries.set(address, entry);
    }
    return entry;
  }

  /** A slot that the block writes by itself, before its transactions. @param before what is there so far */
  writeSlot(address: Hex, account: NodeAccount, slot: { key: Hex; before: Hex; value: Hex }): void {
    const { key, before, value } = slot;
    const entry = this.#entryOf(address, account);
    entry.isFromTree = true;
    entry.slots.set(key, { before, now: value });
  }

  /** The next transaction. @throws FollowError `BAD_TRACE` if it does not follow what was there before it */
  apply({ accounts }: TransactionDiff): void {
    for (const { address, pre, post } of accounts) {
      const prior = priorOf(pre);
      const entry = this.#entryOf(address, prior);
      if (entry.isFromTree) {
        // The first trace states its own value, which the tree compares with what it holds.
        entry.before = prior;
        entry.now = prior;
        entry.isFromTree = false;
      }
      if (!isSame(entry.now, prior)) {
        throw contradiction(address, 'differs from what the previous transaction left');
      }
      const now = post === undefined ? null : presence(afterOf(prior, post));
      if (prior !== null && now === null) this.#destroy(address, entry, prior);
      else if (post !== undefined) this.#writeSlots(address, entry, pre, post);
      entry.now = now;
    }
  }

  #destroy(address: Hex, entry: Entry, prior: NodeAccount): void {
    // Since Cancun a transaction destroys only accounts that it created itself. Before it, they had at most a balance.
    if (!this.#rules.canDestroy && (prior.nonce !== 0n || prior.code !== noCode)) {
      throw new FollowError(
        'BAD_TRACE',
        `a trace destroys ${address}, which no transaction can since Cancun; the node's tracer is too old, or the configured fork is wrong`,
      );
    }
    entry.isFresh = true;
    entry.slots = new Map();
  }

  #writeSlots(address: Hex, entry: Entry, pre: AccountPart | undefined, post: AccountPart): void {
    for (const key of new Set([...(pre?.storage.keys() ?? []), ...post.storage.keys()])) {
      const before = pre?.storage.get(key) ?? zeroWord;
      const now = post.storage.get(key) ?? zeroWord;
      const slot = entry.slots.get(key);
      const expected = slot?.now ?? (entry.isFresh ? zeroWord : before);
      if (before !== expected) {
        throw contradiction(address, `slot ${key} differs from what the previous transaction left`);
      }
      if (slot) slot.now = now;
      else entry.slots.set(key, { before, now });
    }
  }

  /** Accounts of which the traces leave open whether they still have their code; ask the node. */
  unsureCodes(): Hex[] {
    return (
      [...this.#entries]
        // A contract that the block writes to by itself keeps its code, which may be in no trace.
        .filter(([, { before, now }]) => now?.code === undefined && now && (!before || before.code))
        .map(([address]) => address)
    );
  }

  /** Answers for one of {@link unsureCodes}. */
  setCode(address: Hex, code: Hex): void {
    const entry = this.#entries.get(address);
    if (entry?.now) entry.now = { ...entry.now, code };
  }

  /**
   * The net change, by ascending address, each with the values before it by the traces. Accounts that the block touched
   * and left as they were are included: the tree compares them, and writes nothing.
   */
  changes(codeHashes: CodeHashes): AccountChange[] {
    return [...this.#entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([address, entry]) => ({
        ...netChange(address, entry),
        before: entry.before && beforeOf(entry.before, codeHashes),
      }));
  }
}

const beforeOf = (
  { nonce, balance, code }: NodeAccount,
  codeHashes: CodeHashes,
): AccountBefore => ({
  nonce,
  balance,
  ...(code === undefined ? {} : { codeHash: codeHashes.of(code) }),
});

function netChange(address: Hex, { before, now, isFresh, slots }: Entry): AccountChange {
  if (now === null) return { address, account: null };
  const { nonce, balance, code } = now;
  const recreated = before !== null && isFresh;
  // Storage created in this block had no values before, and slots that the block has cleared again are left out.
  const storage = [...slots]
    .filter(([, slot]) => !isFresh || slot.now !== zeroWord)
    .map(([key, slot]) => ({ key, value: slot.now, ...(isFresh ? {} : { before: slot.before }) }));
  const hadCode = isFresh ? noCode : before?.code;
  const hasNewCode = code !== undefined && hadCode !== undefined && code !== hadCode;
  return {
    address,
    account: hasNewCode ? { nonce, balance, code } : { nonce, balance },
    ...(recreated ? { recreated } : {}),
    ...(storage.length > 0 ? { storage } : {}),
  };
}
