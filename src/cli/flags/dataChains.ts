/** What `serve --data` takes: indexes of chains that are decoded too. */
import { lmdbStore } from '../../lmdb/index.js';
import {
  createDataInterface,
  type DataInterface,
  type Decoder,
  IndexError,
  type OwnState,
  type ServiceLog,
} from '../../service/index.js';
import { type Store, TreeError } from '../../tree/index.js';
import { UsageError } from '../exit/exit.js';
import { failureOf } from '../exit/failures.js';
import { asUsage, refuseUrl } from './args.js';

/** A chain, and the folder of its index. */
export interface DataChain {
  readonly name: string;
  readonly path: string;
}

/** `NAME=DIR`. @param decoded names of the chains that are decoded @throws UsageError */
export function readDataChains(
  texts: readonly string[],
  decoded: readonly string[],
): readonly DataChain[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError('--data expected NAME=DIR, such as linea-mainnet=./index');
    const name = text.slice(0, at);
    if (!decoded.includes(name)) {
      throw new UsageError(
        '--data needs a node of its chain: --decode NAME=URL with the same name',
      );
    }
    const path = text.slice(at + 1);
    refuseUrl(path, '--data');
    return { name, path };
  });
}

/** The parts that a data interface is opened with. */
interface DataParts {
  readonly decoder: Decoder;
  readonly log: ServiceLog;
  /** The state of the only chain; if undefined, amounts are the nodes' word. */
  readonly state: OwnState | undefined;
  readonly publicUrl: string | undefined;
  readonly trace: boolean;
}

/** @throws CliError, ServiceError, TreeError */
export async function openData(
  given: readonly DataChain[],
  { decoder, log, state, publicUrl, trace }: DataParts,
): Promise<DataInterface> {
  const stores: Store[] = [];
  try {
    const chains = given.map(({ name, path }) => {
      const store = lmdbStore({ path, readOnly: true });
      stores.push(store);
      return { name, store, folder: path, ...(state && { state }) };
    });
    return await createDataInterface({
      ...{ decoder, chains, log, trace },
      ...(publicUrl !== undefined && { publicUrl }),
    });
  } catch (cause) {
    await Promise.all(stores.map((store) => store.close()));
    const isDamaged =
      cause instanceof TreeError && (cause.code === 'DAMAGED' || cause.code === 'WRONG_STORE');
    if (cause instanceof IndexError || isDamaged) throw failureOf(cause, 'data');
    throw asUsage({ chains: '--data', name: '--data', publicUrl: '--public-url' }, cause);
  }
}
