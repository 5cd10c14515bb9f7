/** Cuts a stream of items into chunks: large enough that crossing threads costs little, and never held back. */
import { yieldToEventLoop } from '../concurrent.js';
import { ownMember } from '../foreign/members.js';
import { type ProofItem, type ProofOutcome, verifyProofs } from '../index.js';
import { copyItem, type Job } from './job.js';
import { decodeOutcomes, type Reply } from './reply.js';

/** Items of one chunk; 16 take a worker a millisecond and more. With 8 the processor time grows, with 32 it hardly falls. */
const maxItems = 16;
/** Proofs of one chunk, of accounts and of slots, after which no other item is added. */
const maxProofs = 64;

/** Items under way together. */
interface Chunk {
  /** null if all items stayed with the calling thread. */
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
const pause = () => yieldToEventLoop().then((): typeof waited => waited);

/** A chunk while items are added. */
interface ChunkBuilder {
  isEmpty(): boolean;
  isFull(): boolean;
  add(item: ProofItem): void;
  close(): Chunk;
}

function createChunk(): ChunkBuilder {
  const job: ProofItem[] = [];
  /** undefined if the worker brings it. */
  const outcomes: (ProofOutcome | undefined)[] = [];
  let proofs = 0;
  return {
    isEmpty: () => outcomes.length === 0,
    isFull: () => outcomes.length >= maxItems || proofs >= maxProofs,
    add(item) {
      const copy = copyItem(item);
      outcomes.push(copy === undefined ? verifyProofs([item])[0] : undefined);
      if (copy === undefined) return;
      job.push(copy);
      proofs += 1 + (copy.claim?.storageKeys?.length ?? 0);
    },
    close: () => ({
      job: job.length === 0 ? null : job,
      finish(reply) {
        const answered = decodeOutcomes(reply).values();
        return outcomes.map((outcome) => outcome ?? (answered.next().value as ProofOutcome));
      },
    }),
  };
}

type Items = AsyncIterable<ProofItem> | Iterable<ProofItem>;

/** An element of an array; a hole is undefined, whatever a prototype holds at its index. */
function elementOf(items: readonly ProofItem[], i: number): ProofItem {
  try {
    return ownMember(items, i) as ProofItem;
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

function* eachElement(items: readonly ProofItem[]): Generator<ProofItem> {
  for (let i = 0; i < items.length; i++) yield elementOf(items, i);
}

function openIterator(items: Items): AsyncIterator<ProofItem> | Iterator<ProofItem> {
  if (Array.isArray(items)) return eachElement(items);
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

type Step = IteratorResult<ProofItem>;

/** A promise of another realm, or of a library, is no instance of `Promise`. */
const isPending = (step: Step | PromiseLike<Step>): step is PromiseLike<Step> =>
  typeof (step as { then?: unknown }).then === 'function';

/** Opens a reader. Each item is read once, when it comes into a chunk. */
export function readItemChunks(items: Items): ChunkReader {
  const source = openIterator(items);
  let pending: Promise<Step> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let done = false;

  /**
   * The next item; undefined if the source makes the chunk wait, or is at its end. The item is wrapped in a list: it
   * may be anything, and a promise would adopt an item that has a `then`.
   */
  async function nextItem(
    isFirst: boolean,
    deadline: () => Promise<typeof waited>,
  ): Promise<[ProofItem] | undefined> {
    const step = pending ?? source.next();
    let result: Step | typeof waited;
    if (isPending(step)) {
      const waiting = Promise.resolve(step);
      pending = waiting;
      result = await (isFirst ? waiting : Promise.race([waiting, deadline()]));
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
        // Items read before the source failed are answered first.
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
