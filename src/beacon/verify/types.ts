/** The objects of a light client, as they are after parsing. Names are those of the specification. */
import type { Hex } from '../../bytes.js';

/** The header of a beacon block. */
export interface BeaconHeader {
  /** Slot of the block. */
  readonly slot: number;
  /** Index of the validator that proposed it. */
  readonly proposerIndex: bigint;
  /** 32 bytes. */
  readonly parentRoot: Uint8Array;
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
  /** 32 bytes. */
  readonly bodyRoot: Uint8Array;
}

/** The validators that sign for a period. */
export interface SyncCommittee {
  /** 48 bytes each, as they stand in the state. */
  readonly pubkeys: readonly Uint8Array[];
  /** 48 bytes. */
  readonly aggregatePubkey: Uint8Array;
}

/** The execution part of a header, in the format of the object that holds it. */
export interface ExecutionPart {
  /** Nodes of its members: of the payload header, or from Gloas on of the block's hash alone; none before Capella. */
  readonly nodes: readonly Uint8Array[];
  /** Whether each member has its default value. */
  readonly isEmpty: boolean;
  /** Hash of the execution block, 32 bytes; undefined if the format has none. */
  readonly blockHash: Uint8Array | undefined;
  readonly branch: readonly Uint8Array[];
}

export interface LightClientHeader {
  readonly beacon: BeaconHeader;
  readonly execution: ExecutionPart;
}

export interface Bootstrap {
  readonly header: LightClientHeader;
  readonly committee: SyncCommittee;
  readonly committeeBranch: readonly Uint8Array[];
}

export interface Update {
  readonly attested: LightClientHeader;
  readonly finalized: LightClientHeader;
  readonly finalityBranch: readonly Uint8Array[];
  /** Undefined in an update of finality alone. */
  readonly next:
    | { readonly committee: SyncCommittee; readonly branch: readonly Uint8Array[] }
    | undefined;
  /** Whether each member of the committee signed, in its order. */
  readonly bits: readonly boolean[];
  /** 96 bytes. */
  readonly signature: Uint8Array;
  readonly signatureSlot: number;
}

/** A final block of L1's consensus. */
export interface FinalizedHeader {
  /** Header of the beacon block. */
  readonly beacon: BeaconHeader;
  /** Its root, 32 bytes. */
  readonly blockRoot: Hex;
  /**
   * Hash of its execution block, 32 bytes; from Gloas on of its parent's. Undefined in a block from before Capella.
   */
  readonly executionBlockHash: Hex | undefined;
  /** How many of the committee signed it; undefined if it is the checkpoint. */
  readonly signers: number | undefined;
}

/** What a light client knows; frozen. Whoever makes one vouches for it. */
export interface LightClientStore {
  /** The newest final block. */
  readonly finalized: FinalizedHeader;
  /** The committee of its period. */
  readonly currentCommittee: SyncCommittee;
  /** The committee of the period after it, once it is known. */
  readonly nextCommittee: SyncCommittee | undefined;
}
