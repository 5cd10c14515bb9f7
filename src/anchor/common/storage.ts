/** Words of the rollup contract's storage, each proven by an answer of L1 to `eth_getProof`. */
import { equalBytes, type Hex } from '../../bytes.js';
import { checkHex } from '../../codec/argument.js';
import { ShapeError } from '../../errors.js';
import { memberPath, type Source } from '../../foreign/members.js';
import { openArray, openObject, readMember } from '../../foreign/shape.js';
import { toWord } from '../../foreign/values.js';
import { verifyAccount, verifySlot } from '../../mpt/account.js';
import { emptyTrieRoot } from '../../mpt/encode.js';
import { TrieError } from '../../mpt/errors.js';
import { checkForeign, wrongNetwork } from './errors.js';
import type { Network } from './network.js';

/** More entries of `storageProof` are not looked through. */
const mostEntries = 256;

/** Reads a word of the contract's storage, proven. */
export interface ProvenStorage {
  /** @throws ShapeError if the answer has no entry for the slot */
  read(slot: Hex): Uint8Array;
  /** Undefined if the answer has no entry for the slot. */
  find(slot: Hex): Uint8Array | undefined;
}

/**
 * Reads the contract's storage in an answer of L1 to `eth_getProof`.
 *
 * @param result of unknown origin
 * @throws AnchorError for any error of `read` about the answer, too
 */
export const readProven = <T>(
  result: unknown,
  { network, l1StateRoot }: { network: Network; l1StateRoot: Uint8Array },
  read: (storage: ProvenStorage) => T,
): T =>
  checkForeign(
    () => read(openRollup(result, network, l1StateRoot)),
    (cause) => (cause instanceof TrieError ? 'BAD_PROOF' : undefined),
  );

/** An entry of `storageProof`. */
interface Entry {
  /** The slot that it names, 32 bytes; undefined if it names none. */
  readonly label: Uint8Array | undefined;
  readonly source: Source;
}

function openRollup(result: unknown, network: Network, l1StateRoot: Uint8Array): ProvenStorage {
  const answer = openObject(result, '');
  const rollup = checkHex(network.rollup, 20, 'rollup');
  const nodes = readMember(answer, 'accountProof');
  const account = verifyAccount(l1StateRoot, rollup, nodes, 'accountProof');
  if (account === undefined || equalBytes(account.storageRoot, emptyTrieRoot)) {
    const found = account === undefined ? 'no account' : 'an account without storage';
    throw wrongNetwork(network, `L1 has ${found} at ${network.rollup}`);
  }
  const { storageRoot } = account;
  const entries = readEntries(answer);

  function find(slot: Hex): Uint8Array | undefined {
    const word = checkHex(slot, 32, 'slot');
    const isAsked = ({ label }: Entry) => label !== undefined && equalBytes(label, word);
    const source = entries.find(isAsked)?.source;
    if (source === undefined) return undefined;
    return verifySlot(storageRoot, word, readMember(source, 'proof'), memberPath(source, 'proof'));
  }
  return {
    find,
    read(slot) {
      const word = find(slot);
      if (word) return word;
      throw new ShapeError('storageProof', `expected an entry whose key is ${slot}`);
    },
  };
}

/**
 * The entries of `storageProof` with the slot that each is labelled with. Servers write it in full or without leading
 * zeros. The label only finds the entry: the proof itself is held against the slot that was asked for.
 */
function readEntries(answer: Source): Entry[] {
  const list = openArray(readMember(answer, 'storageProof'), 'storageProof');
  const { length, at } = list;
  if (length > mostEntries) {
    throw new ShapeError(at, `expected at most ${mostEntries} entries, got ${length}`);
  }
  return Array.from({ length }, (_, i) => {
    const source = openObject(readMember(list, i), memberPath(list, i));
    return { label: toWord(readMember(source, 'key')), source };
  });
}
