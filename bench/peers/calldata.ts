/**
 * Runs calldata on the published MiMC bytecode, and writes CALLDATA.md. Of a valid result every call returns what its
 * checks say. Of a forged or edited one `toCalldata` refuses it, and if calls are made of it all the same, the contract
 * refuses one of them or a check fails; unless what is forged is in no calldata, and then what the calls show is true.
 *
 *   [EDITS=200] [SEED=1] tsx calldata.ts [folder of vectors ...]
 */
import { join } from 'node:path';
import type * as Codec from '../../src/codec/spec.js';
import type * as Internal from '../../src/compact/calldata.js';
import type { WireKey, WirePath, WireStatement } from '../../src/compact/calls.js';
import type * as Compact from '../../src/compact/index.js';
import type * as Library from '../../src/index.js';
import { failedChecks, rawStatement } from '../../test/support/calldata.js';
import { madeBy } from '../frame.js';
import { publish } from '../pictures.js';
import { type Case, type Claim, loadCases } from './cases.js';
import { createRandom, edits } from './edits.js';
import { type Hex, type Outcome, openVerifier } from './evm.js';

const load = (path: string): Promise<unknown> =>
  import(new URL(`../../dist/${path}`, import.meta.url).href);
const { toCalldata } = (await load('compact/index.js')) as typeof Compact;
const { describeCalls } = (await load('compact/calldata.js')) as typeof Internal;
const { specOf } = (await load('codec/spec.js')) as typeof Codec;
const { ProofError, verifyProof } = (await load('index.js')) as typeof Library;

const spec = specOf('mimc');
const verifier = await openVerifier();
const failures: string[] = [];
const gas = new Map<string, bigint[]>();
const known = new Map<Hex, Outcome>();

/** Names of the checks that fail, from what the bytecode returns. */
async function failedOn(calldata: Compact.Calldata): Promise<string[]> {
  const returned: (string | undefined)[] = [];
  for (const { data, signature } of calldata.calls) {
    const outcome = known.get(data) ?? (await verifier.run(data));
    if (!known.has(data) && outcome.returned !== undefined) {
      gas.set(signature, [...(gas.get(signature) ?? []), outcome.gas]);
    }
    known.set(data, outcome);
    returned.push(outcome.returned?.slice(2));
  }
  return failedChecks(calldata, returned);
}

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** A result that says no more than the calls do. */
function rebuild({ account, address, slots }: WireStatement): object {
  const leaf = (value: Hex, { nodes }: WirePath) => ({ value, proofRelatedNodes: nodes.map(hex) });
  const entry = (key: Uint8Array, proof: WireKey, width: number) => {
    const none: Hex = `0x${'00'.repeat(width)}`;
    if (proof.kind === 'existence') {
      const { value, path } = proof;
      return { key: hex(key), leafIndex: Number(path.leafIndex), proof: leaf(hex(value), path) };
    }
    return {
      key: hex(key),
      leftLeafIndex: Number(proof.left.leafIndex),
      leftProof: leaf(none, proof.left),
      rightLeafIndex: Number(proof.right.leafIndex),
      rightProof: leaf(none, proof.right),
    };
  };
  return {
    accountProof: entry(address, account, 192),
    storageProofs: slots.map(({ key, proof }) => entry(key, proof, 32)),
  };
}

/** Name of the law that a result is refused with; undefined if it is proven. */
function refusal(verify: () => unknown): string | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    const { name, code } = error as { name: string; code?: string };
    const isForeseen = error instanceof ProofError || /^(Type|Range)Error$/.test(name);
    if (!isForeseen) throw error;
    return code ?? name;
  }
}

/** How calls of something false come out: what refuses them. */
async function judge(name: string, result: unknown, claim: Claim): Promise<string> {
  const statement = rawStatement(spec, result, claim);
  if (typeof statement === 'string') return 'no calls can be made of it';
  const failed = await failedOn(describeCalls(statement));
  if (failed.length > 0) return failed.includes('PATH') ? 'PATH: the contract' : failed.join(' ');
  // Nothing is wrong with the calls: then they must show something true.
  const law = refusal(() => verifyProof(rebuild(statement), claim));
  if (law !== undefined) failures.push(`${name}: no check fails, and the library says ${law}`);
  return 'in no calldata: the calls show something true';
}

const cases = loadCases(process.argv.slice(2)).filter(({ mayDiffer }) => !mayDiffer);
const valid = cases.filter((item) => item.valid);
for (const { name, result, claim } of valid) {
  const failed = await failedOn(toCalldata(result, claim));
  if (failed.length > 0) failures.push(`${name}: valid, but ${failed.join(' ')} fails`);
}
console.log(`${valid.length} valid MiMC results: every call returns what its checks say`);
const gasTable = [...gas].map(([signature, amounts]) => {
  const sorted = amounts.sort((a, b) => (a < b ? -1 : 1));
  const at = (share: number) => String(sorted[Math.round(share * (sorted.length - 1))]);
  return { signature, calls: sorted.length, least: at(0), median: at(0.5), most: at(1) };
});
console.table(gasTable);

const tally = (counts: Record<string, number>, key: string) => {
  counts[key] = (counts[key] ?? 0) + 1;
};
// All calls of one proof under the checks of another: the contract accepts both, so only the statement tells them apart.
let pairs = 0;
const proofs = valid.map(({ name, result, claim }) => {
  const calldata = toCalldata(result, claim);
  // Slots that an absent account or pristine storage proves zero have no calls of their own.
  const hasSlots = calldata.calls.some(({ signature }) => signature.startsWith('hashStorageValue'));
  const asked = [claim.address, ...(hasSlots ? (claim.storageKeys ?? []) : [])];
  const keys = [...new Set(asked.map((key) => key.toLowerCase()))].join();
  return { name, calldata, root: claim.stateRoot.toLowerCase(), keys };
});
for (const one of proofs) {
  for (const other of proofs) {
    const isOfKeys = other.keys.startsWith(one.keys);
    if (isOfKeys && other.root === one.root) continue;
    const failed = await failedOn({ ...one.calldata, calls: other.calldata.calls });
    if (isOfKeys ? failed.length === 0 : !failed.includes('STATEMENT')) {
      failures.push(
        `${other.name} under the checks of ${one.name}: ${failed.join(' ') || 'holds'}`,
      );
    }
    pairs++;
  }
}
console.log(`${pairs} pairs of proofs: the calls of one fail under the checks of the other`);

const forged = cases.filter((item) => !item.valid);
const byForgery: Record<string, number> = {};
for (const { name, result, claim } of forged) {
  if (refusal(() => toCalldata(result, claim)) === undefined) {
    failures.push(`${name}: forged, and toCalldata converts it`);
  }
  // A claim that is wrong by itself has no calls.
  const isClaim = refusal(() => verifyProof(null, claim)) === 'ShapeError';
  tally(byForgery, isClaim ? await judge(name, result, claim) : 'the claim itself is refused');
}
console.log(`${forged.length} forged MiMC results, all refused by toCalldata; calls made of them:`);
console.table(byForgery);

const random = createRandom(Number(process.env.SEED ?? 1));
const kinds = Object.keys(edits);
const byEdit: Record<string, number> = {};
const editCount = Number(process.env.EDITS ?? 200);
for (let done = 0; done < editCount; ) {
  const { name, result, claim } = valid[random(valid.length)] as Case;
  const edited = structuredClone(result);
  const entries = [edited.accountProof, ...edited.storageProofs].filter((each) => each !== null);
  const paths = entries.flatMap(({ proof, leftProof, rightProof }) =>
    [proof, leftProof, rightProof].filter((each) => each !== undefined),
  );
  const { proofRelatedNodes: nodes } = paths[random(paths.length)] as (typeof paths)[number];
  const before = `${nodes}`.toLowerCase();
  (edits[kinds[done % kinds.length] as string] as (typeof edits)[string])(nodes, random);
  if (`${nodes}`.toLowerCase() === before) continue;
  done++;
  tally(byEdit, await judge(name, edited, claim));
}
console.log(`${editCount} random edits of paths; calls made of them:`);
console.table(byEdit);

const counts = (table: Record<string, number>) => ({
  head: ['what refuses it', 'results'],
  rows: Object.entries(table)
    .sort(([, a], [, b]) => b - a)
    .map((row) => row.map(String)),
});
const made = madeBy('npm --prefix bench/peers run calldata');
publish('peers/CALLDATA.md', {
  title: 'Calldata on the published MiMC verifier',
  parts: [
    {
      title: 'Valid results',
      about: `${valid.length} valid results, as the calls of \`toCalldata\` on the published bytecode. Gas is that of the call alone,
        without calldata and what a transaction costs.`,
      made,
      tables: [
        {
          head: ['call', 'calls', 'least gas', 'median', 'most'],
          rows: gasTable.map(({ signature, calls, least, median, most }) => [
            `\`${signature}\``,
            ...[calls, least, median, most].map(String),
          ]),
        },
      ],
      shows: `Every call returns what its checks say. Of ${pairs} pairs of them, the calls of one fail a check of the other:
        \`STATEMENT\` if they are about other keys.`,
    },
    {
      title: 'Forged results',
      about: `${forged.length} forged results, and what refuses each if calls are made of it all the same. \`PATH\` is the contract
        itself, which returned false or reverted; the others are checks that it leaves to its caller.`,
      made,
      tables: [counts(byForgery)],
      shows: '`toCalldata` refuses all of them before a call is made.',
    },
    {
      title: 'Random edits',
      about: `${editCount} random edits of single paths, in the same way.`,
      made,
      tables: [counts(byEdit)],
      shows: `No edit passes both the contract and the checks, unless what is forged is in no calldata: then what the calls show is
        true.`,
    },
  ],
});

if (valid.length === 0 || forged.length === 0) failures.push('no result was found');
for (const failure of failures) console.error(`WRONG ${failure}`);
console.log(failures.length === 0 ? 'all as it must be' : `${failures.length} wrong`);
process.exitCode = failures.length === 0 ? 0 : 1;
