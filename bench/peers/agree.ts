/**
 * Holds the library against the on-chain verifier: a path that `verifyProof` rests on must be accepted on
 * chain. The other way round the library may refuse more, as it checks more; the second table shows what.
 *
 *   [L2PROOF=dist/index.js] [EDITS=400] [SEED=1] tsx agree.ts [folder of vectors ...]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Hex, openVerifier, type Verdict } from './evm.js';

/** Where the shape is the vector file's business. */
type Json = any;

interface Claim {
  stateRoot: Hex;
  address: Hex;
  storageKeys: Hex[];
  hash: 'mimc';
}
interface Leaf {
  proofRelatedNodes: Hex[];
}
interface Entry {
  leafIndex?: number;
  proof?: Leaf;
  leftLeafIndex?: number;
  leftProof?: Leaf;
  rightLeafIndex?: number;
  rightProof?: Leaf;
}
interface Result {
  accountProof: Entry & { key: Hex };
  storageProofs: (Entry | null)[];
}
interface State {
  account: { storageRoot: Hex } | null;
}
/** One path of a result, and the root that the library holds it under. */
interface Path {
  nodes: Hex[];
  leafIndex: bigint;
  root: Hex;
}
/** A result that a vector says is valid. */
interface Case {
  name: string;
  result: Result;
  claim: Claim;
  mayDiffer: boolean;
}

// Loaded by path and typed here: this folder stands on its own, and any build can be held against it.
const library: {
  verifyProof(result: unknown, claim: Claim): State;
  ProofError: new (...args: never[]) => Error;
} = await import(
  pathToFileURL(resolve(process.env.L2PROOF ?? join(import.meta.dirname, '../../dist/index.js')))
    .href
);

const mimcModulus = 8444461749428370424248824938781546531375899335154063827935233455917409239041n;

/** What the library proves, or the code it refuses with. */
function judge(result: Result, claim: Claim): State | string {
  try {
    return library.verifyProof(result, claim);
  } catch (error) {
    if (!(error instanceof library.ProofError)) throw error;
    return (error as { code?: string }).code ?? error.name;
  }
}

/** All paths of a result; those of slots stand under the storage root that the account proof settled. */
function pathsOf(result: Result, claim: Claim, state: State): Path[] {
  const paths: Path[] = [];
  const add = (root: Hex | undefined, leafIndex: number | undefined, leaf: Leaf | undefined) => {
    if (!root || leafIndex === undefined || !leaf) return;
    paths.push({ nodes: leaf.proofRelatedNodes, leafIndex: BigInt(leafIndex), root });
  };
  const addEntry = (root: Hex | undefined, entry: Entry | null) => {
    add(root, entry?.leafIndex, entry?.proof);
    add(root, entry?.leftLeafIndex, entry?.leftProof);
    add(root, entry?.rightLeafIndex, entry?.rightProof);
  };
  addEntry(claim.stateRoot, result.accountProof);
  for (const entry of result.storageProofs) addEntry(state.account?.storageRoot, entry);
  return paths;
}

/** Applies the edits of a `mutations` case to a copy. */
function applyPatch(
  result: Result,
  patch: { op: string; path: string; value?: unknown }[],
): Result {
  const copy = structuredClone(result);
  for (const { op, path, value } of patch) {
    const names = path.split('/').slice(1);
    const last = names.pop() as string;
    const target = names.reduce((at: Json, name) => at[name], copy);
    if (op !== 'add' && !(last in target)) throw new Error(`patch: nothing at ${path}`);
    const index = last === '-' ? target.length : Number(last);
    if (!Array.isArray(target)) {
      if (op === 'remove') delete target[last];
      else target[last] = value;
    } else if (op === 'replace') target[index] = value;
    else if (op === 'add') target.splice(index, 0, value);
    else target.splice(index, 1);
  }
  return copy;
}

const mimc = 'mimc-bls12-377';

/** The valid MiMC results of one vector file; the layout is in the README of the vectors. */
function casesOf(path: string): Case[] {
  const json = JSON.parse(readFileSync(path, 'utf8'));
  if (json.kind === 'getProof' && json.hash === mimc && json.expect.valid) {
    const { result, expect } = json;
    const claim: Claim = {
      stateRoot: json.stateRoot ?? expect.impliedRoot,
      address: expect.account?.address ?? result.accountProof.key,
      storageKeys: expect.requestedSlots,
      hash: 'mimc',
    };
    return [{ name: path, result, claim, mayDiffer: false }];
  }
  if (json.kind !== 'mutations') return [];
  const [base] = casesOf(join(dirname(path), json.base));
  if (!base) return [];
  const valid = json.cases.filter((entry: Json) => entry.valid && (entry.hash ?? mimc) === mimc);
  return valid.map((entry: Json) => ({
    name: `${path}: ${entry.name}`,
    result: applyPatch(base.result, entry.patch ?? []),
    claim: {
      ...base.claim,
      stateRoot: entry.stateRoot ?? base.claim.stateRoot,
      address: entry.request?.address ?? base.claim.address,
      storageKeys: entry.request?.slots ?? base.claim.storageKeys,
    },
    mayDiffer: entry.mayDiffer === true,
  }));
}

/** A whole number below the limit. */
type Random = (limit: number) => number;

/** A small seeded generator (mulberry32), so that a finding can be repeated. */
function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Any node, though every other time one of the three that are not inner nodes. */
const pickNode = (nodes: Hex[], random: Random) =>
  random(2) ? random(nodes.length) : ([0, 40, 41][random(3)] as number);

/** Random edits of the nodes of one path, in place. */
const edits: Record<string, (nodes: Hex[], random: Random) => void> = {
  'byte changed': (nodes, random) => {
    const at = pickNode(nodes, random);
    const bytes = Buffer.from((nodes[at] as Hex).slice(2), 'hex');
    const place = random(bytes.length);
    bytes[place] = (bytes[place] as number) ^ (1 + random(255));
    nodes[at] = `0x${bytes.toString('hex')}`;
  },
  // The same number to the hash, another one to whoever reads it.
  'element plus p': (nodes, random) => {
    const at = pickNode(nodes, random);
    const digits = (nodes[at] as Hex).slice(2);
    const place = 64 * random(digits.length / 64);
    const element = BigInt(`0x${digits.slice(place, place + 64)}`) + mimcModulus;
    const alias = element.toString(16).padStart(64, '0');
    nodes[at] = `0x${digits.slice(0, place)}${alias}${digits.slice(place + 64)}`;
  },
  'node over another': (nodes, random) => {
    nodes[pickNode(nodes, random)] = nodes[random(nodes.length)] as Hex;
  },
  'nodes swapped': (nodes, random) => {
    const [one, other] = [pickNode(nodes, random), random(nodes.length)];
    [nodes[one], nodes[other]] = [nodes[other] as Hex, nodes[one] as Hex];
  },
  'node cut or grown': (nodes, random) => {
    const at = pickNode(nodes, random);
    const node = nodes[at] as Hex;
    nodes[at] = random(2) ? (node.slice(0, -64) as Hex) : `${node}${'00'.repeat(32)}`;
  },
};

const besideRepo = (folder: string) => join(import.meta.dirname, '../..', folder);
const folders =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['vectors', '../shared/vectors'].map(besideRepo).filter(existsSync);

const verifier = await openVerifier();
const failures: string[] = [];
const chain = ({ nodes, leafIndex, root }: Path) => verifier.verdict(nodes, leafIndex, root);

// Paths that the library accepts.
const cases = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => casesOf(join(folder, name))),
);
const accepted: { case: Case; state: State; paths: Path[] }[] = [];
// Most mutations leave most paths as they were; each distinct one is run once.
const verdicts = new Map<string, Verdict>();
let pathCount = 0;
for (const item of cases) {
  const state = judge(item.result, item.claim);
  if (typeof state === 'string') {
    if (!item.mayDiffer) failures.push(`${item.name}: valid, but the library says ${state}`);
    continue;
  }
  const paths = pathsOf(item.result, item.claim, state);
  accepted.push({ case: item, state, paths });
  for (const [i, path] of paths.entries()) {
    pathCount++;
    const key = `${path.root} ${path.leafIndex} ${path.nodes}`.toLowerCase();
    const verdict = verdicts.get(key) ?? (await chain(path));
    verdicts.set(key, verdict);
    if (verdict !== 'accepted') failures.push(`${item.name}: path ${i}: on chain ${verdict}`);
  }
}
console.log(
  `${cases.length} valid MiMC results, ${accepted.length} accepted by the library; ` +
    `${pathCount} paths, ${verdicts.size} distinct, ` +
    `${[...verdicts.values()].filter((verdict) => verdict === 'accepted').length} accepted on chain`,
);

// Edited paths.
const random = createRandom(Number(process.env.SEED ?? 1));
const kinds = Object.keys(edits);
const tally: Record<string, Record<string, number>> = {};
let [done, acceptedEdits, refusedOnChain] = [0, 0, 0];
while (accepted.length > 0 && done < Number(process.env.EDITS ?? 400)) {
  const picked = accepted[random(accepted.length)] as (typeof accepted)[number];
  const { claim, name } = picked.case;
  const result = structuredClone(picked.case.result);
  const paths = pathsOf(result, claim, picked.state);
  const i = random(paths.length);
  const path = paths[i] as Path;
  const kind = kinds[done % kinds.length] as string;
  (edits[kind] as (typeof edits)[string])(path.nodes, random);
  // Equal nodes were swapped, or a node was put over itself: no edit. Letter case changes nothing either.
  if (`${path.nodes}`.toLowerCase() === `${picked.paths[i]?.nodes}`.toLowerCase()) continue;
  done++;
  const outcome = judge(result, claim);
  const verdict = await chain(path);
  if (verdict !== 'accepted') refusedOnChain++;
  const reason = typeof outcome === 'string' ? outcome : 'none';
  if (reason === 'none') {
    acceptedEdits++;
    failures.push(`${name}: path ${i}: the library accepts "${kind}", on chain ${verdict}`);
  }
  tally[`${kind}: ${reason}`] ??= {};
  const row = tally[`${kind}: ${reason}`] as Record<string, number>;
  row[verdict] = (row[verdict] ?? 0) + 1;
}
console.log(
  `${done} random edits, ${acceptedEdits} accepted by the library, ` +
    `${done - refusedOnChain} accepted on chain`,
);
console.log('edit and why the library refuses it, against what the chain says:');
console.table(Object.fromEntries(Object.entries(tally).sort(([a], [b]) => (a < b ? -1 : 1))));

// An empty run, or a verifier that says yes to everything, would agree with anybody.
if (verdicts.size === 0) failures.push('no path was found');
if (done > 0 && refusedOnChain === 0) failures.push('the on-chain verifier refused no edit');

const timed = accepted.find((item) => item.case.name.includes('mainnet-2025-07-16a-eoa'));
if (timed?.paths[0]) {
  const { nodes, leafIndex, root } = timed.paths[0];
  const time = await verifier.timeVerify(nodes, leafIndex, root, 15);
  console.log(`mainnet eoa path: ${Math.round(time)} us on chain code, median of 15`);
}

for (const failure of failures) console.error(`DISAGREE ${failure}`);
console.log(failures.length === 0 ? 'agreed' : `${failures.length} disagreements`);
process.exitCode = failures.length === 0 ? 0 : 1;
