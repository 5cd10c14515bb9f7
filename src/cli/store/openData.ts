/** Opens the indexes that `serve --data` names. */
import {
  createDataInterface,
  type DataInterface,
  type Decoder,
  IndexError,
  type IndexedChain,
  type NftMetadataOptions,
  type OwnState,
  type ServiceLog,
} from '../../service/index.js';
import { type Store, TreeError } from '../../tree/index.js';
import { failureOf } from '../exit/failures.js';
import { asUsage } from '../flags/args.js';
import type { DataChain } from '../flags/serve/dataChains.js';
import { folderOf, openStore } from './openStore.js';

/** The parts that a data interface is opened with. */
interface DataParts {
  readonly decoder: Decoder;
  readonly log: ServiceLog;
  /** The state of the only chain; if undefined, amounts are the nodes' word. */
  readonly state: OwnState | undefined;
  readonly publicUrl: string | undefined;
  readonly trace: boolean;
  /** Undefined: no document of an NFT is fetched. */
  readonly nftMetadata: NftMetadataOptions | undefined;
}

/** Names of the options of a data interface -> options of the command. */
const names = {
  ...{ chains: '--data', name: '--data', publicUrl: '--public-url' },
  ...{ 'nftMetadata.ipfs': '--ipfs', 'nftMetadata.arweave': '--arweave' },
  'nftMetadata.imageProxy': '--image-proxy',
};

/** @throws CliError, ServiceError, TreeError */
export async function openData(
  given: readonly DataChain[],
  { decoder, log, state, publicUrl, trace, nftMetadata }: DataParts,
): Promise<DataInterface> {
  const stores: Store[] = [];
  try {
    const chains: IndexedChain[] = [];
    for (const { name, store: place } of given) {
      const store = await openStore(place, true, '--data');
      stores.push(store);
      const folder = folderOf(place);
      chains.push({ name, store, ...(folder && { folder }), ...(state && { state }) });
    }
    return await createDataInterface({
      ...{ decoder, chains, log, trace },
      ...(publicUrl !== undefined && { publicUrl }),
      ...(nftMetadata && { nftMetadata }),
    });
  } catch (cause) {
    await Promise.all(stores.map((store) => store.close()));
    const isDamaged =
      cause instanceof TreeError && (cause.code === 'DAMAGED' || cause.code === 'WRONG_STORE');
    if (cause instanceof IndexError || isDamaged) throw failureOf(cause, 'data');
    throw asUsage(names, cause);
  }
}
