/**
 * Holds the library against the on-chain verifier: a path that `verifyProof` rests on must be accepted on
 * chain. The other way round the library may refuse more, as it checks more; the second table shows what.
 *
 *   [L2PROOF=dist/index.js] [EDITS=400] [SEED=1] tsx agree.ts [folder of vectors ...]
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Case, type Claim, type Entry, type Leaf, loadCases, type Result } from './cases.js';
import { createRandom, edits } from './edits.js';
import { type Hex, openVerifier, type Verdict } from './evm.js';

interface State {
  account: { storageRoot: Hex } | null;
}
/** One path of a result, and the root that the library holds it under. */
interface Path {
  nodes: Hex[];
  leafIndex: bigint;
  root: Hex;
}

// Loaded by path and typed here: this folder stands on its own, and any build can be held against it.
const library: {
  verifyProof(result: unknown, claim: Claim): State;
  ProofError: new (...args: never[]) => Error;
} = await import(
  pathToFileURL(resolve(process.env.L2PROOF ?? join(import.meta.dirname, '../../dist/index.js')))
    .href
);

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

const verifier = await openVerifier();
const failures: string[] = [];
const chain = ({ nodes, leafIndex, root }: Path) => verifier.verdict(nodes, leafIndex, root);

// Paths that the library accepts.
const cases = loadCases(process.argv.slice(2)).filter(({ valid }) => valid);
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
