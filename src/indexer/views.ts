/** What an event leaves in the index: each view is a function from events to entries (see layout.ts). */
import type { Draft } from './draft.js';
import { isNobody, type TokenEvent } from './events.js';
import { allowanceForms, bytesOf, kinds, standards } from './layout.js';

/** Where an event happened. */
export interface Place {
  /** Number of the contract, in digits. */
  readonly contract: string;
  /** Number of the block, in digits and in bytes. */
  readonly block: string;
  readonly blockBytes: Uint8Array;
}

type View = (draft: Draft, event: TokenEvent, place: Place) => void;

const nothing = new Uint8Array(0);

/** Who may hold something of a contract. The sender too: it may have been given what it sends without an event. */
const holdings: View = (draft, event, { contract, blockBytes }) => {
  if (event.kind !== 'transfer' && event.kind !== 'run') return;
  const standard = standards[event.kind === 'run' ? 'erc721' : event.standard];
  for (const wallet of [event.from, event.to]) {
    if (isNobody(wallet)) continue;
    draft.put(`${kinds.holding}${wallet}${standard}${contract}`, blockBytes);
  }
};

/** Which tokens a wallet may hold. */
const tokens: View = (draft, event, { contract, block, blockBytes }) => {
  if (event.kind !== 'transfer') return;
  const { from, to, ids } = event;
  const standard = standards[event.standard];
  for (const id of ids) {
    // An ERC-1155 token may be there in any number: some may be left.
    if (event.standard === 'erc721' && !isNobody(from)) {
      draft.delete(`${kinds.token}${from}${standard}${contract}${id}`);
      draft.put(`${kinds.sent}${from}${block}${contract}${id}`, nothing);
    }
    if (!isNobody(to)) draft.put(`${kinds.token}${to}${standard}${contract}${id}`, blockBytes);
  }
};

/** Tokens that came together: one entry, however many they are. */
const runs: View = (draft, event, { contract, block }) => {
  if (event.kind !== 'run' || isNobody(event.to)) return;
  draft.put(`${kinds.run}${event.to}${contract}${event.first}`, bytesOf(event.last + block));
};

/** Who may spend what of an owner. */
const allowances: View = (draft, event, { contract, block, blockBytes }) => {
  if (event.kind === 'allowance') {
    const { owner, spender, form } = event;
    const key = `${kinds.allowance}${owner}${allowanceForms[form]}${contract}${spender}`;
    draft.put(key, blockBytes);
  } else if (event.kind === 'approval') {
    const { owner, spender, id } = event;
    draft.put(`${kinds.approval}${owner}${contract}${id}`, bytesOf(spender + block));
  }
};

const views: readonly View[] = [holdings, tokens, runs, allowances];

/** Writes what an event leaves, in all views. */
export function record(draft: Draft, event: TokenEvent, place: Place): void {
  for (const view of views) view(draft, event, place);
}
