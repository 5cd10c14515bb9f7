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

/** Sums of a standard whose moves are added up, and the moves of each that are read at most. */
const mostWallets = 4;
const mostMoves = 10_000;

/** What transfers leave a wallet: of a token, or of the tokens of one id. */
interface Held {
  readonly wallet: Hex;
  readonly id: bigint | undefined;
  readonly sum: bigint;
}

/** The sums of a contract by one standard. */
interface StandardSums {
  readonly standard: number;
  /** What all wallets have; of ERC-1155, of all ids. */
  total: bigint;
  /** Whether a wallet sent what it had got without an event. */
  hasNegative: boolean;
  /** Lists: one, or one for each id of ERC-1155. */
  lists: number;
  readonly some: Sample<Held>;
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

/** The sums of a contract; undefined if there are too many. A contract may have millions of ids, so they are not kept. */
async function readSums(
  reader: CheckReader,
  number: Uint8Array,
): Promise<StandardSums[] | undefined> {
  const found: StandardSums[] = [];
  const standardAt = 1 + contractWidth;
  let name: Uint8Array | undefined;
  const isWhole = await reader.read(within('sum', number), mostRecords, ({ key, value }) => {
    const standard = key[standardAt] as number;
    const isOfId = standard === standards.erc1155;
    checkWidth(key, standardAt + 1 + (isOfId ? idWidth : 0) + addressWidth, 'a sum');
    if (found.at(-1)?.standard !== standard) {
      const some = new Sample<Held>(mostWallets);
      found.push({ standard, total: 0n, hasNegative: false, lists: 0, some });
    }
    const sums = found.at(-1) as StandardSums;
    const own = key.subarray(0, -addressWidth);
    if (name === undefined || !equalBytes(name, own)) sums.lists++;
    name = own;
    const sum = signedIn(bodyIn(value));
    sums.total += sum;
    sums.hasNegative ||= sum < 0n;
    const id = isOfId ? unsignedIn(own.subarray(standardAt + 1)) : undefined;
    sums.some.show({ wallet: encodeHex(key.subarray(-addressWidth)), id, sum });
  });
  return isWhole ? found : undefined;
}

/** Holds some sums against the moves that they are made of. */
async function checkMoves(
  reader: CheckReader,
  number: Uint8Array,
  { contract, sums }: { contract: Hex; sums: StandardSums },
): Promise<void> {
  for (const { wallet, id, sum } of sums.some.items) {
    let moved = 0n;
    const bounds = within('moved', addressBytes(wallet), number);
    const isWhole = await reader.read(bounds, mostMoves, (record) => {
      const move = decodeMoved(record);
      if (standards[move.standard] !== sums.standard || (id !== undefined && move.id !== id))
        return;
      if (move.direction !== 'both') moved += move.direction === 'in' ? move.amount : -move.amount;
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
  { contract, sums }: { contract: Hex; sums: StandardSums },
): Promise<void> {
  let held = 0n;
  const isWhole = await reader.read(within('item', number), mostRecords, ({ value }) => {
    const body = bodyIn(checkWidth(value, stateWidth + 2 * addressWidth + placeWidth, 'a move'));
    if (!isZero(body, 0, addressWidth)) held--;
    if (!isZero(body, addressWidth, 2 * addressWidth)) held++;
  });
  if (isWhole && held !== sums.total) {
    throw damaged(contract, `its tokens are ${held} by their moves, and ${sums.total} by the sums`);
  }
}

/** Checks what an index by receipts holds of a contract. @throws IndexError `DAMAGED` */
export async function checkContract(reader: CheckReader, place: number): Promise<ContractFindings> {
  const contract = await findContract(reader, place);
  const number = contractBytes(place);
  await checkEmitted(reader, number, contract);
  const found = await readSums(reader, number);
  if (found === undefined) return { contract, sums: 0, token: undefined };
  let batches = 0;
  await reader.read(within('batch', number), 1, () => {
    batches++;
  });
  for (const sums of found) {
    const isItems = sums.standard === standards.erc721;
    // Tokens that came together have no moves of their own.
    if (isItems && batches > 0) continue;
    await checkMoves(reader, number, { contract, sums });
    if (isItems && found.length === 1) await checkItems(reader, number, { contract, sums });
  }
  const fungible = found.find(({ standard }) => standard === standards.erc20);
  return {
    contract,
    sums: found.reduce((all, { lists }) => all + lists, 0),
    token: fungible && {
      total: fungible.total,
      hasNegative: fungible.hasNegative,
      wallets: fungible.some.items,
    },
  };
}

/** The same of an index of tokens alone, which knows no more of a contract than its number. @throws IndexError `DAMAGED` */
export async function checkNumber(reader: CheckReader, place: number): Promise<ContractFindings> {
  return { contract: await findContract(reader, place), sums: 0, token: undefined };
}
