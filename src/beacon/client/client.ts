/** The client: from a checkpoint to the newest final block of L1, by servers that nobody trusts. */
import type { Hex } from '../../bytes.js';
import { untilAborted } from '../../deadline.js';
import { ConsensusError } from '../verify/errors.js';
import { type BeaconNetwork, periodAt, slotTime } from '../verify/network.js';
import { type AgeBound, Clock } from './clock.js';
import { load, save } from './keeper.js';
import { type ClientConfig, checkClientOptions, type LightClientOptions } from './options.js';
import type { Saved } from './saved.js';
import { openServer } from './server.js';
import { type ServerReport, Servers } from './servers.js';
import { bootstrapFrom, followServers, type Round } from './sync.js';

/** A final block of L1. */
export interface FinalizedBlock {
  /** Slot of the beacon block. */
  readonly slot: number;
  /** Its root, 32 bytes. */
  readonly blockRoot: Hex;
  /** Hash of its execution block, 32 bytes; from Gloas on that of its parent's. */
  readonly executionBlockHash: Hex;
  /**
   * When the slot began, in seconds since 1970. From Gloas on the execution block is of an earlier slot: its own header has
   * its time.
   */
  readonly slotTimestamp: bigint;
  /** Root of the block that everything began from, 32 bytes. */
  readonly checkpoint: Hex;
  /** How many members of the committee signed; undefined if the block is the checkpoint itself. */
  readonly signers: number | undefined;
  /** Members of the committee. */
  readonly committeeSize: number;
}

/** Follows L1. Its functions reject with ConsensusError, or with the signal's reason. */
export interface LightClient {
  /** Asks the servers once for what is newer. @returns the newest final block, however old */
  sync(): Promise<FinalizedBlock>;
  /** The newest final block; it is asked for at most once a slot. @throws `STALE` if it is older than `maxAge` */
  finalized(signal?: AbortSignal): Promise<FinalizedBlock>;
  /**
   * Calls back for each newer final block, at most once an epoch, until it is ended or the signal of the client is aborted.
   *
   * @param onError is told of failures, and of any error of `onFinalized`; it is asked again all the same
   * @returns ends it
   */
  subscribe(
    onFinalized: (block: FinalizedBlock) => void,
    onError?: (error: unknown) => void,
  ): () => void;
  /** The records of the servers. */
  servers(): readonly ServerReport[];
}

/** @throws ConsensusError `NO_EXECUTION_BLOCK` */
function toBlock({ checkpoint, store }: Saved, network: BeaconNetwork): FinalizedBlock {
  const { beacon, blockRoot, executionBlockHash, signers } = store.finalized;
  if (executionBlockHash === undefined || /^0x0*$/.test(executionBlockHash)) {
    const reason = `the final block of slot ${beacon.slot} names no execution block`;
    throw new ConsensusError('NO_EXECUTION_BLOCK', reason);
  }
  return Object.freeze({
    slot: beacon.slot,
    blockRoot,
    executionBlockHash,
    slotTimestamp: BigInt(slotTime(network, beacon.slot)),
    checkpoint,
    signers,
    committeeSize: network.committeeSize,
  });
}

/** Most ms that a timer takes: with more it rings at once. */
const longestTimer = 2 ** 31 - 1;

class Client implements LightClient {
  readonly #config: ClientConfig;
  readonly #clock: Clock;
  readonly #servers: Servers;
  #known: Saved | undefined;
  /** What the storage has, as far as we know. */
  #kept: Saved | undefined;
  #syncing: Promise<FinalizedBlock> | undefined;
  /** The slot in which the last question was answered. */
  #answeredIn: number | undefined;

  constructor(config: ClientConfig) {
    const { network, now, urls, fetch } = config;
    this.#config = config;
    this.#clock = new Clock(network, now);
    const servers = urls.map((url, i) => openServer({ url, place: i + 1, network, fetch }));
    this.#servers = new Servers(servers);
  }

  sync(): Promise<FinalizedBlock> {
    this.#syncing ??= this.#run().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  finalized(signal?: AbortSignal): Promise<FinalizedBlock> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return untilAborted(this.#newest(), signal);
  }

  subscribe(
    onFinalized: (block: FinalizedBlock) => void,
    onError: (error: unknown) => void = () => {},
  ): () => void {
    const { network, signal } = this.#config;
    const epoch = 1000 * network.secondsPerSlot * network.slotsPerEpoch;
    let isOver = false;
    let last: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
    const ask = async (): Promise<void> => {
      try {
        const block = await this.#newest();
        if (!isOver && block.slot !== last) onFinalized(block);
        last = block.slot;
      } catch (error) {
        if (!isOver) onError(error);
      }
      if (!isOver) timer = setTimeout(ask, Math.min(epoch, longestTimer));
    };
    if (signal?.aborted) return end;
    signal?.addEventListener('abort', end);
    void ask();
    return end;
  }

  servers(): readonly ServerReport[] {
    return this.#servers.report();
  }

  #newRound(): Round {
    const { network, signal } = this.#config;
    return { network, signal, servers: this.#servers, currentSlot: this.#clock.lastSlot };
  }

  /** The bound on what a client begins from. A checkpoint that is older could be of a chain that validators left since. */
  #checkpointBound(code: 'OLD_CHECKPOINT' | 'OLD_STORE'): AgeBound {
    const isStore = code === 'OLD_STORE';
    return {
      code,
      name: 'maxCheckpointAge',
      most: this.#config.maxCheckpointAge,
      subject: isStore ? 'what was known last' : 'the checkpoint',
      advice: isStore ? 'pass a new checkpoint' : 'take a newer one',
    };
  }

  async #begin(): Promise<Saved> {
    this.#kept = await load(this.#config);
    if (this.#kept !== undefined) return this.#kept;
    const { checkpoint } = this.#config;
    if (checkpoint === undefined) {
      throw new ConsensusError('NO_CHECKPOINT', 'the storage is empty; pass a checkpoint');
    }
    const store = await bootstrapFrom(checkpoint, this.#newRound());
    this.#clock.check(store, this.#checkpointBound('OLD_CHECKPOINT'));
    return { checkpoint, store };
  }

  async #run(): Promise<FinalizedBlock> {
    const { network, signal } = this.#config;
    signal?.throwIfAborted();
    const before = this.#known ?? (await this.#begin());
    this.#clock.check(before.store, this.#checkpointBound('OLD_STORE'));
    const round = this.#newRound();
    const { store, failures, answered } = await followServers(before.store, round);
    const known = { ...before, store };
    this.#known = known;
    if (answered) this.#answeredIn = this.#clock.slot;
    if (store !== this.#kept?.store) {
      await save(known, this.#config);
      this.#kept = known;
    }
    if (!answered) throw failures[0];
    const period = periodAt(network, store.finalized.beacon.slot);
    if (period + 1 < periodAt(network, round.currentSlot)) {
      const reason = `the servers lead to period ${period} and no further: L1 finalized nothing after it, or they do not have it`;
      throw new ConsensusError('NO_FINALITY', reason, { cause: failures[0] });
    }
    return toBlock(known, network);
  }

  /** The newest final block. @throws ConsensusError `STALE` or `FUTURE_SLOT` */
  #freshBlock(known: Saved): FinalizedBlock {
    this.#clock.check(known.store, {
      code: 'STALE',
      name: 'maxAge',
      most: this.#config.maxAge,
      subject: 'the newest final block',
      advice: 'ask a server that is up to date',
    });
    return toBlock(known, this.#config.network);
  }

  async #newest(): Promise<FinalizedBlock> {
    if (this.#known === undefined || this.#answeredIn !== this.#clock.slot) {
      try {
        await this.sync();
      } catch (error) {
        this.#config.signal?.throwIfAborted();
        // Nobody answers; but what is known may be young enough.
        const isFresh = this.#known && this.#clock.ageOf(this.#known.store) <= this.#config.maxAge;
        if (!isFresh) throw error;
      }
    }
    return this.#freshBlock(this.#known as Saved);
  }
}

/**
 * Opens a light client. Nothing is sent before the first question.
 *
 * @throws TypeError or RangeError that names the option
 *
 * @example
 * ```ts
 * import { beaconNetworks, createLightClient } from 'l2proof/consensus';
 *
 * const client = createLightClient({
 *   api: 'https://beacon.example',
 *   network: beaconNetworks.mainnet,
 *   checkpoint: '0xCHECKPOINT', // the root of a block that you trust
 * });
 * const { slot, executionBlockHash } = await client.finalized();
 * console.log(slot, executionBlockHash);
 * ```
 */
export function createLightClient(options: LightClientOptions): LightClient {
  const client = new Client(checkClientOptions(options));
  return Object.freeze({
    sync: () => client.sync(),
    finalized: (signal?: AbortSignal) => client.finalized(signal),
    subscribe: client.subscribe.bind(client),
    servers: () => client.servers(),
  });
}
