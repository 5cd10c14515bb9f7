/** Headers of blocks whose hashes are proven. They are kept encoded, which takes a fifth of the room. */
import { encodeHex, type Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { entryBytes, LruCache } from '../../lru.js';
import { decodeHeader } from '../../mpt/headerFields.js';
import { unread } from '../../rpc/nodeClient.js';
import { checkAnswer } from '../verify/errors.js';
import { checkNumber, type ProvenHeader, readHeader } from '../verify/headers.js';
import { type AskServer, heldBack } from './server.js';
import type { Work } from './work.js';

/** A block whose hash is proven. */
export interface KnownBlock {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** Bytes of headers that are kept: those of 70,000 blocks or so. */
const maxBytes = 64 * 1024 * 1024;

/** Requests for headers at once. */
const headersAtOnce = 8;

interface KeptHeader {
  readonly encoded: Uint8Array;
  /** Names of its fields, shared by most. */
  readonly names: readonly string[];
}

/** The block that a header names as the one before. */
export const parentOf = ({ number, values }: ProvenHeader): KnownBlock => ({
  number: number - 1,
  hash: values.get('parentHash') as Uint8Array,
});

/** Holds an answer against its hash. @throws HistoryError */
function take(answer: unknown, { number, hash }: KnownBlock): ProvenHeader {
  if (answer === null) throw heldBack('block', number);
  const at = `block ${number}`;
  return checkAnswer(() => {
    const header = readHeader(answer, hash, at);
    checkNumber(header, number, at);
    return header;
  });
}

export function openHeaders(node: AskServer) {
  const kept = new LruCache<Hex, KeptHeader>(
    maxBytes,
    ({ encoded }) => encoded.length + entryBytes,
  );
  const layouts = new Map<string, readonly string[]>();

  function keep({ hash, encoded, values }: ProvenHeader): void {
    const names = [...values.keys()];
    const layout = layouts.get(names.join()) ?? names;
    layouts.set(names.join(), layout);
    kept.set(encodeHex(hash), { encoded, names: layout });
  }

  function find({ number, hash }: KnownBlock): ProvenHeader | undefined {
    const found = kept.get(encodeHex(hash));
    if (found === undefined) return undefined;
    const { encoded, names } = found;
    return { hash, number, encoded, values: decodeHeader(encoded, '', names) };
  }

  return {
    /**
     * Headers of blocks that follow one another down from a block, newest first.
     *
     * @param count how many, from 1
     * @throws HistoryError, RpcError
     */
    async headers(block: KnownBlock, count: number, work: Work): Promise<ProvenHeader[]> {
      const headers: ProvenHeader[] = [];
      let next = block;
      const add = (header: ProvenHeader) => {
        headers.push(header);
        next = parentOf(header);
        return work.tick();
      };
      for (let header = find(next); header && headers.length < count; header = find(next)) {
        await add(header);
      }
      const missing = Array.from({ length: count - headers.length }, (_, i) => next.number - i);
      const client = node(work.signal);
      const answers = await mapConcurrently(missing, headersAtOnce, (number) =>
        client.block(number, unread),
      );
      for (const answer of answers) {
        const header = take(answer, next);
        keep(header);
        await add(header);
      }
      return headers;
    },
  };
}
