/** Holds a genesis against what the node says of its block: the whole of it by its root, or a sample if there is no root. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { wordFor } from '../../errors.js';
import { hexToBytes } from '../../foreign/argument.js';
import { emptyTrieRoot } from '../../mpt/encode.js';
import type { AccountChange, StateTree } from '../../tree/index.js';
import { FollowError } from '../node/errors.js';
import type { Node } from '../node/node.js';
import { unlessRefused } from '../node/refusal.js';

const emptyRoot = encodeHex(emptyTrieRoot);

/**
 * The Merkle-Patricia root of the state after a block, as the node reports it.
 *
 * @returns undefined if the node cannot tell
 * @throws FollowError `NODE_FAILED`
 */
async function rootByNode(node: Node, block: number): Promise<Hex | undefined> {
  const header = await node.header(block);
  if (header?.stateRoot !== undefined && header.stateRoot !== emptyRoot) return header.stateRoot;
  // Anvil's genesis has the root of an empty state whatever it allocates; its proofs tell the truth.
  const first = await unlessRefused(node.firstProofNode(block));
  return first && encodeHex(keccak_256(hexToBytes(first)));
}

/** The values that a genesis must fit. */
interface GenesisCheck {
  readonly node: Node;
  /** The root to compare with, in place of the node's. */
  readonly expected: Hex | undefined;
  readonly onWarning: (text: string) => void;
}

/**
 * Compares the root of a genesis.
 *
 * @returns false if the node does not know the root
 * @throws FollowError `ROOT_MISMATCH`
 */
async function checkGenesisRoot(
  { node, expected }: GenesisCheck,
  block: number,
  root: Hex,
): Promise<boolean> {
  const right = expected?.toLowerCase() ?? (await rootByNode(node, block));
  if (right === undefined) return false;
  if (right === root) return true;
  const whose = expected === undefined ? 'by the node' : 'as given';
  throw new FollowError(
    'ROOT_MISMATCH',
    `the genesis is not that of the chain: the Merkle-Patricia root of its accounts is ${root}, but that of block ${block} is ${right} ${whose}`,
    { detail: 'WRONG_GENESIS' },
  );
}

/** Most accounts in a sample except the last one, and most slots of an account. */
const sampleAccounts = 64;
const sampleSlots = 4;

/** Evenly spread, with the first and the last. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  const step = (items.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, i) => items[Math.round(i * step)] as T);
}

async function checkAccount(node: Node, block: number, change: AccountChange): Promise<void> {
  const { address, account, storage = [] } = change;
  const { nonce = 0, balance = 0, code = '0x' } = account ?? {};
  const compare = (member: string, here: bigint | Hex, there: bigint | Hex) => {
    if (here === there) return;
    throw new FollowError(
      'STATE_MISMATCH',
      `the genesis is not that of the chain: the ${member} of account ${address} is ${here}, but ${there} at block ${block} of the node`,
      { detail: 'WRONG_GENESIS' },
    );
  };
  compare('nonce', BigInt(nonce), await node.nonce(address, block));
  compare('balance', BigInt(balance), await node.balance(address, block));
  compare('code', code, await node.code(address, block));
  for (const { key, value } of storage) {
    compare(`slot ${key}`, value, await node.slot(address, key, block));
  }
}

/** Some accounts of an allocation that comes in parts: evenly spread, with the first and the last. */
export class GenesisSample {
  #kept: AccountChange[] = [];
  #last: AccountChange | undefined;
  #step = 1;
  /** Accounts so far. */
  count = 0;

  add(changes: readonly AccountChange[]): void {
    for (const { address, account, storage = [] } of changes) {
      // An account may have millions of slots, and the sample is kept.
      const change = { address, account, storage: spread(storage, sampleSlots) };
      if (this.count % this.#step === 0) this.#kept.push(change);
      if (this.#kept.length > sampleAccounts) {
        this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
        this.#step *= 2;
      }
      this.#last = change;
      this.count++;
    }
  }

  get accounts(): AccountChange[] {
    const last = this.#last;
    return last === undefined || this.#kept.includes(last) ? this.#kept : [...this.#kept, last];
  }
}

const rootOption = () => wordFor('genesisRoot', 'genesisRoot');

/**
 * Compares a genesis before anything of it is kept. A node that knows no root is asked for some of the accounts.
 *
 * @throws FollowError `ROOT_MISMATCH`, `STATE_MISMATCH`, `NODE_FAILED`
 */
export async function checkGenesis(
  check: GenesisCheck,
  block: number,
  { root, sample }: { root: Hex; sample: GenesisSample },
): Promise<void> {
  if (await checkGenesisRoot(check, block, root)) return;
  const { accounts } = sample;
  const compareAll = async () => {
    for (const change of accounts) await checkAccount(check.node, block, change);
    return accounts.length;
  };
  const compared = (await unlessRefused(compareAll())) ?? 'none';
  check.onWarning(
    `the node does not know the state root of block ${block}; of the ${sample.count} accounts of the genesis, ${compared} were compared with it. To compare all, give the root (${rootOption()})`,
  );
}

/**
 * Compares the genesis that a tree holds, as long as it is held. If it is wrong, the tree is marked: a service may have the
 * store open already.
 *
 * @throws FollowError `ROOT_MISMATCH`, `NODE_FAILED`
 */
export async function checkHeldGenesis(tree: StateTree, check: GenesisCheck): Promise<void> {
  const block = (await tree.oldestBlock()) as number;
  const root = await tree.headerRoot(block);
  // Only a genesis has a root. If another block is the first one left, those before it were compared.
  if (root === undefined && block !== (await tree.newestBlock())) return;
  try {
    if (root !== undefined && (await checkGenesisRoot(check, block, root))) return;
  } catch (error) {
    if (!(error instanceof FollowError && error.code === 'ROOT_MISMATCH')) throw error;
    await tree.distrust(error.message);
    throw error;
  }
  check.onWarning(
    `the whole of the genesis could not be compared with the node: accounts that it lacks or has wrong may go unnoticed. To compare all, load it by the state file and give its root (${rootOption()})`,
  );
}
