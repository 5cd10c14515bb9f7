/** Keeps what is known in the storage of the caller, and finds it again. */
import { ConsensusError } from '../verify/errors.js';
import type { ClientConfig } from './options.js';
import { decodeSaved, encodeSaved, type Saved } from './saved.js';

type KeeperConfig = Pick<ClientConfig, 'storage' | 'network' | 'checkpoint'>;

const badStore = (reason: string, cause: unknown): ConsensusError =>
  new ConsensusError('BAD_STORE', reason, { cause });

/** @returns undefined if nothing was kept @throws ConsensusError `BAD_STORE` */
async function read({ storage, network }: KeeperConfig): Promise<Saved | undefined> {
  try {
    const text = await storage?.get();
    return text === undefined || text === null ? undefined : decodeSaved(text, network);
  } catch (cause) {
    const reason = 'what was kept is damaged, or of another network; pass a checkpoint';
    throw badStore(reason, cause);
  }
}

/**
 * What the storage holds, if it is of the network, and began from the checkpoint if there is one.
 *
 * @throws ConsensusError `BAD_STORE` if it is something else, and there is no checkpoint to begin anew from
 */
export async function load(config: KeeperConfig): Promise<Saved | undefined> {
  const { checkpoint } = config;
  if (checkpoint === undefined) return read(config);
  const saved = await read(config).catch(() => undefined);
  return saved?.checkpoint === checkpoint ? saved : undefined;
}

/** Whether what was kept is ahead: its final block is newer, or it knows one committee more. */
function isAhead({ store: kept }: Saved, { store: next }: Saved): boolean {
  const difference = kept.finalized.beacon.slot - next.finalized.beacon.slot;
  if (difference !== 0) return difference > 0;
  return kept.nextCommittee !== undefined && next.nextCommittee === undefined;
}

/** Keeps what is known, unless another process has kept more. @throws ConsensusError `BAD_STORE` */
export async function save(next: Saved, config: KeeperConfig): Promise<void> {
  const { storage, network } = config;
  if (storage === undefined) return;
  const kept = await load({ ...config, checkpoint: next.checkpoint });
  if (kept !== undefined && isAhead(kept, next)) return;
  try {
    await storage.set(encodeSaved(next, network));
  } catch (cause) {
    throw badStore('the storage cannot keep what is known; make room, or leave it out', cause);
  }
}
