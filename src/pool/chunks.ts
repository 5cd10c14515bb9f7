/** Cuts a stream of items into chunks: large enough that crossing threads costs little, and never held back. */
import { type ProofItem, type ProofOutcome, verifyProofs } from '../index.js';
import { type Job, type PackedClaim, packItem, toJob } from './job.js';
import { decodeOutcomes, type Reply } from './reply.js';

/** Items of one chunk; 16 take a worker a millisecond and more. With 8 the processor time grows, with 32 it hardly falls. */
const maxItems = 16;
/** Characters of one chunk, after which no other item is added. */
const maxTextLength = 1 << 18;

/** Items under way together. */
export interface Chunk {
  /** null where all items stayed with the calling thread. */
  readonly job: Job | null;
  /** The outcomes of all items, in order, with the reply to the job. */
  finish(reply: Reply): ProofOutcome[];
}

/** Reads items until a chunk is full or the source makes one wait. */
export interface ChunkReader {
  /** The next chunk, or undefined at the end of the source. One call at a time. */
  read(): Promise<Chunk | undefined>;
  /** Tells the source that no more will be read. */
  end(): Promise<void>;
}

const waited = Symbol('waited');

/** Resolves once all that is ready now has run. */
const pause = () => new Promise<typeof waited>((resolve) => setTimeout(resolve, 0, waited));

/** A chunk while items are added. */
interface ChunkBuilder {
  isEmpty(): boolean;
  isFull(): boolean;
  add(item: ProofItem): void;
  close(): Chunk;
}

function createChunk(): ChunkBuilder {
  const words: string[] = [];
  const claims: PackedClaim[] = [];
  /** undefined where the worker brings it. */
  const outcomes: (ProofOutcome | undefined)[] = [];
  let textLength = 0;
  return {
    isEmpty: () => outcomes.length === 0,
    isFull: () => outcomes.length >= maxItems || textLength >= maxTextLength,
    add(item) {
      const start = words.length;
      const claim = packItem(words, item);
      for (let i = start; i < words.length; i++) textLength += (words[i] as string).length;
      if (claim !== undefined) claims.push(claim);
      outcomes.push(claim === undefined ? verifyProofs([item])[0] : undefined);
    },
    close: () => ({
      // The words are copied, and let go: many chunks wait at a time.
      job: claims.length === 0 ? null : toJob(words.splice(0), claims.length),
      finish(reply) {
        const answered = decodeOutcomes(reply, claims).values();
        return outcomes.map((outcome) => outcome ?? (answered.next().value as ProofOutcome));
      },
    }),
  };
}

type Items = AsyncIterable<ProofItem> | Iterable<ProofItem>;

/** An element of an array; a hole is undefined, whatever a prototype holds at its index. */
function elementOf(items: readonly ProofItem[], i: number): ProofItem {
  try {
    return (Object.hasOwn(items, i) ? items[i] : undefined) as ProofItem;
  } catch (cause) {
    // An accessor threw. The item is then one that throws when it is read, and has an outcome like any other.
    const fail = (): never => {
      throw cause;
    };
    return {
      get result() {
        return fail();
      },
      get claim() {
        return fail();
      },
    };
  }
}

function* elementsOf(items: readonly ProofItem[]): Generator<ProofItem> {
  for (let i = 0; i < items.length; i++) yield elementOf(items, i);
}

function iteratorOf(items: Items): AsyncIterator<ProofItem> | Iterator<ProofItem> {
  if (Array.isArray(items)) return elementsOf(items);
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

/** Opens a reader. Each item is read once, when it comes into a chunk. */
export function readChunks(items: Items): ChunkReader {
  const source = iteratorOf(items);
  let pending: Promise<IteratorResult<ProofItem>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let done = false;

  /**
   * The next item; undefined if it keeps the chunk waiting, or there is none. In a list of its own: an item may be
   * anything, and a promise would take on whatever has a `then`.
   */
  async function nextItem(
    isFirst: boolean,
    deadline: () => Promise<typeof waited>,
  ): Promise<[ProofItem] | undefined> {
    const step = pending ?? source.next();
    let result: IteratorResult<ProofItem> | typeof waited;
    if (step instanceof Promise) {
      pending = step;
      result = await (isFirst ? step : Promise.race([step, deadline()]));
      if (result === waited) return undefined;
      pending = undefined;
    } else result = step;
    if (!result.done) return [result.value];
    done = true;
    return undefined;
  }

  async function fill(chunk: ChunkBuilder): Promise<void> {
    let timer: Promise<typeof waited> | undefined;
    const deadline = () => {
      timer ??= pause();
      return timer;
    };
    while (!done && !chunk.isFull()) {
      const next = await nextItem(chunk.isEmpty(), deadline);
      if (next === undefined) return;
      chunk.add(next[0]);
    }
  }

  return {
    async read() {
      const chunk = createChunk();
      try {
        await fill(chunk);
      } catch (error) {
        // What was read before the source failed is answered first.
        done = true;
        failure = { error };
      }
      if (!chunk.isEmpty()) return chunk.close();
      if (failure !== undefined) throw failure.error;
      return undefined;
    },
    async end() {
      if (done) return;
      done = true;
      const ended = Promise.resolve(source.return?.());
      // A source that is being read ends when that read does, which may be never.
      if (pending === undefined) await ended;
      else ended.catch(() => {});
    },
  };
}
