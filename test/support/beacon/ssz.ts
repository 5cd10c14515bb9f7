/** The objects of a light client in the SSZ library of Lodestar: the second implementation of their roots. */
import {
  BitVectorType,
  ByteListType,
  ByteVectorType,
  ContainerType,
  UintBigintType,
  VectorCompositeType,
} from '@chainsafe/ssz';
import type { BeaconFork } from '../../../src/beacon/index.js';

const uint64 = new UintBigintType(8);
const uint256 = new UintBigintType(32);
const bytes = (width: number) => new ByteVectorType(width);
const root = bytes(32);
const branch = (depth: number) => new VectorCompositeType(root, depth);
/** Names in JSON as the API has them. */
const eth2 = { jsonCase: 'eth2' } as const;

export const BeaconBlockHeader = new ContainerType(
  { slot: uint64, proposerIndex: uint64, parentRoot: root, stateRoot: root, bodyRoot: root },
  eth2,
);

export const ForkData = new ContainerType({
  currentVersion: bytes(4),
  genesisValidatorsRoot: root,
});
export const SigningData = new ContainerType({ objectRoot: root, domain: root });

export const syncCommittee = (size: number) =>
  new ContainerType(
    { pubkeys: new VectorCompositeType(bytes(48), size), aggregatePubkey: bytes(48) },
    eth2,
  );

const capellaPayload = {
  parentHash: root,
  feeRecipient: bytes(20),
  stateRoot: root,
  receiptsRoot: root,
  logsBloom: bytes(256),
  prevRandao: root,
  blockNumber: uint64,
  gasLimit: uint64,
  gasUsed: uint64,
  timestamp: uint64,
  extraData: new ByteListType(32),
  baseFeePerGas: uint256,
  blockHash: root,
  transactionsRoot: root,
  withdrawalsRoot: root,
};

/** Headers of execution payloads. */
export const payloadHeaders = {
  capella: new ContainerType(capellaPayload, eth2),
  deneb: new ContainerType({ ...capellaPayload, blobGasUsed: uint64, excessBlobGas: uint64 }, eth2),
};

/** Formats, newest first, with the forks that have them and the depths of their branches. */
const formats = [
  { forks: ['gloas'], committee: 11, finality: 9 },
  { forks: ['electra', 'fulu'], committee: 6, finality: 7, payload: payloadHeaders.deneb },
  { forks: ['deneb'], committee: 5, finality: 6, payload: payloadHeaders.deneb },
  { forks: ['capella'], committee: 5, finality: 6, payload: payloadHeaders.capella },
] as const;

type Format = (typeof formats)[number];

const headerOf = (format: Format) =>
  'payload' in format
    ? new ContainerType(
        { beacon: BeaconBlockHeader, execution: format.payload, executionBranch: branch(4) },
        eth2,
      )
    : new ContainerType(
        { beacon: BeaconBlockHeader, executionBlockHash: root, executionBranch: branch(11) },
        eth2,
      );

const bootstrapOf = (format: Format, size: number) =>
  new ContainerType(
    {
      header: headerOf(format),
      currentSyncCommittee: syncCommittee(size),
      currentSyncCommitteeBranch: branch(format.committee),
    },
    eth2,
  );

const updateOf = (format: Format, size: number) =>
  new ContainerType(
    {
      attestedHeader: headerOf(format),
      nextSyncCommittee: syncCommittee(size),
      nextSyncCommitteeBranch: branch(format.committee),
      finalizedHeader: headerOf(format),
      finalityBranch: branch(format.finality),
      syncAggregate: new ContainerType(
        { syncCommitteeBits: new BitVectorType(size), syncCommitteeSignature: bytes(96) },
        eth2,
      ),
      signatureSlot: uint64,
    },
    eth2,
  );

/** JSON of an object, as the beacon API answers it. */
// biome-ignore lint/suspicious/noExplicitAny: tests take it apart at will
export type ApiObject = any;

type Kind = 'bootstrap' | 'update';

const typeOf = (kind: Kind, format: Format, size: number) =>
  kind === 'update' ? updateOf(format, size) : bootstrapOf(format, size);

const ownSlot = (kind: Kind, json: ApiObject): number =>
  Number((kind === 'update' ? json.attested_header : json.header).beacon.slot);

/** What tells an object's format. */
export interface Reading {
  /** Members of a committee. */
  readonly size: number;
  readonly forkAt: (slot: number) => BeaconFork;
}

/**
 * Reads an object in the one format that its bytes fit and that its own slot has.
 *
 * @throws Error if there is no such format
 */
export function readSsz(kind: Kind, data: Uint8Array, { size, forkAt }: Reading): ApiObject {
  for (const format of formats) {
    const type = typeOf(kind, format, size);
    try {
      const json = type.toJson(type.deserialize(data) as never) as ApiObject;
      const forks: readonly BeaconFork[] = format.forks;
      if (forks.includes(forkAt(ownSlot(kind, json)))) return json;
    } catch {
      // Bytes of another format.
    }
  }
  throw new Error(`a ${kind} that fits no format`);
}

/** Bytes of an object, in the format of its own slot. */
export function writeSsz(kind: Kind, json: ApiObject, { size, forkAt }: Reading): Uint8Array {
  const fork = forkAt(ownSlot(kind, json));
  const format = formats.find(({ forks }) => (forks as readonly BeaconFork[]).includes(fork));
  if (format === undefined) throw new Error(`no format of ${fork}`);
  const type = typeOf(kind, format, size);
  return type.serialize(type.fromJson(json) as never);
}
