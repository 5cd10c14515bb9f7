/** Who may spend something of an owner, as far as events say: whom to ask about. */
import { addressWidth, bytesToInteger, encodeHex, type Hex } from '../../bytes.js';
import type { Store } from '../../tree/index.js';
import {
  addressBytes,
  allowanceForms,
  checkWidth,
  contractWidth,
  idBytes,
  idWidth,
  type KeyBounds,
  keyOf,
  numberIn,
  placeWidth,
  type RecordKind,
  within,
} from '../layout/layout.js';
import { blockIn, bodyIn } from '../layout/record.js';
import { atMoment, type Moment } from '../sealed/moment.js';
import { contractNumber, contractsOf } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';
import { countRecords } from './list.js';

/** Where an owner approved something for the last time. */
interface ApprovalPlace {
  readonly block: number;
  /** Places of the transaction and of the log in the block, from 0. */
  readonly transaction: number;
  readonly log: number;
}

/** What says who may spend amounts: the token, or Permit2. */
interface SpenderKey {
  /** The token. */
  readonly contract: Hex;
  readonly isPermit: boolean;
  readonly spender: Hex;
}

export interface Spender extends SpenderKey, ApprovalPlace {}

/** All tokens of a contract, for one spender; or one token. */
interface NftApprovalKey {
  readonly contract: Hex;
  /** Undefined: all. */
  readonly id: bigint | undefined;
  /** Of a single token, the one that the last event named; the zero address if it named nobody. */
  readonly spender: Hex;
}

export interface NftApproval extends NftApprovalKey, ApprovalPlace {}

/** A part of a list that is read from its beginning, or behind the last one that was read. */
interface ApprovalPart<Key> {
  readonly after?: Key | undefined;
  readonly limit: number;
}

export interface ApprovalLists {
  /**
   * Who was ever approved to spend amounts of an owner: by contracts in the order of their first event, then those whom the
   * token knows, then those whom Permit2 knows.
   */
  spenders(owner: Hex, part: ApprovalPart<SpenderKey>): Promise<Spender[]>;
  /** What was ever approved of an owner's NFTs: by contracts in that order, then all of its tokens, then single ones. */
  nftApprovals(owner: Hex, part: ApprovalPart<NftApprovalKey>): Promise<NftApproval[]>;
  /** How many spenders there are; counting ends at `limit`. */
  countSpenders(owner: Hex, limit: number): Promise<number>;
  /** How many approvals of NFTs there are; counting ends at `limit`. */
  countNftApprovals(owner: Hex, limit: number): Promise<number>;
}

/** Records of one kind about an owner, whose keys go on with a contract's number. */
interface Source {
  readonly kind: RecordKind;
  readonly prefix: readonly Uint8Array[];
  /** Bytes of a key behind the contract's number: of a spender, or of a token's id. */
  readonly width: number;
  /** Whether a value names the spender. */
  readonly hasSpender: boolean;
}

/** The key of a record among those of all sources. */
interface MergedKey {
  readonly contract: Uint8Array;
  /** Which source it is of. */
  readonly source: number;
  readonly rest: Uint8Array;
}

interface MergedRecord extends ApprovalPlace {
  readonly number: number;
  readonly source: number;
  readonly rest: Uint8Array;
  readonly spender: Uint8Array;
}

const [byAmount, forAll] = [allowanceForms.amount, allowanceForms.all].map((form) =>
  Uint8Array.of(form),
) as [Uint8Array, Uint8Array];

const spenderSources = (owner: Uint8Array): readonly Source[] => [
  { kind: 'allowance', prefix: [owner, byAmount], width: addressWidth, hasSpender: false },
  { kind: 'permit', prefix: [owner], width: addressWidth, hasSpender: false },
];

const nftSources = (owner: Uint8Array): readonly Source[] => [
  { kind: 'allowance', prefix: [owner, forAll], width: addressWidth, hasSpender: false },
  { kind: 'approval', prefix: [owner], width: idWidth, hasSpender: true },
];

/** Bounds of a source's records behind a key of any source. */
function boundsBehind(
  { kind, prefix }: Source,
  source: number,
  after: MergedKey | undefined,
): KeyBounds {
  const { from, to } = within(kind, ...prefix);
  if (after === undefined) return { from, to };
  const ofContract = [...prefix, after.contract];
  if (source > after.source) return { from: keyOf(kind, ...ofContract), to };
  const read = source === after.source ? [...ofContract, after.rest] : ofContract;
  return { from: within(kind, ...read).to, to };
}

/** Records of all sources as one list: by contracts, then by sources. */
async function readMerged(
  moment: Moment,
  sources: readonly Source[],
  { after, limit }: { after: MergedKey | undefined; limit: number },
): Promise<MergedRecord[]> {
  const found: MergedRecord[] = [];
  for (const [source, of] of sources.entries()) {
    const restAt = of.prefix.reduce((at, { length }) => at + length, 1) + contractWidth;
    const placesAt = of.hasSpender ? addressWidth : 0;
    let count = 0;
    await readRecords(moment, boundsBehind(of, source, after), ({ key, value }) => {
      const bytes = checkWidth(key, restAt + of.width, 'an approval');
      const body = checkWidth(bodyIn(value), placesAt + 2 * placeWidth, 'a place of an approval');
      // What a reader gives holds until the next record alone.
      const rest = bytes.slice(restAt);
      found.push({
        source,
        rest,
        number: numberIn(bytes.subarray(restAt - contractWidth, restAt)),
        spender: of.hasSpender ? body.slice(0, placesAt) : rest,
        block: blockIn(value),
        transaction: numberIn(body.subarray(placesAt, placesAt + placeWidth)),
        log: numberIn(body.subarray(placesAt + placeWidth)),
      });
      return ++count < limit;
    });
  }
  // Those of one source are in order already, and stay so.
  return found.sort((a, b) => a.number - b.number || a.source - b.source).slice(0, limit);
}

export function createApprovalLists(store: Store): ApprovalLists {
  /** Reads a part; a contract that has no number has nothing behind it. */
  const read = <Key extends { readonly contract: Hex }, T>(
    sources: readonly Source[],
    { after, limit }: ApprovalPart<Key>,
    {
      toKey,
      toItem,
    }: {
      toKey: (key: Key) => Omit<MergedKey, 'contract'>;
      toItem: (record: MergedRecord, contract: Hex) => T;
    },
  ): Promise<T[]> =>
    atMoment(store, async (moment) => {
      let behind: MergedKey | undefined;
      if (after !== undefined) {
        const contract = await contractNumber(moment, after.contract);
        if (contract === undefined) return [];
        behind = { contract, ...toKey(after) };
      }
      const records = await readMerged(moment, sources, { after: behind, limit });
      const contracts = await contractsOf(
        moment,
        records.map(({ number }) => number),
      );
      return records.map((record, i) => toItem(record, contracts[i] as Hex));
    });

  const count = (sources: readonly Source[], limit: number): Promise<number> =>
    atMoment(store, async (moment) => {
      let sum = 0;
      for (const { kind, prefix } of sources) {
        sum += await countRecords(moment, kind, prefix, limit - sum);
      }
      return sum;
    });

  return {
    spenders: (owner, part) =>
      read<SpenderKey, Spender>(spenderSources(addressBytes(owner)), part, {
        toKey: ({ isPermit, spender }) => ({
          source: isPermit ? 1 : 0,
          rest: addressBytes(spender),
        }),
        toItem: ({ source, spender, block, transaction, log }, contract) => ({
          contract,
          isPermit: source === 1,
          spender: encodeHex(spender),
          block,
          transaction,
          log,
        }),
      }),
    nftApprovals: (owner, part) =>
      read<NftApprovalKey, NftApproval>(nftSources(addressBytes(owner)), part, {
        toKey: ({ id, spender }) =>
          id === undefined
            ? { source: 0, rest: addressBytes(spender) }
            : { source: 1, rest: idBytes(id) },
        toItem: ({ source, rest, spender, block, transaction, log }, contract) => ({
          contract,
          spender: encodeHex(spender),
          block,
          transaction,
          log,
          id: source === 0 ? undefined : bytesToInteger(rest),
        }),
      }),
    countSpenders: (owner, limit) => count(spenderSources(addressBytes(owner)), limit),
    countNftApprovals: (owner, limit) => count(nftSources(addressBytes(owner)), limit),
  };
}
