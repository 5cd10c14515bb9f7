/**
 * A process of its own that verifies while `Object.prototype` holds members: what plain JSON merged elsewhere in the
 * process leaves there, and worse. Prints, as JSON, how many outcomes it held beside those of a clean prototype, and
 * which of them differ. It runs what is built.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  compactProof,
  toCalldata,
  verifyAnswer,
  verifyCompactProof,
} from '../../dist/compact/index.js';
import { explainProof } from '../../dist/explain/index.js';
import {
  createVerifier,
  type HashFamily,
  type Hex,
  type ProofItem,
  type ProofOutcome,
  parseProof,
  verifyProof,
  verifyProofs,
} from '../../dist/index.js';
import { createPool } from '../../dist/pool/index.js';
import { copyItem } from '../../dist/pool/job.js';
import { decodeOutcomes } from '../../dist/pool/reply.js';
import { work } from '../../dist/pool/work.js';
import { type TransitionClaim, verifyTransition } from '../../dist/trace/index.js';
import { openStateTree } from '../../dist/tree/index.js';
import { changesOf } from './blocks.js';
import { fromHex } from './hex.js';
import { bytesOf, digitsOf, hashWord } from './reference.js';
import { absent, families, honest, saved, type Wire } from './runs.js';
import { savedRun } from './traces.js';

/** Every index of a short array, and every name of a member that the verifier reads or gives. */
const names = [
  ...Array.from({ length: 50 }, (_, i) => String(i)),
  ...['-1', 'accountProof', 'storageProofs', 'key', 'leafIndex', 'proof', 'value'],
  ...['proofRelatedNodes', 'leftLeafIndex', 'leftProof', 'rightLeafIndex', 'rightProof'],
  ...['kind', 'path', 'left', 'right', 'account', 'leaf', 'top', 'nodes', 'siblingLeafWidth', 'at'],
  ...['prev', 'next', 'hKey', 'hValue', 'nextFreeNode', 'subTreeRoot', 'nonce', 'balance'],
  ...['storageRoot', 'snarkCodeHash', 'keccakCodeHash', 'codeSize', 'exists', 'storage'],
  ...['stateRoot', 'address', 'storageKeys', 'hash', 'engine', 'maxNodes', 'root', 'result'],
  ...['claim', 'ok', 'state', 'error', 'code', 'cause', 'text', 'lengths', 'count', 'members'],
  ...['parentRoot', 'endRoot', 'blockRoots', 'type', 'location', 'siblings', 'hkey', 'hval'],
  ...[
    'storageRootOf',
    'found',
    'reverse',
    'maxReads',
    'pause',
    'headerRoot',
    'keepState',
    'before',
  ],
  ...['prevLeaf', 'nextLeaf', 'subRoot', 'oldSubRoot', 'newSubRoot', 'newNextFreeNode'],
  ...['statement', 'before', 'after', 'own', 'place', 'oldValue', 'newValue', 'storageRootOf'],
  ...['recreated', 'changes', 'number', 'mayGo', 'entries', 'dropped', 'store', 'keepFinal'],
  ...['keepState', 'get', 'set', 'enumerable', 'configurable', 'writable'],
  ...['place', 'content', 'leaves', 'siblings', 'climb', 'levels', 'opening', 'locate', 'isWord'],
  ...['accountTree', 'storageTree', 'args', 'calls', 'checks', 'call', 'isNew', 'isPristine'],
];

const forgedValue: Hex = `0x${'00'.repeat(31)}63`;

/** A parsed proof that nobody has parsed: a true path, and beside it a leaf that says something else. */
function forgedProof(family: HashFamily) {
  const { result, claim } = honest(family);
  const [entry] = parseProof(result, { hash: family }).storageProofs as Wire;
  const [key] = claim.storageKeys as [Hex];
  const leaf = {
    ...entry.path.leaf,
    hKey: bytesOf(hashWord(family, digitsOf(key))),
    hValue: bytesOf(hashWord(family, digitsOf(forgedValue))),
  };
  return {
    kind: 'existence',
    key: fromHex(key),
    value: fromHex(forgedValue),
    path: { ...entry.path, leaf },
  };
}

const wire = honest('poseidon2');

/** One of each sort: a parsed proof of either family, a wire proof, a claim, a member's text, a number, an object. */
const few: readonly unknown[] = [
  ...families.map(forgedProof),
  ...[wire.result.storageProofs[0], wire.claim, 'mimc', 7, true, {}],
];
const all: readonly unknown[] = [
  ...few,
  ...[wire.result, wire.result.accountProof, wire.result.storageProofs[1]],
  ...['portable', 'existence', forgedValue, '0x', ''],
  ...[0, -0, Number.NaN, 5n, false, null, () => 1, [[]], new Uint8Array(32)],
];

/** Answers and claims in which something is missing that a prototype could lend. */
function itemsOf(family: HashFamily): ProofItem[] {
  const { result, claim } = honest(family);
  const { hash: _, ...rest } = claim;
  const oneKey = { ...claim, storageKeys: claim.storageKeys?.slice(0, 1) ?? [] };
  const edited = (edit: (result: Wire) => void): ProofItem => {
    const copy = structuredClone(result);
    edit(copy);
    return { result: copy, claim };
  };
  const without = (...path: string[]) =>
    edited((copy) => {
      const last = path.pop() as string;
      delete path.reduce((target, name) => target[name], copy)[last];
    });
  return [
    { result, claim },
    { result, claim: family === 'poseidon2' ? rest : { ...claim, storageKeys: [] } },
    { result: { ...result, storageProofs: [] }, claim: { ...claim, storageKeys: [] } },
    // The attack: nothing is answered for slots that exist.
    { result: { ...result, storageProofs: [] }, claim },
    { result: { ...result, storageProofs: [] }, claim: oneKey },
    { result: { ...result, storageProofs: [undefined, , null] }, claim },
    { result, claim: { ...claim, storageKeys: [, claim.storageKeys?.[1], ,] as Hex[] } },
    absent(family),
    saved('vectors', `getproof-${family}-synthetic-no-storage.json`),
    saved('vectors', `getproof-${family}-synthetic-null-mixed.json`),
    without('accountProof'),
    without('storageProofs'),
    without('accountProof', 'key'),
    without('accountProof', 'leafIndex'),
    without('accountProof', 'proof'),
    without('accountProof', 'proof', 'value'),
    without('accountProof', 'proof', 'proofRelatedNodes'),
    without('accountProof', 'proof', 'proofRelatedNodes', '7'),
    without('storageProofs', '0'),
    without('storageProofs', '1', 'leftProof'),
    edited((copy) => Object.defineProperty(copy.accountProof, 'key', { get: () => 1 })),
    edited((copy) => copy.accountProof.proof.proofRelatedNodes.pop()),
    { result: {}, claim },
    { result, claim: {} as ProofItem['claim'] },
    { claim } as ProofItem,
    { result } as ProofItem,
    {} as ProofItem,
    null as unknown as ProofItem,
  ];
}

/** What a caller can see of an outcome: own members only. */
function visible(outcome: ProofOutcome): unknown {
  if (outcome.ok) return { state: outcome.state };
  const { name, message, path, code, constructor } = outcome.error as Wire;
  return { class: constructor, name, message, path, code };
}

function attempt(action: () => unknown): ProofOutcome {
  try {
    return { ok: true, state: action() as never };
  } catch (error) {
    return { ok: false, error };
  }
}

const prototype = Object.prototype as Wire;

/** Runs with members on the prototype, and takes them away whatever happens. */
async function polluted<T>(
  members: readonly string[],
  value: unknown,
  run: () => T | Promise<T>,
): Promise<T> {
  for (const name of members) prototype[name] = value;
  try {
    return await run();
  } finally {
    for (const name of members) delete prototype[name];
  }
}

let checked = 0;
const differing: string[] = [];

/** Holds what `run` gives under pollution beside what it gives without. */
async function hold(
  what: string,
  run: () => readonly ProofOutcome[] | Promise<readonly ProofOutcome[]>,
  { pollutants = few, each = false } = {},
): Promise<void> {
  const expected = (await run()).map(visible);
  const compare = async (members: readonly string[], value: unknown, i: number) => {
    const outcomes = await polluted(members, value, async () => {
      try {
        return await run();
      } catch (error) {
        return [{ ok: false, error } as const];
      }
    });
    checked += outcomes.length;
    const actual = outcomes.map(visible);
    for (const [at, one] of expected.entries()) {
      if (isDeepStrictEqual(actual[at], one)) continue;
      const on = members.length === 1 ? members[0] : 'all names';
      const text = JSON.stringify([one, actual[at]], (_, v) =>
        typeof v === 'bigint' ? `${v}` : v,
      );
      differing.push(`${what} ${at}: pollutant ${i} on ${on}: ${text.slice(0, 600)}`);
    }
  };
  for (const [i, value] of pollutants.entries()) {
    await compare(names, value, i);
    if (each) for (const name of names) await compare([name], value, i);
  }
}

/** A hole is an item too. */
function withHole(items: readonly ProofItem[]): ProofItem[] {
  const all = [...items];
  all.length++;
  return all;
}

const pool = await createPool({ workers: 1 });
// The same, with workers that are started while the prototype is polluted. With `path` there, Node starts none.
const startable = names.filter((name) => name !== 'path');
const late = await polluted(startable, 'mimc', () => createPool({ workers: 1 }));
for (const family of families) {
  const items = withHole(itemsOf(family));
  await hold(`${family} batch`, () => verifyProofs(items), { pollutants: all });
  const refused = items.slice(3, 7);
  await hold(`${family} attack`, () => verifyProofs(refused), { each: true });
  const single = items.slice(0, 22).map(({ result, claim }) => ({ result, claim }));
  await hold(`${family} single`, () =>
    single.map(({ result, claim }) => attempt(() => verifyProof(result, claim))),
  );
  // Made here: the caller's own reads of a claim would find what is on the prototype.
  const asked = single.map(({ result, claim: { stateRoot, hash, ...rest } }) => ({
    result,
    rest,
    options: { stateRoot, ...(hash && { hash }) },
  }));
  await hold(`${family} verifier`, () =>
    asked.map(({ result, rest, options }) =>
      attempt(() => createVerifier(options).verify(result, rest)),
    ),
  );
  await hold(`${family} pool`, () => pool.verifyProofs(items));
  await hold(`${family} late pool`, () => late.verifyProofs(items), {
    pollutants: few.slice(0, 3),
  });
  await hold(`${family} worker`, () => {
    const job = items.flatMap((item) => copyItem(item) ?? []);
    return decodeOutcomes(structuredClone(work(structuredClone(job))));
  });
  const compacted = itemsOf(family)
    .slice(0, 10)
    .flatMap(({ result, claim }) => {
      const made = attempt(() => compactProof(result, claim));
      return made.ok ? [{ bytes: made.state as unknown as Uint8Array, claim }] : [];
    });
  const holdCompact = (title: string, proofs: typeof compacted, options: { each: boolean }) =>
    hold(
      `${family} ${title}`,
      () =>
        proofs.flatMap(({ bytes, claim }) => [
          attempt(() => verifyCompactProof(bytes, claim)),
          attempt(() => verifyAnswer(bytes, claim)),
          attempt(() => verifyCompactProof(bytes.subarray(0, -1), claim)),
          // Nothing but the account: the storage tree is missing.
          attempt(() => verifyCompactProof(bytes, { ...claim, storageKeys: [] })),
          attempt(() =>
            verifyCompactProof(bytes, { ...claim, storageKeys: [forgedValue, forgedValue] }),
          ),
        ]),
      options,
    );
  await holdCompact('compact', compacted, { each: family === 'poseidon2' });
  // MiMC takes ten times as long, and the families have all reading in common: each name with the proof of all sorts.
  if (family === 'mimc') await holdCompact('compact, one', compacted.slice(0, 1), { each: true });
  const explained = [
    ...single,
    ...compacted.slice(0, 2).map(({ bytes, claim }) => ({ result: bytes, claim })),
    ...compacted.slice(0, 2).map(({ bytes, claim }) => ({ result: bytes.subarray(1), claim })),
  ];
  await hold(`${family} explained`, () =>
    explained.map(({ result, claim }) => attempt(() => explainProof(result, claim))),
  );
  await hold(`${family} to compact`, () =>
    single.flatMap(({ result, claim }) => [
      attempt(() => compactProof(result, claim)),
      attempt(() => toCalldata(result, claim)),
    ]),
  );
  const portable = items
    .slice(3, 7)
    .map((item) => ({ ...item, claim: { ...item.claim, engine: 'portable' as const } }));
  await hold(`${family} portable`, () => verifyProofs(portable));
  const { traces, claim } = savedRun(family);
  const other: Wire = structuredClone(traces);
  other[0][0].type = 7;
  const cut: Wire = structuredClone(traces);
  delete cut[0][0].key;
  await hold(`${family} traces`, () =>
    [traces, other, cut].map((one) =>
      attempt(() => verifyTransition(one, claim as TransitionClaim)),
    ),
  );
  await hold(`${family} tree`, async () => {
    const tree = await openStateTree({ hash: family });
    const roots: ProofOutcome[] = [];
    for (const number of [1, 2, 3]) {
      const { stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) });
      roots.push({ ok: true, state: stateRoot as never });
    }
    return roots;
  });
}
await pool.close();
await late.close();
console.log(JSON.stringify({ checked, differing }));
