/** One place says which optional packages there are, and in which versions: `src/peer.ts`. All others agree with it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { installLine, type Peer, peers } from '../../src/peer.js';

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

test('the README installs the newest, and names each', () => {
  const readme = readFileSync('README.md', 'utf8');
  const lines = [...readme.matchAll(/`?npm install ([^\n`]*@\d[^\n`]*)/g)].map(([, list]) => list);
  const named = new Set<string>();
  for (const line of lines) {
    const names = (line as string).split(' ').map((one) => one.slice(0, one.lastIndexOf('@')));
    expect(`npm install ${line}`).toBe(installLine(names as Peer[]));
    for (const name of names) named.add(name);
  }
  expect([...named].sort()).toEqual(Object.keys(peers).sort());
});

test('no other file of src has a version of its own', () => {
  for (const file of ['cli/usage.ts', 'cli/serve.ts', 'cli/progress.ts', 'lmdb/files.ts']) {
    expect(readFileSync(`src/${file}`, 'utf8'), file).not.toMatch(/npm install \S+@\d/);
  }
});
