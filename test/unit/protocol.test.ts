/** `docs/protocol.md` is complete: a verifier written from it decides every answer of the vectors as they say. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PageClaim, type PageState, Refused, verifyByPage } from '../support/protocol.js';
import { digits, emptySubTree, hash } from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';
import type { Wire } from '../support/runs.js';
import { patience } from '../support/runs.js';
import type { Json } from '../vectors/members.js';
import { applyPatch, type Edit } from '../vectors/patch.js';
import { vectorFolders } from '../vectors/run.js';

const page = readFileSync('docs/protocol.md', 'utf8');

/** Numbers of the sections and laws of the page. */
const laws = new Set(
  [...page.matchAll(/^(?:#+ |(?:- )?\*\*)(\d+(?:\.\d+)*)[.\s*]/gm)].map(([, law]) => law as string),
);

const families = { 'poseidon2-koalabear': 'poseidon2', 'mimc-bls12-377': 'mimc' } as const;
const familyOf = (hash: string) => families[hash as keyof typeof families];

interface VectorJson {
  kind: string;
  hash: string;
  stateRoot: string | null;
  expect: Wire;
  result: Wire;
  base: string;
  cases: Wire[];
}

/** All files of some kind, with a reader of the files beside each. */
function* filesOf(kind: string): Generator<[name: string, json: VectorJson, folder: string]> {
  for (const folder of vectorFolders()) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!name.endsWith('.json')) continue;
      const path = join(folder, name);
      const json = JSON.parse(readFileSync(path, 'utf8')) as VectorJson;
      if (json.kind === kind) yield [path, json, join(path, '..')];
    }
  }
}

const claimOf = ({ hash, stateRoot, expect: expected, result }: VectorJson): PageClaim => ({
  stateRoot: stateRoot ?? expected.impliedRoot,
  address: expected.account?.address ?? result.accountProof.key,
  storageKeys: expected.requestedSlots,
  family: familyOf(hash),
});

/** What the files say is proven. */
function stateOf({ expect: expected }: VectorJson): PageState {
  const names = ['nonce', 'balance', 'storageRoot', 'snarkCodeHash', 'keccakCodeHash', 'codeSize'];
  const { account, storage, requestedSlots } = expected;
  const isPresent = account.status === 'present';
  return {
    account: isPresent
      ? Object.fromEntries(names.map((name) => [name, String(account[name])]))
      : null,
    storage: requestedSlots.map((key: string) => {
      const slot = storage.find((each: { key: string }) => each.key === key);
      const exists = slot?.status === 'present';
      return { key, value: exists ? slot.value : `0x${'00'.repeat(32)}`, exists };
    }),
  };
}

/** The law that refuses, or undefined. */
function refusalOf(result: unknown, claim: PageClaim): string | undefined {
  try {
    verifyByPage(result, claim);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.law;
    throw error;
  }
}

test(
  'each answer proves what its file says',
  () => {
    let count = 0;
    for (const [name, json] of filesOf('getProof')) {
      const claim = claimOf(json);
      if (json.expect.valid) {
        expect([name, verifyByPage(json.result, claim)]).toEqual([name, stateOf(json)]);
      } else {
        expect([name, refusalOf(json.result, claim)]).toEqual([name, expect.any(String)]);
      }
      count++;
    }
    expect(count).toBeGreaterThanOrEqual(18);
  },
  patience,
);

test(
  'each edit of an answer is accepted or refused as its file says, by a law of the page',
  () => {
    const refusing = new Set<string>();
    let count = 0;
    for (const [name, json, folder] of filesOf('mutations')) {
      const base = JSON.parse(readFileSync(join(folder, json.base), 'utf8')) as VectorJson;
      const claim = claimOf(base);
      for (const entry of json.cases.filter(({ mayDiffer }) => !mayDiffer)) {
        const result = applyPatch(base.result as Json, (entry.patch ?? []) as Edit[]);
        const law = refusalOf(result, {
          stateRoot: entry.stateRoot ?? claim.stateRoot,
          address: entry.request?.address ?? claim.address,
          storageKeys: entry.request?.slots ?? claim.storageKeys,
          family: familyOf(entry.hash ?? json.hash),
        });
        expect([name, entry.name, law === undefined]).toEqual([name, entry.name, entry.valid]);
        if (law !== undefined) refusing.add(law);
        count++;
      }
    }
    expect(count).toBeGreaterThanOrEqual(500);
    // Every law that can refuse does so for some edit, and the page has it.
    const known = ['2.4', '2.5', '3.1', '3.2', '3.3', '3.4', '3.5', '3.6', '3.7'];
    expect([...refusing].sort()).toEqual([...known, '4.1', '4.3', '4.4', '4.5', '4.6']);
    expect([...refusing].filter((law) => !laws.has(law))).toEqual([]);
  },
  patience,
);

test('the figures to begin with are those of plain arithmetic', () => {
  const figures = (['poseidon2', 'mimc'] as const).map((family) => {
    const tree = new ReferenceTree(family);
    const leaves = [tree.node(0, 0n), tree.node(0, 1n)];
    return [
      ...[tree.root, ...leaves, tree.subTreeRoot, emptySubTree(family, 40)],
      hash(family, digits(0n)),
    ];
  });
  const table = page.slice(page.indexOf('**8.1**'), page.indexOf('**8.2**'));
  const rows = [...table.matchAll(/\| `0x(\w{64})` +\| `0x(\w{64})` +\|/g)];
  expect([1, 2].map((column) => rows.map((row) => row[column]))).toEqual(figures);
});

/** Files that may cite the page. */
const sources = ['src', 'test', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);

test('each section of the page that the source cites is there', () => {
  const cited = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/\n\s*(?:\*|\/\/) /g, ' ');
    return [
      ...text.matchAll(/protocol(?:\.md)?,? (?:section|law)s? ([\d.]+\d|\d)(?: (?:to|and) (\d))?/g),
    ].flatMap(([, first, second]) => [first, second].filter((each) => each !== undefined));
  });
  expect(cited.length).toBeGreaterThanOrEqual(20);
  expect([...new Set(cited)].filter((law) => !laws.has(law))).toEqual([]);
});
