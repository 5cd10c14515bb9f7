/** What the relayer must not forget, in one file. It holds no proof: what counts is asked anew after a restart. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Hex } from 'viem';

/** A message that is not claimed yet, as far as finalized blocks of L1 know. */
export interface Entry {
  /** The L2 block of its event. */
  readonly block: number;
  /** Claims of it that have failed, or whose place another transaction took. */
  readonly tries: number;
  /** The claim, signed: after a restart the same transaction is sent again, and no second one. */
  readonly claim?: { readonly raw: Hex; readonly hash: Hex; readonly nonce: number };
}

export interface State {
  /** The first L2 block that was not looked at. */
  nextBlock: number;
  /** By the hash of the message. */
  messages: Record<Hex, Entry>;
}

export function openState(file: string, fromBlock: number) {
  const state = load() ?? { nextBlock: fromBlock, messages: {} };
  function load(): State | undefined {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
  return {
    state,
    /** Whole or not at all, even if the process is killed meanwhile. */
    save(): void {
      writeFileSync(`${file}.new`, JSON.stringify(state, null, 2));
      renameSync(`${file}.new`, file);
    },
  };
}
