/**
 * Reads the objects of a light client from the JSON of the beacon API. Their format is that of the fork of their attested
 * slot, whatever the server says; all widths and counts are exact. Hashes the members of an execution header alone.
 */
import { isZero } from '../../bytes.js';
import type { Source } from '../../foreign/members.js';
import { createReader, optional, type ValueReader } from '../../foreign/reader.js';
import { dataBytes, hexBytes } from '../../foreign/values.js';
import { refusal } from './errors.js';
import { depthOf, type GeneralizedIndices } from './forks.js';
import { bytesRoot, merkleNodeWidth, numberNode, shortListRoot } from './merkle.js';
import { type BeaconNetwork, indicesAt } from './network.js';
import type {
  BeaconHeader,
  Bootstrap,
  ExecutionPart,
  LightClientHeader,
  SyncCommittee,
  Update,
} from './types.js';

export const { as, read, readMember, readObject, openArray } = createReader(
  (path, reason, options) => refusal('BAD_ANSWER', path, reason, options),
);

const bytes = (width: number) =>
  as((value) => hexBytes(value, width), `0x and ${2 * width} hex digits`);
const node = bytes(merkleNodeWidth);
const pubkey = bytes(48);

const decimalForm = /^(0|[1-9][0-9]{0,77})$/;

/** An integer, which the API writes as decimal text. */
const decimal = (bits: number) =>
  as((value) => {
    if (typeof value !== 'string' || !decimalForm.test(value)) return undefined;
    const integer = BigInt(value);
    return integer >> BigInt(bits) === 0n ? integer : undefined;
  }, `a number below 2^${bits}, as decimal digits`);

const integer64 = decimal(64);
const slot: ValueReader<number> = (value, at) => Number(decimal(53)(value, at));

/** An array of exactly so many elements. */
const listOf =
  <T>(count: number, element: ValueReader<T>): ValueReader<T[]> =>
  (value, at) => {
    const list = openArray(value, at);
    if (list.length !== count) {
      throw refusal('BAD_ANSWER', at, `expected ${count} elements, got ${list.length}`);
    }
    return Array.from({ length: count }, (_, i) => read(list, i, element));
  };

/** A branch in a container that has the levels of an index. */
const branchTo = (index: number) => listOf(depthOf(index), node);

export const beaconHeader: ValueReader<BeaconHeader> = (value, at) => {
  const source = readObject(value, at);
  return {
    slot: read(source, 'slot', slot),
    proposerIndex: read(source, 'proposer_index', integer64),
    parentRoot: read(source, 'parent_root', node),
    stateRoot: read(source, 'state_root', node),
    bodyRoot: read(source, 'body_root', node),
  };
};

export const committeeOf =
  (size: number): ValueReader<SyncCommittee> =>
  (value, at) => {
    const source = readObject(value, at);
    return {
      pubkeys: read(source, 'pubkeys', listOf(size, pubkey)),
      aggregatePubkey: read(source, 'aggregate_pubkey', pubkey),
    };
  };

/** A member of a payload header: its node, and whether it has its default value. */
interface Member {
  readonly node: Uint8Array;
  readonly isEmpty: boolean;
}

const fixed =
  (width: number): ValueReader<Member> =>
  (value, at) => {
    const member = bytes(width)(value, at);
    return { node: bytesRoot(member), isEmpty: isZero(member) };
  };
const number =
  (bits: number): ValueReader<Member> =>
  (value, at) => {
    const member = decimal(bits)(value, at);
    return { node: numberNode(member), isEmpty: member === 0n };
  };
const extraData: ValueReader<Member> = (value, at) => {
  const member = as((data) => dataBytes(data, 32), '0x and up to 64 hex digits')(value, at);
  return { node: shortListRoot(member), isEmpty: member.length === 0 };
};

/** Members of a payload header in order. Capella's has all but the last two. */
const payloadMembers: readonly (readonly [name: string, member: ValueReader<Member>])[] = [
  ['parent_hash', fixed(32)],
  ['fee_recipient', fixed(20)],
  ['state_root', fixed(32)],
  ['receipts_root', fixed(32)],
  ['logs_bloom', fixed(256)],
  ['prev_randao', fixed(32)],
  ['block_number', number(64)],
  ['gas_limit', number(64)],
  ['gas_used', number(64)],
  ['timestamp', number(64)],
  ['extra_data', extraData],
  ['base_fee_per_gas', number(256)],
  ['block_hash', fixed(32)],
  ['transactions_root', fixed(32)],
  ['withdrawals_root', fixed(32)],
  ['blob_gas_used', number(64)],
  ['excess_blob_gas', number(64)],
];

function readExecution(header: Source, places: GeneralizedIndices): ExecutionPart {
  const { payload, payloadMembers: count, blockHash: index = 1 } = places;
  if (payload === undefined) {
    const hash = read(header, 'execution_block_hash', node);
    const branch = read(header, 'execution_branch', branchTo(index));
    return { nodes: [hash], isEmpty: isZero(hash), blockHash: hash, branch };
  }
  const source = read(header, 'execution', readObject);
  const members = payloadMembers
    .slice(0, count)
    .map(([name, member]) => ({ name, ...read(source, name, member) }));
  return {
    nodes: members.map((member) => member.node),
    isEmpty: members.every(({ isEmpty }) => isEmpty),
    blockHash: members.find(({ name }) => name === 'block_hash')?.node,
    branch: read(header, 'execution_branch', branchTo(payload)),
  };
}

/** The header whose slot decides the format of the whole object, and that format. */
function readOwnHeader(object: Source, name: string, network: BeaconNetwork) {
  const source = read(object, name, readObject);
  const beacon = read(source, 'beacon', beaconHeader);
  const places = indicesAt(network, beacon.slot);
  if (places.blockHash === undefined) {
    const reason = `expected a slot of Capella or later, got ${beacon.slot}`;
    throw refusal('BAD_ANSWER', `${name}.beacon.slot`, reason);
  }
  return { header: { beacon, execution: readExecution(source, places) }, places };
}

/** Another header in an object of that format. */
const headerIn =
  (places: GeneralizedIndices): ValueReader<LightClientHeader> =>
  (value, at) => {
    const source = readObject(value, at);
    const beacon = read(source, 'beacon', beaconHeader);
    return { beacon, execution: readExecution(source, places) };
  };

/** Reads a bootstrap. @throws ConsensusError `BAD_ANSWER` with the path */
export function parseBootstrap(value: unknown, network: BeaconNetwork): Bootstrap {
  const source = readObject(value, '');
  const { header, places } = readOwnHeader(source, 'header', network);
  return {
    header,
    committee: read(source, 'current_sync_committee', committeeOf(network.committeeSize)),
    committeeBranch: read(
      source,
      'current_sync_committee_branch',
      branchTo(places.currentCommittee),
    ),
  };
}

/** The bits of a committee: bytes, the lowest bit first. */
const bitsOf =
  (size: number): ValueReader<boolean[]> =>
  (value, at) => {
    const packed = bytes(size / 8)(value, at);
    return Array.from(
      { length: size },
      (_, i) => (((packed[i >> 3] as number) >> (i & 7)) & 1) === 1,
    );
  };

/** The next committee and its branch; undefined if both are missing. */
function readNext(source: Source, places: GeneralizedIndices, size: number): Update['next'] {
  const committee = read(source, 'next_sync_committee', optional(committeeOf(size)));
  const branchName = 'next_sync_committee_branch';
  const nextBranch = branchTo(places.nextCommittee);
  if (committee !== undefined) return { committee, branch: read(source, branchName, nextBranch) };
  if (readMember(source, branchName) === undefined) return undefined;
  throw refusal('BAD_ANSWER', 'next_sync_committee', 'is missing, but its branch is there');
}

/** Reads an update, or an update of finality alone. @throws ConsensusError `BAD_ANSWER` with the path */
export function parseUpdate(value: unknown, network: BeaconNetwork): Update {
  const source = readObject(value, '');
  const { header: attested, places } = readOwnHeader(source, 'attested_header', network);
  const size = network.committeeSize;
  const aggregate = read(source, 'sync_aggregate', readObject);
  return {
    attested,
    finalized: read(source, 'finalized_header', headerIn(places)),
    finalityBranch: read(source, 'finality_branch', branchTo(places.finalizedRoot)),
    next: readNext(source, places, size),
    bits: read(aggregate, 'sync_committee_bits', bitsOf(size)),
    signature: read(aggregate, 'sync_committee_signature', bytes(96)),
    signatureSlot: read(source, 'signature_slot', slot),
  };
}
