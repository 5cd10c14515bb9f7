/**
 * A beacon chain that is made up: committees with keys of our own, and of each state and body just the members that a light
 * client reads. Its roots are those of another SSZ library.
 */
import { createHash } from 'node:crypto';
import { BitArray } from '@chainsafe/ssz';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { BeaconFork, BeaconNetwork } from '../../../src/beacon/index.js';
import type { Hex } from '../../../src/bytes.js';
import { fromHex, toHex } from '../hex.js';
import { forkNames } from './cases.js';
import {
  type ApiObject,
  BeaconBlockHeader,
  ForkData,
  payloadHeaders,
  SigningData,
  syncCommittee,
} from './ssz.js';

const { longSignatures } = bls12_381;
const { Fr } = bls12_381.fields;
const suite = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

const sha256 = (...parts: Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};
const text = (value: string): Uint8Array => sha256(new TextEncoder().encode(value));

/** Members of a tree by generalized index; all others are fillers. */
function treeOf(members: ReadonlyMap<number, Uint8Array>) {
  const above = new Set<number>();
  for (const index of members.keys()) {
    for (let at = index; at >= 1; at = Math.floor(at / 2)) above.add(at);
  }
  const known = new Map<number, Uint8Array>();
  const nodeAt = (index: number): Uint8Array => {
    const made =
      known.get(index) ??
      members.get(index) ??
      (above.has(index) ? sha256(nodeAt(2 * index), nodeAt(2 * index + 1)) : text(`node ${index}`));
    known.set(index, made);
    return made;
  };
  return {
    root: nodeAt(1),
    branchOf(index: number): Hex[] {
      const branch: Hex[] = [];
      for (let at = index; at > 1; at = Math.floor(at / 2)) branch.push(toHex(nodeAt(at ^ 1)));
      return branch;
    },
  };
}

/** Indices of the specification: current and next committee, finalized root. */
const stateIndices = (fork: BeaconFork): [number, number, number] => {
  if (fork === 'gloas') return [2945, 2946, 735];
  return fork === 'electra' || fork === 'fulu' ? [86, 87, 169] : [54, 55, 105];
};

interface Committee {
  readonly secrets: readonly bigint[];
  readonly json: { readonly pubkeys: Hex[]; readonly aggregate_pubkey: Hex };
  readonly root: Uint8Array;
}

interface Block {
  readonly slot: number;
  readonly fork: BeaconFork;
  readonly beacon: ApiObject;
  readonly root: Uint8Array;
  readonly blockHash: Hex;
  readonly payload: ApiObject;
  readonly state: ReturnType<typeof treeOf>;
  readonly body: ReturnType<typeof treeOf>;
}

/** Chains of one seed have the same keys. */
const committees = new Map<string, Committee>();

export interface UpdateOptions {
  readonly attested: number;
  /** Undefined: without finality. 0: genesis, which is named by zeros. */
  readonly finalized?: number | undefined;
  /** Default: the slot after the attested one. */
  readonly signed?: number;
  /** How many sign, from the first; default all. */
  readonly signers?: number;
  /** Whether the next committee is in it; default true. */
  readonly hasNext?: boolean;
}

/** @param hashAt hash of the execution block of a slot; default one that is made up */
export function makeChain(
  network: BeaconNetwork,
  { seed = 'chain', hashAt }: { seed?: string; hashAt?: (slot: number) => Hex } = {},
) {
  const size = network.committeeSize;
  const perPeriod = network.slotsPerEpoch * network.epochsPerPeriod;
  const periodOf = (slot: number) => Math.floor(slot / perPeriod);
  const forkAt = (slot: number) => {
    const epoch = Math.floor(slot / network.slotsPerEpoch);
    return forkNames
      .filter((name) => (network.forks[name]?.epoch ?? Infinity) <= epoch)
      .at(-1) as BeaconFork;
  };

  function committeeOf(period: number): Committee {
    const name = `${seed} ${period} ${size}`;
    const known = committees.get(name);
    if (known) return known;
    const secrets = Array.from({ length: size }, (_, i) =>
      Fr.create(BigInt(toHex(text(`${seed} ${period} ${i}`)))),
    );
    const pubkeys = secrets.map((secret) =>
      longSignatures.getPublicKey(Fr.toBytes(secret)).toBytes(),
    );
    const aggregate = longSignatures.aggregatePublicKeys(pubkeys).toBytes();
    const root = syncCommittee(size).hashTreeRoot({ pubkeys, aggregatePubkey: aggregate });
    const json = { pubkeys: pubkeys.map(toHex), aggregate_pubkey: toHex(aggregate) };
    const made = { secrets, json, root };
    committees.set(name, made);
    return made;
  }

  function payloadOf(slot: number, blockHash: Hex): ApiObject {
    const type = forkAt(slot) === 'capella' ? payloadHeaders.capella : payloadHeaders.deneb;
    const made = {
      ...type.defaultValue(),
      blockNumber: BigInt(slot),
      blockHash: fromHex(blockHash),
    };
    return { root: type.hashTreeRoot(made as never), json: type.toJson(made as never) };
  }

  /** A block; what its state says is final does not matter but in an attested one. */
  function blockAt(slot: number, finalizedRoot = text('final')): Block {
    const fork = forkAt(slot);
    const [current, next, finality] = stateIndices(fork);
    const period = periodOf(slot);
    const state = treeOf(
      new Map([
        [current, committeeOf(period).root],
        [next, committeeOf(period + 1).root],
        [finality, finalizedRoot],
      ]),
    );
    const blockHash = hashAt?.(slot) ?? toHex(text(`${seed} block ${slot}`));
    const isHash = fork === 'gloas';
    const { root: payloadRoot, json: payload } = payloadOf(slot, blockHash);
    const body = treeOf(new Map([isHash ? [2856, fromHex(blockHash)] : [25, payloadRoot]]));
    const header = {
      slot: BigInt(slot),
      proposerIndex: BigInt(slot % 7),
      parentRoot: text(`${seed} parent ${slot}`),
      stateRoot: state.root,
      bodyRoot: body.root,
    };
    return {
      ...{ slot, fork, blockHash, payload, state, body },
      beacon: BeaconBlockHeader.toJson(header),
      root: BeaconBlockHeader.hashTreeRoot(header),
    };
  }

  /** A header in the format of a fork, its own or a later one. */
  function headerIn(format: BeaconFork, block: Block): ApiObject {
    const { beacon, fork, payload, body, blockHash } = block;
    if (fork === 'altair' || fork === 'bellatrix') {
      const type = format === 'capella' ? payloadHeaders.capella : payloadHeaders.deneb;
      const zero = (count: number) => zeros(Array(count).fill(`0x${'00'.repeat(32)}`));
      if (format === 'gloas') {
        return { beacon, execution_block_hash: zero(1)[0], execution_branch: zero(11) };
      }
      const execution = type.toJson(type.defaultValue() as never);
      return { beacon, execution, execution_branch: zero(4) };
    }
    if (format !== 'gloas') {
      const blobs = { blob_gas_used: '0', excess_blob_gas: '0' };
      const execution = format === 'capella' ? payload : { ...blobs, ...payload };
      return { beacon, execution, execution_branch: body.branchOf(25) };
    }
    if (fork === 'gloas') {
      return { beacon, execution_block_hash: blockHash, execution_branch: body.branchOf(2856) };
    }
    const type = fork === 'capella' ? payloadHeaders.capella : payloadHeaders.deneb;
    const depth = fork === 'capella' ? 4 : 5;
    const index = 2 ** depth + 12;
    const values = type.fromJson(payload) as Record<string, unknown>;
    const members = new Map(
      Object.entries(type.fields).map(([name, field], i) => [
        2 ** depth + i,
        field.hashTreeRoot(values[name] as never),
      ]),
    );
    for (let i = members.size; i < 2 ** depth; i++) members.set(2 ** depth + i, new Uint8Array(32));
    const inPayload = treeOf(members).branchOf(index);
    const branch = [...inPayload, ...body.branchOf(25)];
    const missing = Array.from({ length: 11 - branch.length }, () => toHex(new Uint8Array(32)));
    return { beacon, execution_block_hash: blockHash, execution_branch: [...missing, ...branch] };
  }

  /** All members at their defaults. No extra data is made up, so an empty list stays one. */
  const zeros = (json: ApiObject): ApiObject => {
    if (typeof json === 'string')
      return json.startsWith('0x') ? json.replace(/[1-9a-f]/g, '0') : '0';
    if (Array.isArray(json)) return json.map(zeros);
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, zeros(value)]));
  };
  function sign(root: Uint8Array, signed: number, bits: readonly boolean[]): Hex {
    const { version } = network.forks[forkAt(signed - 1)] as { version: Hex };
    const genesis = fromHex(network.genesisValidatorsRoot);
    const fork = ForkData.hashTreeRoot({
      currentVersion: fromHex(version),
      genesisValidatorsRoot: genesis,
    });
    const domain = new Uint8Array([7, 0, 0, 0, ...fork.subarray(0, 28)]);
    const message = SigningData.hashTreeRoot({ objectRoot: root, domain });
    const { secrets } = committeeOf(periodOf(signed));
    const sum = secrets.reduce((all, secret, i) => (bits[i] ? Fr.add(all, secret) : all), 0n);
    const point = longSignatures.hash(message, suite);
    return toHex(longSignatures.sign(point, Fr.toBytes(sum)).toBytes());
  }

  return {
    network,
    committeeOf,
    blockAt,
    headerIn,
    root: (slot: number): Hex => toHex(blockAt(slot).root),

    bootstrap(slot: number): ApiObject {
      const block = blockAt(slot);
      return {
        header: headerIn(block.fork, block),
        current_sync_committee: committeeOf(periodOf(slot)).json,
        current_sync_committee_branch: block.state.branchOf(stateIndices(block.fork)[0]),
      };
    },

    update(options: UpdateOptions): ApiObject {
      const {
        attested,
        finalized,
        signed = attested + 1,
        signers = size,
        hasNext = true,
      } = options;
      const final = finalized ? blockAt(finalized) : undefined;
      const block = blockAt(attested, finalized === 0 ? new Uint8Array(32) : final?.root);
      const { fork } = block;
      const [, next, finality] = stateIndices(fork);
      const own = headerIn(fork, block);
      const bits = Array.from({ length: size }, (_, i) => i < signers);
      const committee = committeeOf(periodOf(attested) + 1).json;
      const nextBranch = block.state.branchOf(next);
      const finalityBranch = block.state.branchOf(finality);
      return {
        attested_header: own,
        next_sync_committee: hasNext ? committee : zeros(committee),
        next_sync_committee_branch: hasNext ? nextBranch : zeros(nextBranch),
        finalized_header: final ? headerIn(fork, final) : zeros(own),
        finality_branch: finalized === undefined ? zeros(finalityBranch) : finalityBranch,
        sync_aggregate: {
          sync_committee_bits: toHex(BitArray.fromBoolArray(bits).uint8Array),
          sync_committee_signature: sign(block.root, signed, bits),
        },
        signature_slot: String(signed),
      };
    },
  };
}

export type Chain = ReturnType<typeof makeChain>;

/** An update of finality alone, as the API has it. */
export function finalityOf(update: ApiObject): ApiObject {
  const { next_sync_committee: _, next_sync_committee_branch: __, ...rest } = update;
  return rest;
}
