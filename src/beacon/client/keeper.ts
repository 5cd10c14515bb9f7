/** Keeps what is known in the storage of the caller, and finds it again. */
import { ConsensusError } from '../verify/errors.js';
import type { ClientConfig } from './options.js';
import { decodeSaved, encodeSaved, type Saved } from './saved.js';

type KeeperConfig = Pick<ClientConfig, 'storage' | 'network' | 'checkpoint'>;

/** @throws ConsensusError `BAD_STORE` */
function decode(text: string, { network, checkpoint }: KeeperConfig): Saved | undefined {
  try {
    const saved = decodeSaved(text, network);
    if (saved !== undefined || checkpoint !== undefined) return saved;
  } catch (error) {
    // With a checkpoint there is a way to begin anew.
    if (checkpoint === undefined) throw error;
    return undefined;
  }
  throw new ConsensusError('BAD_STORE', 'what was kept is of another network; pass a checkpoint');
}

/**
 * What the storage holds, if it is of the network, and began from the checkpoint if there is one.
 *
 * @throws ConsensusError `BAD_STORE` if it is something else, and there is no checkpoint to begin anew from
 */
export async function load(config: KeeperConfig): Promise<Saved | undefined> {
  const text = await config.storage?.get();
  if (text === undefined || text === null) return undefined;
  const saved = decode(text, config);
  const isOther = config.checkpoint !== undefined && saved?.checkpoint !== config.checkpoint;
  return isOther ? undefined : saved;
}

const slotOf = ({ store }: Saved): number => store.finalized.beacon.slot;

/** Keeps what is known, unless another process has kept something newer. */
export async function save(next: Saved, config: KeeperConfig): Promise<void> {
  const { storage, network } = config;
  if (storage === undefined) return;
  const kept = await load({ ...config, checkpoint: next.checkpoint });
  if (kept !== undefined && slotOf(kept) > slotOf(next)) return;
  await storage.set(encodeSaved(next, network));
}
