/** The laws of one contract: its number, its blocks with logs, its sums, and the moves that they are made of. */
import { addressWidth, encodeHex, equalBytes, type Hex, isZero } from '../../bytes.js';
import { signedIn, unsignedIn } from '../layout/combine.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  blockNumberWidth,
  checkWidth,
  contractBytes,
  contractWidth,
  idWidth,
  keyOf,
  numberIn,
  placeWidth,
  standards,
  within,
} from '../layout/layout.js';
import { bodyIn, stateWidth } from '../layout/record.js';
import { decodeMoved } from '../lists/transfers.js';
import { sealed } from '../sealed/sealedStore.js';
import type { CheckReader } from './reading.js';
import { Sample } from './sample.js';

/** Records of one list that are read at most. */
const mostRecords = 2_000_000;

/** Wallets of a contract whose moves are added up, and the moves of each that are read at most. */
const mostWallets = 4;
const mostMoves = 10_000;

/** A list of sums: those of a token, or of the tokens of one id. */
interface SumList {
  readonly standard: number;
  readonly id: bigint | undefined;
  /** What all wallets have. */
  total: bigint;
  /** Whether a wallet sent what it had got without an event. */
  hasNegative: boolean;
  readonly wallets: Sample<{ readonly wallet: Hex; readonly sum: bigint }>;
}

/** What transfers leave of a token. */
export interface TokenSums {
  readonly total: bigint;
  /** Whether a wallet sent what it had got without an event. */
  readonly hasNegative: boolean;
  /** Some wallets. */
  readonly wallets: readonly { readonly wallet: Hex; readonly sum: bigint }[];
}

export interface ContractFindings {
  readonly contract: Hex;
  /** How many lists of sums were read. */
  readonly sums: number;
  /** Of ERC-20, if all of it was read. */
  readonly token: TokenSums | undefined;
}

const damaged = (contract: Hex, what: string) =>
  new IndexError('DAMAGED', `what the index holds of ${contract} does not fit together: ${what}`);

/** The address of a contract. @throws IndexError `DAMAGED` unless number and address name each other */
async function findContract({ store }: CheckReader, number: number): Promise<Hex> {
  const reader = sealed(store);
  const key = keyOf('address', contractBytes(number));
  const [address] = (await reader.read({ keys: [key], ranges: [] })).values;
  const bytes = checkWidth(address, addressWidth, `the address of contract ${number}`);
  const back = keyOf('contract', bytes);
  const [found] = (await reader.read({ keys: [back], ranges: [] })).values;
  const contract = encodeHex(bytes);
  if (found !== undefined && equalBytes(found, contractBytes(number))) return contract;
  throw damaged(contract, 'it has another number than its address');
}

/** Blocks with logs of the contract: each has some. */
async function checkEmitted(reader: CheckReader, number: Uint8Array, contract: Hex): Promise<void> {
  await reader.read(within('emitted', number), mostRecords, ({ key, value }) => {
    checkWidth(key, 1 + contractWidth + blockNumberWidth, 'a block with logs');
    const logs = numberIn(bodyIn(checkWidth(value, stateWidth + placeWidth, 'a number of logs')));
    if (logs === 0) throw damaged(contract, 'a block with logs has none');
  });
}

/** The lists of sums of a contract; undefined if there are too many. */
async function readSums(reader: CheckReader, number: Uint8Array): Promise<SumList[] | undefined> {
  const lists: SumList[] = [];
  const standardAt = 1 + contractWidth;
  let name: Uint8Array | undefined;
  const isWhole = await reader.read(within('sum', number), mostRecords, ({ key, value }) => {
    const standard = key[standardAt] as number;
    const isOfId = standard === standards.erc1155;
    checkWidth(key, standardAt + 1 + (isOfId ? idWidth : 0) + addressWidth, 'a sum');
    const own = key.subarray(0, -addressWidth);
    if (name === undefined || !equalBytes(name, own)) {
      name = own;
      const id = isOfId ? unsignedIn(own.subarray(standardAt + 1)) : undefined;
      lists.push({ standard, id, total: 0n, hasNegative: false, wallets: new Sample(mostWallets) });
    }
    const list = lists.at(-1) as SumList;
    const sum = signedIn(bodyIn(value));
    list.total += sum;
    list.hasNegative ||= sum < 0n;
    list.wallets.show({ wallet: encodeHex(key.subarray(-addressWidth)), sum });
  });
  return isWhole ? lists : undefined;
}

/** Holds sums of a list against the moves that they are made of. */
async function checkMoves(
  reader: CheckReader,
  number: Uint8Array,
  { contract, list }: { contract: Hex; list: SumList },
): Promise<void> {
  for (const { wallet, sum } of list.wallets.items) {
    let moved = 0n;
    const bounds = within('moved', addressBytes(wallet), number);
    const isWhole = await reader.read(bounds, mostMoves, (record) => {
      const { standard, id, direction, amount } = decodeMoved(record);
      if (standards[standard] !== list.standard || id !== (list.id ?? id)) return;
      if (direction !== 'both') moved += direction === 'in' ? amount : -amount;
    });
    if (isWhole && moved !== sum) {
      throw damaged(
        contract,
        `the transfers of ${wallet} add up to ${moved}, and its sum is ${sum}`,
      );
    }
  }
}

/** Holds the number of ERC-721 tokens against the moves of each. */
async function checkItems(
  reader: CheckReader,
  number: Uint8Array,
  { contract, list }: { contract: Hex; list: SumList },
): Promise<void> {
  let held = 0n;
  const isWhole = await reader.read(within('item', number), mostRecords, ({ value }) => {
    const body = bodyIn(checkWidth(value, stateWidth + 2 * addressWidth + placeWidth, 'a move'));
    if (!isZero(body, 0, addressWidth)) held--;
    if (!isZero(body, addressWidth, 2 * addressWidth)) held++;
  });
  if (isWhole && held !== list.total) {
    throw damaged(contract, `its tokens are ${held} by their moves, and ${list.total} by the sums`);
  }
}

/** Checks what an index by receipts holds of a contract. @throws IndexError `DAMAGED` */
export async function checkContract(reader: CheckReader, place: number): Promise<ContractFindings> {
  const contract = await findContract(reader, place);
  const number = contractBytes(place);
  await checkEmitted(reader, number, contract);
  const lists = await readSums(reader, number);
  if (lists === undefined) return { contract, sums: 0, token: undefined };
  let batches = 0;
  await reader.read(within('batch', number), 1, () => {
    batches++;
  });
  for (const list of lists) {
    // Tokens that came together have no moves of their own.
    if (list.standard === standards.erc721 && batches > 0) continue;
    await checkMoves(reader, number, { contract, list });
    if (list.standard === standards.erc721 && lists.length === 1) {
      await checkItems(reader, number, { contract, list });
    }
  }
  const fungible = lists.find(({ standard }) => standard === standards.erc20);
  const token = fungible && {
    total: fungible.total,
    hasNegative: fungible.hasNegative,
    wallets: fungible.wallets.items,
  };
  return { contract, sums: lists.length, token };
}

/** The same of an index of tokens alone, which knows no more of a contract than its number. @throws IndexError `DAMAGED` */
export async function checkNumber(reader: CheckReader, place: number): Promise<ContractFindings> {
  return { contract: await findContract(reader, place), sums: 0, token: undefined };
}
