/** The entries of events in the index: each view is a function from events to entries (see layout.ts). */
import { isZero } from '../../bytes.js';
import type { Changes } from '../layout/changes.js';
import { allowanceForms, standards } from '../layout/layout.js';
import type { TokenEvent } from './events.js';

/** Where an event happened. */
export interface EventPosition {
  /** Number of the contract among the changes. */
  readonly contract: number;
  /** Number of the block. */
  readonly block: Uint8Array;
  /** Of the transaction and of the log, side by side. */
  readonly places: Uint8Array;
}

type View = (changes: Changes, event: TokenEvent, place: EventPosition) => void;

/** Minted tokens come from the zero address, and burnt ones go to it. */
const isNobody = isZero;

/** Who may hold something of a contract. The sender too: it may have received what it sends without an event. */
const holdings: View = (changes, event, { contract, block }) => {
  if (event.kind !== 'transfer' && event.kind !== 'run') return;
  const { from, to } = event;
  const standard = standards[event.kind === 'run' ? 'erc721' : event.standard];
  if (!isNobody(from)) {
    changes.key('holding').part(from).byte(standard).ofContract(contract).put(block);
  }
  if (!isNobody(to)) changes.key('holding').part(to).byte(standard).ofContract(contract).put(block);
};

/** Which tokens a wallet may hold. */
const tokens: View = (changes, event, { contract, block }) => {
  if (event.kind !== 'transfer') return;
  const { from, to, ids } = event;
  const standard = standards[event.standard];
  for (const id of ids) {
    // An ERC-1155 token may be there in any number: some may be left.
    if (event.standard === 'erc721' && !isNobody(from)) {
      changes.key('token').part(from).byte(standard).ofContract(contract).part(id).delete(block);
      changes.key('sent').part(from).part(block).ofContract(contract).part(id).put(block);
    }
    if (isNobody(to)) continue;
    changes.key('token').part(to).byte(standard).ofContract(contract).part(id).put(block);
  }
};

/** Tokens that came together: one entry, however many they are. */
const runs: View = (changes, event, { contract, block }) => {
  if (event.kind !== 'run' || isNobody(event.to)) return;
  const key = changes.key('run').part(event.to).ofContract(contract).part(event.first);
  key.put(block, event.last);
};

/** Who may spend what of an owner. */
const allowances: View = (changes, event, { contract, block, places }) => {
  if (event.kind === 'allowance') {
    const { owner, spender, form } = event;
    const key = changes.key('allowance').part(owner).byte(allowanceForms[form]);
    key.ofContract(contract).part(spender).put(block, places);
  } else if (event.kind === 'approval') {
    const { owner, spender, id } = event;
    const key = changes.key('approval').part(owner).ofContract(contract).part(id);
    key.value(block).part(spender).part(places).end();
  }
};

const views: readonly View[] = [holdings, tokens, runs, allowances];

/** Adds what an event leaves, in all views. */
export function record(changes: Changes, event: TokenEvent, place: EventPosition): void {
  for (const view of views) view(changes, event, place);
}
