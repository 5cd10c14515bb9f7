/** Records of transfers besides the tokens of wallets: the moves themselves, what they add up to, and each item's own. */
import { bytesToInteger, equalBytes, integerToBytes, isZero } from '../../bytes.js';
import type { Changes } from '../layout/changes.js';
import { directions, idWidth, placeBytes, standards } from '../layout/layout.js';
import type { TokenEvent } from '../logs/events.js';
import type { LogPosition } from './position.js';
import { Wrappings } from './wrappings.js';

type Transfer = Extract<TokenEvent, { kind: 'transfer' }>;
type Run = Extract<TokenEvent, { kind: 'run' }>;

/** One part of a transfer: an amount of a fungible token, or a token with an id. */
interface Part {
  readonly standard: number;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly id: Uint8Array | undefined;
  readonly amount: Uint8Array;
  /** Its number in the transfer. */
  readonly number: Uint8Array;
}

const one = Uint8Array.of(1);
const firstPart = placeBytes(0);

/** Sides of a transfer in the upper half of a byte, above the standard. */
const directionShift = 4;

function addSide(
  changes: Changes,
  { standard, from, to, id, amount, number }: Part,
  position: LogPosition,
  direction: number,
): void {
  const isSender = direction === directions.out;
  const wallet = isSender ? from : to;
  if (isZero(wallet)) return;
  changes.key('moved').part(wallet).ofContract(position.contract).part(position.newest);
  changes
    .part(number)
    .value(position.block)
    .byte(standard | (direction << directionShift));
  changes.part(isSender ? to : from).part(position.transaction);
  if (id) changes.part(id);
  changes.amount(amount).end();
}

function addMoved(changes: Changes, part: Part, position: LogPosition): void {
  const { from, to } = part;
  if (equalBytes(from, to)) {
    addSide(changes, part, position, directions.both);
    return;
  }
  addSide(changes, part, position, directions.out);
  addSide(changes, part, position, directions.in);
}

function addSum(
  changes: Changes,
  { standard, from, to, id, amount }: Part,
  { contract, block }: LogPosition,
  isSender: boolean,
): void {
  const wallet = isSender ? from : to;
  if (isZero(wallet)) return;
  changes.key('sum').ofContract(contract).byte(standard);
  // The tokens of an ERC-721 contract are counted together.
  if (id && standard === standards.erc1155) changes.part(id);
  changes.part(wallet).value(block).signed(amount, isSender).end();
}

function addSums(changes: Changes, part: Part, position: LogPosition): void {
  if (isZero(part.amount)) return;
  addSum(changes, part, position, true);
  addSum(changes, part, position, false);
}

/** A part with an id. */
type ItemPart = Part & { readonly id: Uint8Array };

function addItem(changes: Changes, { id, from, to }: ItemPart, position: LogPosition): void {
  changes.key('item').ofContract(position.contract).part(id).part(position.newest);
  changes.value(position.block).part(from).part(to).part(position.transaction).end();
}

function addPart(changes: Changes, part: ItemPart, position: LogPosition): void {
  addMoved(changes, part, position);
  addSums(changes, part, position);
  addItem(changes, part, position);
}

function addTransfer(changes: Changes, event: Transfer, position: LogPosition): void {
  const { from, to, ids, amounts } = event;
  const standard = standards[event.standard];
  if (event.standard === 'erc20') {
    const amount = amounts[0] as Uint8Array;
    const part = { standard, from, to, id: undefined, amount, number: firstPart };
    addMoved(changes, part, position);
    addSums(changes, part, position);
    return;
  }
  // They have places: no text is long enough for the data of more ids than there are.
  for (const [i, id] of ids.entries()) {
    const number = i === 0 ? firstPart : placeBytes(i);
    addPart(changes, { standard, from, to, id, amount: amounts[i] ?? one, number }, position);
  }
}

/** Tokens that came together: one record of them, and their number in the sums. */
function addRun(changes: Changes, { from, to, first, last }: Run, position: LogPosition): void {
  changes.key('batch').ofContract(position.contract).part(first);
  changes.value(position.block).part(last).part(to).part(position.transaction).end();
  const count = bytesToInteger(last) - bytesToInteger(first) + 1n;
  const amount = integerToBytes(count, idWidth + 1);
  const part = { standard: standards.erc721, from, to, id: undefined, amount, number: firstPart };
  addSums(changes, part, position);
}

/** Adds what the transfers of one transaction after the other leave. */
export class TransferRecords {
  readonly #changes: Changes;
  readonly #wrappings = new Wrappings();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  beginTransaction(): void {
    this.#wrappings.beginTransaction();
  }

  add(event: TokenEvent, position: LogPosition): void {
    if (event.kind === 'run') addRun(this.#changes, event, position);
    else if (event.kind === 'transfer') {
      if (this.#wrappings.isRepeated(event, position.contract)) return;
      addTransfer(this.#changes, event, position);
    }
  }
}
