/** The pool against one thread, with real workers of the built package. */
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProofItem, type ProofOutcome, verifyProofs } from '../../../dist/index.js';
import { createPool, type Pool, PoolError } from '../../../dist/pool/index.js';
import { rubbishItems } from '../../support/rubbish.js';
import { families, honest, patience, type Wire } from '../../support/runs.js';
import { applyPatch, type Edit } from '../../vectors/patch.js';
import { claimOf } from '../../vectors/proofs.js';
import { loadFolder } from '../../vectors/run.js';

/** Every saved answer with its claim, and every saved edit of one. */
const saved: ProofItem[] = loadFolder('vectors').flatMap((file): ProofItem[] => {
  const { json } = file;
  if (json.kind === 'getProof') return [{ result: json.result, claim: claimOf(file) }];
  if (json.kind !== 'mutations') return [];
  const base = file.sibling(json.base as string);
  return (json.cases as { patch?: Edit[] }[]).flatMap(({ patch }) =>
    patch ? [{ result: applyPatch(base.json.result as Wire, patch), claim: claimOf(base) }] : [],
  );
});

/** What a caller can see of an outcome; errors compare by class and members. */
function visible(outcome: ProofOutcome): unknown {
  if (outcome.ok) return outcome;
  const error = outcome.error as Error & { path?: string; code?: string };
  const { name, message, path, code } = error;
  return { class: error.constructor, name, message, path, code };
}

const threads: Worker[] = [];
const onWorker = (worker: Worker) => threads.push(worker);
process.on('worker', onWorker);

let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ workers: 2 });
});
afterAll(async () => {
  await pool.close();
  process.off('worker', onWorker);
});

async function collect(outcomes: AsyncIterable<ProofOutcome>): Promise<ProofOutcome[]> {
  const all: ProofOutcome[] = [];
  for await (const outcome of outcomes) all.push(outcome);
  return all;
}

const many = (count: number): ProofItem[] =>
  Array.from({ length: count }, () => structuredClone(honest('poseidon2')));

async function* endless(read: { count: number }): AsyncGenerator<ProofItem> {
  const item = honest('poseidon2');
  for (;;) {
    read.count++;
    yield item;
  }
}

describe('the same answers as one thread', () => {
  test(
    'every saved answer and every edit of one, in order',
    async () => {
      expect(saved.length).toBeGreaterThan(300);
      const expected = verifyProofs(saved).map(visible);
      expect((await pool.verifyProofs(saved)).map(visible)).toEqual(expected);
      expect((await collect(pool.verifyStream(saved))).map(visible)).toEqual(expected);
    },
    patience,
  );

  test('an array whose own accessor throws at an index has an outcome for it', async () => {
    const good = honest('poseidon2');
    const items = [good, good, good];
    Object.defineProperty(items, 1, {
      get() {
        throw new Error('no');
      },
    });
    const outcomes = await pool.verifyProofs(items);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(outcomes.map(visible)).toEqual(verifyProofs(items).map(visible));
  });

  test('each item has its own outcome, whatever stands beside it', async () => {
    const good = honest('poseidon2');
    const items = rubbishItems.flatMap(([, item]) => [good, item as ProofItem]);
    items.length++;
    const expected = verifyProofs(items).map(visible);
    expect(expected).toHaveLength(2 * rubbishItems.length + 1);
    expect((await pool.verifyProofs(items)).map(visible)).toEqual(expected);
    expect((await collect(pool.verifyStream(items))).map(visible)).toEqual(expected);
    const ones = items.values();
    expect((await collect(pool.verifyStream(ones))).map(visible)).toEqual(expected);
  });

  test('states are frozen, deeply', async () => {
    for (const family of families) {
      const [outcome] = await pool.verifyProofs([honest(family)]);
      if (!outcome?.ok) throw new Error('not verified');
      const { state } = outcome;
      for (const part of [state, state.account, state.storage, ...state.storage]) {
        expect(Object.isFrozen(part)).toBe(true);
      }
    }
  });

  const { result, claim } = honest('poseidon2');
  const withClaim = (edit: object) => ({ result, claim: { ...claim, ...edit } as typeof claim });
  const withResult = (edit: (copy: Wire) => void) => {
    const copy = structuredClone(result);
    edit(copy);
    return { result: copy, claim };
  };
  const throwing = new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => {
        throw new Error('no');
      },
    },
  );
  const odd: Record<string, ProofItem> = {
    'no result': { result: undefined, claim },
    'a function': { result: () => {}, claim },
    'a member that is a function': withResult((copy) => {
      copy.accountProof.proof = () => {};
    }),
    'a member that is a symbol': withResult((copy) => {
      copy.accountProof.key = Symbol('key');
    }),
    'a Proxy that throws': { result: throwing, claim },
    'a Proxy that does not': { result: new Proxy(result, {}), claim },
    'a revoked Proxy': {
      result: (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
      claim,
    },
    'an accessor': withResult((copy) => {
      Object.defineProperty(copy, 'accountProof', {
        get: () => result.accountProof,
        enumerable: true,
      });
    }),
    'inherited members': { result: Object.create(result), claim },
    'members that cannot be cloned and that nobody reads': withResult((copy) => {
      copy.extra = () => {};
    }),
    'minus zero': withResult((copy) => {
      copy.accountProof.leafIndex = -0;
    }),
    'a fraction': withResult((copy) => {
      copy.accountProof.leafIndex = 1.5;
    }),
    'a bigint': withResult((copy) => {
      copy.accountProof.leafIndex = 1n;
    }),
    'both kinds': withResult((copy) => {
      copy.accountProof.leftLeafIndex = 1;
    }),
    'text beyond ASCII': withResult((copy) => {
      copy.accountProof.proof.value = '\u20ac'.repeat(386);
    }),
    'half a surrogate pair': withResult((copy) => {
      copy.accountProof.key = '\ud800'.repeat(42);
    }),
    'a huge value': withResult((copy) => {
      copy.accountProof.proof.value = '0'.repeat(1 << 22);
    }),
    'a huge array': withResult((copy) => {
      copy.storageProofs = new Array(2 ** 32 - 1);
    }),
    'a sparse array': withResult((copy) => {
      delete copy.accountProof.proof.proofRelatedNodes[3];
    }),
    'upper case digits': withClaim({ address: `0x${claim.address.slice(2).toUpperCase()}` }),
    'a claim without a root': withClaim({ stateRoot: undefined }),
    'a root of wrong width': withClaim({ stateRoot: '0x12' }),
    'an empty root': withClaim({ stateRoot: '' }),
    'an empty hash': withClaim({ hash: '' }),
    'an unknown hash': withClaim({ hash: 'sha' }),
    'no hash at all': withClaim({ hash: null }),
    'an unknown engine': withClaim({ engine: 'fast' }),
    'the portable engine': withClaim({ engine: 'portable' }),
    'keys that are text': withClaim({ storageKeys: 'abc' }),
    'keys without end': withClaim({ storageKeys: new Array(16385).fill(claim.stateRoot) }),
    'no keys at all': withClaim({ storageKeys: null }),
    'no claim': { result, claim: undefined as unknown as typeof claim },
  };

  test.each(Object.entries(odd))('%s', async (_, item) => {
    const [before, , after] = await pool.verifyProofs([honest('mimc'), item, honest('mimc')]);
    expect((await pool.verifyProofs([item])).map(visible)).toEqual(
      verifyProofs([item]).map(visible),
    );
    expect([before?.ok, after?.ok]).toEqual([true, true]);
  });

  test('an unknown member of a claim is refused as one thread refuses it, and its value is not read', async () => {
    const { result, claim } = honest('poseidon2');
    const names = (count: number, name = 'x') =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, 1]));
    const own = (name: string) =>
      Object.defineProperty({ ...claim }, name, { value: () => expect.unreachable() });
    const claims = [
      ...[{ trusted: 1 }, { l2BlockNumber: 5, how: 'given' }, names(3), names(16), names(17)],
      ...[names(1, 'y'.repeat(63)), names(1, 'y'.repeat(64)), names(1, 'y'.repeat(80))],
      JSON.parse('{"__proto__":{"stateRoot":"0x"}}'),
    ].map((more) => Object.defineProperties({ ...claim }, Object.getOwnPropertyDescriptors(more)));
    const items = [...claims, own('hidden')].map((each) => ({ result, claim: each }));
    const expected = verifyProofs(items as ProofItem[]).map(visible);
    expect((await pool.verifyProofs(items as ProofItem[])).map(visible)).toEqual(expected);
    expect(expected.filter((outcome) => (outcome as ProofOutcome).ok).length).toBe(1);
  });

  test('what is no list is told as one thread tells it', async () => {
    for (const items of [null, undefined, 5, 'abc', {}, { length: 1 }] as never[]) {
      let message = '';
      try {
        verifyProofs(items);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toMatch(/^"items" expected an array/);
      await expect(pool.verifyProofs(items)).rejects.toThrow(new TypeError(message));
    }
    for (const items of [null, undefined, 5, {}] as never[]) {
      await expect(collect(pool.verifyStream(items))).rejects.toThrow(
        /^"items" expected something to iterate over, got /,
      );
    }
  });

  test('nothing comes of nothing', async () => {
    expect(await pool.verifyProofs([])).toEqual([]);
    expect(await collect(pool.verifyStream([]))).toEqual([]);
  });

  test('calls at the same time do not mix', async () => {
    const [a, b, c] = [saved.slice(0, 50), saved.slice(50, 90), saved.slice(20, 60)];
    const [x, y, z] = await Promise.all([
      pool.verifyProofs(a),
      collect(pool.verifyStream(b)),
      pool.verifyProofs(c),
    ]);
    expect([x, y, z].map((all) => all.map(visible))).toEqual(
      [a, b, c].map((items) => verifyProofs(items).map(visible)),
    );
  });
});

describe('streams', () => {
  test('the source is read a bounded number of items ahead, and ends with the stream', async () => {
    const read = { count: 0 };
    const source = endless(read);
    let taken = 0;
    for await (const outcome of pool.verifyStream(source)) {
      expect(outcome.ok).toBe(true);
      taken++;
      // Two chunks of 16 per worker under way, one that is taken, one that is read.
      expect(read.count - taken).toBeLessThanOrEqual(16 * (2 * 2 + 2));
      if (taken === 500) break;
    }
    const { count } = read;
    expect(await source.next()).toMatchObject({ done: true });
    expect(read.count).toBe(count);
  });

  test('promises of another realm are waited for', async () => {
    const Foreign = runInNewContext('Promise') as PromiseConstructor;
    const left = [saved[0] as ProofItem];
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = left.pop();
          return Foreign.resolve(value ? { done: false, value } : { done: true, value: undefined });
        },
      }),
    } as AsyncIterable<ProofItem>;
    const outcomes: boolean[] = [];
    for await (const { ok } of pool.verifyStream(source)) {
      outcomes.push(ok);
      if (outcomes.length > 1) break;
    }
    expect(outcomes).toEqual([true]);
  });

  test('an item is not held back for the next', async () => {
    let next = (_: ProofItem) => {};
    async function* slow(): AsyncGenerator<ProofItem> {
      for (;;)
        yield await new Promise<ProofItem>((resolve) => {
          next = resolve;
        });
    }
    const outcomes = pool.verifyStream(slow());
    for (let i = 0; i < 3; i++) {
      const outcome = outcomes.next();
      await new Promise((resolve) => setTimeout(resolve, 5));
      next(honest('poseidon2'));
      expect((await outcome).value).toMatchObject({ ok: true });
    }
    await outcomes.return();
  });

  test('a source that fails is heard after what it gave', async () => {
    async function* failing(): AsyncGenerator<ProofItem> {
      yield* many(20);
      throw new Error('out of items');
    }
    let count = 0;
    const run = async () => {
      for await (const { ok } of pool.verifyStream(failing())) if (ok) count++;
    };
    await expect(run()).rejects.toThrow('out of items');
    expect(count).toBe(20);
  });
});

describe('the end', () => {
  test('an abort rejects with its reason, and the pool goes on', async () => {
    const reason = new Error('enough');
    const early = pool.verifyProofs(many(10), { signal: AbortSignal.abort(reason) });
    await expect(early).rejects.toBe(reason);

    const controller = new AbortController();
    const read = { count: 0 };
    const outcomes = pool.verifyStream(endless(read), { signal: controller.signal });
    await outcomes.next();
    controller.abort(reason);
    await expect(collect(outcomes)).rejects.toBe(reason);
    const { count } = read;

    const stuck = new AbortController();
    const never: AsyncIterable<ProofItem> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    };
    const waiting = collect(pool.verifyStream(never, { signal: stuck.signal }));
    setTimeout(() => stuck.abort(reason), 5);
    await expect(waiting).rejects.toBe(reason);

    expect((await pool.verifyProofs(many(40))).every(({ ok }) => ok)).toBe(true);
    expect(read.count).toBe(count);
  });

  test('a worker that dies fails the call that it worked for, and is replaced', async () => {
    const from = threads.length;
    const own = await createPool({ workers: 1 });
    await own.verifyProofs(many(1));
    const [worker] = threads.slice(from) as [Worker];
    const lost = own.verifyProofs(many(2000));
    setTimeout(() => worker.terminate(), 5);
    const error = await lost.catch((reason) => reason);
    expect(error).toBeInstanceOf(PoolError);
    expect(error).toMatchObject({ code: 'WORKER_DIED', name: 'PoolError' });
    expect((await own.verifyProofs(many(3))).every(({ ok }) => ok)).toBe(true);
    await own.close();
  });

  test('close ends all threads, and calls under way', async () => {
    const from = threads.length;
    const own = await createPool({ workers: 2 });
    await own.verifyProofs(many(1));
    const started = threads.slice(from);
    expect(started).toHaveLength(2);
    const gone = started.map((worker) => new Promise((resolve) => worker.on('exit', resolve)));
    const running = own.verifyProofs(many(2000)).catch((reason) => reason);
    await own.close();
    await Promise.all(gone);
    expect(await running).toMatchObject({ code: 'CLOSED' });
    await expect(own.verifyProofs(many(1))).rejects.toMatchObject({ code: 'CLOSED' });
    await own.close();
  });

  test.each([0, -1, 1.5, 1025, Number.NaN])('%d workers are out of range', async (workers) => {
    await expect(createPool({ workers })).rejects.toThrow(RangeError);
  });
});
