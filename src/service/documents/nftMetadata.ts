/** The options of fetching documents. */
import { wrongType } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { checkFunctions } from '../http/log.js';
import { type ConnectTo, connectTo, type ResolveHost, resolveHost } from './connect.js';
import { createDocuments, type Documents } from './documents.js';
import { createFetchDocument } from './fetchDocument.js';
import { type Gateways, parseGateway } from './gateways.js';

/**
 * Lets the service fetch the documents that NFTs name: JSON, at `https:` URLs of public addresses, bounded in size, time
 * and number. Contracts choose these URLs.
 */
export interface NftMetadataOptions {
  /** Whether `http:` URLs are fetched as well; default false. */
  http?: boolean;
  /** What paths of `ipfs:` URLs are put behind, such as `https://ipfs.example/ipfs/`; default: these are not fetched. */
  ipfs?: string;
  /** The same for `ar:` URLs. */
  arweave?: string;
  /**
   * A URL of smaller pictures, with `{url}` in the place of a picture's own URL, escaped, and `{size}` in that of the width in pixels: 256, 512
   * or 1024. Default: there are none.
   */
  imageProxy?: string;
  /** Finds the addresses of a host; default: by the name servers of the system. None is asked that is not public. */
  resolve?: ResolveHost;
  /** Connects to an address; default: by TCP, and TLS on it if the URL is `https:`. */
  connect?: ConnectTo;
}

/** How documents become answers. */
export interface NftMetadata {
  /** Makes what keeps the documents of one chain. */
  openDocuments(): Documents;
  readonly gateways: Gateways;
  /** Undefined: there are no smaller pictures. */
  readonly imageProxy: string | undefined;
  /** Whether documents are fetched. */
  readonly isOn: boolean;
}

const names = ['http', 'ipfs', 'arweave', 'imageProxy', 'resolve', 'connect'] as const;

/** @throws TypeError */
function checkTemplate(text: string | undefined): void {
  if (text === undefined) return;
  const filled = text.replaceAll('{url}', 'a').replaceAll('{size}', '256');
  const isUrl = text.includes('{url}') && /^https?:/.test(text) && URL.canParse(filled);
  if (!isUrl)
    throw wrongType('nftMetadata.imageProxy', 'expected an http: or https: URL with {url} in it');
}

/** @throws TypeError for wrong options */
export function readNftMetadata(options: NftMetadataOptions | undefined): NftMetadata {
  if (options === undefined) {
    const gateways = { ipfs: undefined, arweave: undefined };
    const openDocuments = () => createDocuments({ fetchDocument: undefined, gateways });
    return { openDocuments, gateways, imageProxy: undefined, isOn: false };
  }
  const given = ownMembers(options, names, 'nftMetadata');
  const { http = false, imageProxy, resolve = resolveHost, connect = connectTo } = given;
  if (typeof http !== 'boolean') throw wrongType('nftMetadata.http', 'expected true or false');
  checkFunctions({ resolve, connect }, ['resolve', 'connect'], 'nftMetadata');
  checkTemplate(imageProxy);
  const gateways = {
    ipfs: parseGateway(given.ipfs, { name: 'nftMetadata.ipfs', allowsHttp: http }),
    arweave: parseGateway(given.arweave, { name: 'nftMetadata.arweave', allowsHttp: http }),
  };
  const fetchDocument = createFetchDocument({ allowsHttp: http, resolve, connect });
  return {
    openDocuments: () => createDocuments({ fetchDocument, gateways }),
    ...{ gateways, imageProxy, isOn: true },
  };
}
