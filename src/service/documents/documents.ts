/** The documents of NFTs of one chain: those that were fetched, or stand in their own URL. */
import type { Hex } from '../../bytes.js';
import { startDeadline } from '../../deadline.js';
import { entryBytes, LruCache } from '../../lru.js';
import { SharedWork } from '../../sharedWork.js';
import { isDataUrl, readDataUrl } from './dataUrl.js';
import { type NftDocument, parseDocument } from './document.js';
import { DocumentError } from './errors.js';
import type { FetchDocument } from './fetchDocument.js';
import { type Gateways, toLoadable } from './gateways.js';

/** A token, and what its contract says of where its document is. */
export interface TokenUrl {
  /** Lower case. */
  readonly contract: Hex;
  readonly id: bigint;
  readonly standard: 'erc721' | 'erc1155';
  /** As the contract gave it at a block. */
  readonly url: string;
  readonly block: number;
}

/** A document that is kept. */
export interface KeptDocument extends TokenUrl {
  readonly document: NftDocument;
  /** When it was read, in seconds. */
  readonly time: number;
}

export interface Documents {
  /** Counts up whenever an answer about documents may have become another one. */
  readonly revision: number;
  /** The document of a token if it is kept, or stands in its URL. */
  find(token: TokenUrl): NftDocument | undefined;
  /** Those that could be fetched now, at most 20 of them: neither kept, nor known to fail. */
  missing(tokens: readonly TokenUrl[]): TokenUrl[];
  /** Fetches documents, and waits no longer than six seconds. What fails is left out. @param tokens that are missing */
  load(tokens: readonly TokenUrl[]): Promise<void>;
  /** All that are kept of a contract's tokens. */
  ofContract(contract: Hex): KeptDocument[];
}

interface DocumentsOptions {
  /** Undefined: nothing is fetched. */
  readonly fetchDocument: FetchDocument | undefined;
  readonly gateways: Gateways;
}

/** Documents that one request fetches. */
const mostFetched = 20;

/** Ms for which a request waits for them: longer than one of them may take, so that a slow one is known to have failed. */
const patience = 6000;

/** Ms after which a document that could not be read is fetched again. */
const failurePause = 600_000;

/** Bytes in memory of documents, and failures that are remembered. */
const maxBytes = 64 * 2 ** 20;
const mostFailures = 100_000;

/** ERC-1155: `{id}` in a URL or a text is the id as 64 hex digits. */
const substituteFor =
  ({ id, standard }: TokenUrl) =>
  (text: string): string =>
    standard === 'erc1155' ? text.replaceAll('{id}', id.toString(16).padStart(64, '0')) : text;

const keyOf = ({ contract, id, url }: TokenUrl): string => `${contract} ${id} ${url}`;

const lengthOf = (texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

const sizeOf = ({ document }: KeptDocument, key: string): number => {
  const { name, description, image, animation, page, attributes } = document;
  const texts = attributes.flatMap(({ trait, value }) => [trait, value]);
  const length = lengthOf([key, name, description, image, animation, page, ...texts]);
  return entryBytes * (1 + attributes.length) + 2 * length;
};

export function createDocuments({ fetchDocument, gateways }: DocumentsOptions): Documents {
  const kept = new LruCache<string, KeptDocument>(maxBytes, sizeOf);
  /** Until when, in ms of `performance.now()`, a document is not fetched again. */
  const failed = new LruCache<string, number>(mostFailures);
  const running = new SharedWork<string, void>();
  let revision = 0;

  function keep(token: TokenUrl, bytes: Uint8Array): NftDocument {
    const document = parseDocument(bytes, substituteFor(token));
    const time = Math.floor(Date.now() / 1000);
    kept.set(keyOf(token), { ...token, document, time });
    return document;
  }

  function find(token: TokenUrl): NftDocument | undefined {
    const key = keyOf(token);
    const known = kept.get(key)?.document;
    if (known !== undefined || !isDataUrl(token.url)) return known;
    try {
      const document = keep(token, readDataUrl(token.url));
      revision += 1;
      return document;
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }

  async function fetchOne(token: TokenUrl, fetch: FetchDocument, signal: AbortSignal) {
    const link = toLoadable(substituteFor(token)(token.url), gateways);
    try {
      if (link !== undefined) keep(token, await fetch(link, signal));
    } catch {
      // A server's failure is no failure of ours. If nobody waits any more, it says nothing of the document.
      if (!signal.aborted) failed.set(keyOf(token), performance.now() + failurePause);
    }
  }

  /** Waits for a document as long as a request may wait; others may go on waiting for the same. */
  async function awaitOne(token: TokenUrl, fetch: FetchDocument): Promise<void> {
    const clock = startDeadline(patience);
    try {
      await running.run(keyOf(token), clock.signal, (own) => fetchOne(token, fetch, own));
    } catch (error) {
      if (!clock.signal.aborted) throw error;
    } finally {
      clock.stop();
    }
  }

  return {
    get revision() {
      return revision;
    },
    find,
    missing(tokens) {
      if (fetchDocument === undefined) return [];
      const now = performance.now();
      const isMissing = (token: TokenUrl) =>
        !isDataUrl(token.url) &&
        kept.get(keyOf(token)) === undefined &&
        (failed.get(keyOf(token)) ?? now) <= now;
      return tokens.filter(isMissing).slice(0, mostFetched);
    },
    async load(tokens) {
      if (fetchDocument === undefined || tokens.length === 0) return;
      await Promise.all(tokens.map((token) => awaitOne(token, fetchDocument)));
      revision += 1;
    },
    ofContract(contract) {
      // A list first: each one that is looked at becomes the last.
      const keys = [...kept.keys()].filter((key) => key.startsWith(contract));
      return keys.flatMap((key) => kept.get(key) ?? []);
    },
  };
}
