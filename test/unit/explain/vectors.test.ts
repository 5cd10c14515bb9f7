/** Every vector file: the verdict is the verifier's, and the laws lead to it. */
import { expect, test } from 'vitest';
import { verifyAnswer } from '../../../src/compact/index.js';
import { type Explanation, explainProof } from '../../../src/explain/index.js';
import { type ProofClaim, ProofError, stateToJson } from '../../../src/index.js';
import { fromHex } from '../../support/hex.js';
import type { Wire } from '../../support/runs.js';
import { claimOfCase } from '../../vectors/compact.js';
import { familyOf, type VectorFile } from '../../vectors/kinds.js';
import type { Json, JsonObject } from '../../vectors/members.js';
import { applyPatch, type Edit } from '../../vectors/patch.js';
import { claimOf } from '../../vectors/proofs.js';
import { loadFolder, vectorFolders } from '../../vectors/run.js';

interface Item {
  name: string;
  answer: unknown;
  claim: ProofClaim;
}

/** The whole answers of a file, and their claims. */
function itemsOf(file: VectorFile): Item[] {
  const { json, name } = file;
  if (json.kind === 'getProof') return [{ name, answer: json.result, claim: claimOf(file) }];
  const cases = json.cases as Wire[];
  if (json.kind === 'compact') {
    return cases.map((entry) => ({
      name: `${name}: ${entry.name}`,
      answer: fromHex(entry.proof),
      claim: claimOfCase(file, entry as JsonObject),
    }));
  }
  if (json.kind !== 'mutations') return [];
  const base = file.sibling(json.base as string);
  const claim = claimOf(base);
  return cases.map((entry) => ({
    name: `${name}: ${entry.name}`,
    answer: applyPatch(base.json.result as Json, (entry.patch ?? []) as unknown as Edit[]),
    claim: {
      stateRoot: entry.stateRoot ?? claim.stateRoot,
      address: entry.request?.address ?? claim.address,
      storageKeys: entry.request?.slots ?? claim.storageKeys,
      hash: familyOf(entry.hash ?? json.hash),
    },
  }));
}

/** What the verifier says; undefined if the claim is wrong. */
function verdictOf({ answer, claim }: Item): Explanation['verdict'] | undefined {
  try {
    const { account, storage } = stateToJson(verifyAnswer(answer, claim));
    return { verified: true, account, storage };
  } catch (error) {
    if (!(error instanceof ProofError)) return undefined;
    const { code = null, path, reason, message } = error;
    return { verified: false, code, path, reason, message };
  }
}

function checkExplanation(item: Item, verdict: Explanation['verdict']): void {
  const { name, answer, claim } = item;
  const explanation = explainProof(answer, claim);
  const { laws } = explanation;
  expect(explanation.verdict, name).toEqual(verdict);
  const first = laws.findIndex(({ holds }) => holds !== true);
  expect(explanation.agrees, `${name}: ${JSON.stringify([verdict, laws[first]])}`).toBe(true);
  if (verdict.verified) expect(first, name).toBe(-1);
  else {
    expect(laws[first], name).toMatchObject({ code: verdict.code, at: verdict.path, holds: false });
  }
}

/** Folders have files in common: each answer once. */
const items = new Map(
  vectorFolders()
    .flatMap((folder) => loadFolder(folder).flatMap((file) => itemsOf(file)))
    .map((item) => [JSON.stringify([item.claim, item.answer]), item]),
);

test('every vector is explained as it is verified', () => {
  let refused = 0;
  for (const item of items.values()) {
    const verdict = verdictOf(item);
    if (verdict === undefined) {
      expect(() => explainProof(item.answer, item.claim), item.name).toThrow(/^"/);
      continue;
    }
    if (!verdict.verified) refused++;
    checkExplanation(item, verdict);
  }
  expect(refused).toBeGreaterThan(100);
}, 120_000);
