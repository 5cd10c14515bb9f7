/** Headers of blocks whose hashes are proven. They are kept encoded, which takes a fifth of the room. */
import { encodeHex, type Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { ShapeError } from '../../errors.js';
import { openArray, readMember } from '../../foreign/shape.js';
import { entryBytes, LruCache } from '../../lru.js';
import { decodeHeader } from '../../mpt/headerFields.js';
import { unread } from '../../rpc/nodeClient.js';
import { SharedWork } from '../../sharedWork.js';
import { checkAnswer } from '../verify/errors.js';
import { checkHeaderNumber, type ProvenHeader, readHeader } from '../verify/headers.js';
import { type HistoryServer, heldBack } from './server.js';
import { type Work, whileAsked } from './work.js';

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

/** Blocks of JSON that wait to be read: each takes ten times as much memory as its header does. */
const mostUnread = 64;

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
    checkHeaderNumber(header, number, at);
    return header;
  });
}

/** The headers of a range, unread. @throws HistoryError `BAD_ANSWER` */
function openRange(answer: unknown, count: number): unknown[] {
  if (answer === null) return [null];
  return checkAnswer(() => {
    const list = openArray(answer, 'headers');
    if (list.length !== count) {
      throw new ShapeError('headers', `expected ${count} of them, got ${list.length}`);
    }
    return Array.from({ length: count }, (_, i) => readMember(list, i));
  });
}

export function openHeaders(server: HistoryServer) {
  const kept = new LruCache<Hex, KeptHeader>(
    maxBytes,
    ({ encoded }) => encoded.length + entryBytes,
  );
  const fetching = new SharedWork<string, ProvenHeader[]>();
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

  /** Answers of blocks that follow one another down from a block, of a plain node. */
  function askEach({ number }: KnownBlock, count: number, { signal }: Work): Promise<unknown[]> {
    const client = server.ask(signal);
    const numbers = Array.from({ length: count }, (_, i) => number - i);
    return mapConcurrently(numbers, headersAtOnce, (one) => client.block(one, unread));
  }

  /** All of them in one request, if the server answers so; else the first ones. */
  async function ask(block: KnownBlock, count: number, work: Work): Promise<unknown[]> {
    const range = { hash: encodeHex(block.hash), count };
    const answer = await server.askRange(range, work.signal);
    if (answer !== undefined) return openRange(answer, count);
    return askEach(block, Math.min(count, mostUnread), work);
  }

  /** At least one of the headers that are missing. They are asked for and verified once for all who wait for them. */
  const fetchSome = (block: KnownBlock, count: number, work: Work): Promise<ProvenHeader[]> =>
    fetching.run(`${encodeHex(block.hash)} ${count}`, work.signal, (signal) =>
      whileAsked(signal, async (own) => {
        const headers: ProvenHeader[] = [];
        let next = block;
        for (const answer of await ask(block, count, own)) {
          const header = take(answer, next);
          headers.push(header);
          next = parentOf(header);
          await own.tick();
        }
        // All at once: who found only the first ones would ask for the rest anew, beside those who wait for all of it.
        for (const header of headers) keep(header);
        return headers;
      }),
    );

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
      while (headers.length < count) {
        const known = find(next);
        const some = known ? [known] : await fetchSome(next, count - headers.length, work);
        headers.push(...some);
        next = parentOf(some.at(-1) as ProvenHeader);
        await work.tick();
      }
      return headers;
    },
  };
}
