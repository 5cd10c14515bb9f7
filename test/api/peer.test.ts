/** One place says which optional packages there are, and in which versions: `src/peer.ts`. All others agree with it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Peer, peers } from '../../src/peer.js';
import { guides } from '../support/pages.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const each = Object.entries(peers);

test('package.json takes any version from the oldest tested to the end of the newest major', () => {
  const major = (version: string) => Number(version.split('.')[0]);
  const ranges = each.map(([name, { oldest, newest }]) => [
    name,
    `>=${oldest} <${major(newest) + 1}`,
  ]);
  expect(manifest.peerDependencies).toEqual(Object.fromEntries(ranges));
});

test('each is optional, and a clone has the newest', () => {
  const names = each.map(([name]) => [name, { optional: true }]);
  expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(names));
  expect(manifest.devDependencies).toMatchObject(
    Object.fromEntries(each.map(([name, { newest }]) => [name, newest])),
  );
});

test('the guides name each, in the newest version', () => {
  const named = new Set<string>();
  for (const page of guides) {
    const words = readFileSync(page, 'utf8').matchAll(/(@?[\w-]+(?:\/[\w-]+)?)@(\d+\.\d+\.\d+)/g);
    for (const [, name, version] of words) {
      const peer = peers[name as Peer] as { newest: string } | undefined;
      if (peer === undefined) continue;
      expect([page, name, version]).toEqual([page, name, peer.newest]);
      named.add(name as string);
    }
  }
  expect([...named].sort()).toEqual(Object.keys(peers).sort());
});

test('no other file of src has a version of its own', () => {
  for (const file of [
    'cli/help/answerPages.ts',
    'cli/help/storePages.ts',
    'cli/commands/serve.ts',
    'lmdb/files.ts',
  ]) {
    expect(readFileSync(`src/${file}`, 'utf8'), file).not.toMatch(/npm install \S+@\d/);
  }
});
