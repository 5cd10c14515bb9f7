/** A release, tried in a copy of this checkout: it lacks the repository alone, and with it nothing. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findHeading,
  findRepository,
  findTag,
  findVersions,
} from '../../build/release/findings.js';
import { findContents } from '../../build/release/tarballs.js';
import { newFolder } from '../support/folder.js';
import { manifest } from '../support/project.js';
import { type PackageRegistry, startRegistry } from '../support/registry.js';
import { patience, type Wire } from '../support/runs.js';

const { version } = manifest;
const url = 'https://code.example/l2proof';

let copy: string;
let registry: PackageRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  copy = newFolder();
  const left = ['node_modules', '.git', 'coverage', 'site', 'test'];
  for (const name of readdirSync('.').filter((each) => !left.includes(each))) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'a');
}, patience);
afterAll(() => registry.close());

const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });

/** Changes a file of the copy, until the work is done. */
async function withChange<T>(
  file: string,
  change: (text: string) => string,
  work: () => T,
): Promise<Awaited<T>> {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
  try {
    return await work();
  } finally {
    writeFileSync(path, text);
  }
}

const setRepository = (text: string) =>
  JSON.stringify({ ...JSON.parse(text), repository: { type: 'git', url } });

/** Runs `npm run release:dry`, which asks no registry but ours: that one answers in this process. */
async function tryRelease(...args: string[]) {
  const script = join(copy, 'build/release/dry.ts');
  const {
    GITHUB_REF_TYPE: _type,
    GITHUB_REF_NAME: _name,
    GITHUB_REPOSITORY: _,
    ...env
  } = process.env;
  const run = promisify(execFile)(resolve('node_modules/.bin/tsx'), [script, ...args], {
    cwd: copy,
    env: { ...env, npm_config_registry: registry.url, npm_config_cache: newFolder() },
  });
  return run.then(
    (said) => ({ code: 0, ...said }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test(
  'a release lacks the repository, and nothing else',
  async () => {
    expect(manifest.repository).toBe(undefined);
    const { code, stdout, stderr } = await tryRelease();
    expect(stdout.trim().split('\n').at(-1)).toBe(`a release of ${version} lacks: repository`);
    expect(stderr).toMatch(/^repository: set "repository" in package\.json: without it .*\n$/);
    expect(stdout.match(/^missing /gm)).toHaveLength(1);
    expect(code).toBe(1);
  },
  patience,
);

/** `name@version` of all that a manifest leads to by the lock, found as Node looks for packages. */
function production(dependencies: Record<string, string>): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const found = new Map<string, string>();
  const visit = (from: string, name: string): void => {
    const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    const entry = packages[own];
    if (entry === undefined) {
      if (from !== '') visit(from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), name);
      return;
    }
    if (found.has(own)) return;
    found.set(own, `${entry.name ?? name}@${entry.version}`);
    const next = { ...entry.dependencies, ...entry.optionalDependencies };
    for (const each of Object.keys(next)) visit(own, each);
  };
  for (const name of Object.keys(dependencies)) visit('', name);
  return [...new Set(found.values())].sort();
}

test(
  'with a repository it has all that it needs, and bills that name what each package brings',
  async () => {
    const folder = newFolder();
    const { code, stdout, stderr } = await withChange('package.json', setRepository, () =>
      tryRelease(folder),
    );
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').at(-1)).toBe(`a release of ${version} has all that it needs`);
    expect(code).toBe(0);
    const names = ['l2proof', 'l2proof-server'].map((name) => `${name}-${version}`);
    const kinds = ['cyclonedx.json', 'spdx.json', 'tgz'];
    expect(readdirSync(folder).sort()).toEqual(
      names.flatMap((name) => kinds.map((kind) => `${name}.${kind}`)).sort(),
    );
    const manifestIn = (name: string): Wire =>
      JSON.parse(
        execFileSync('tar', ['-xzOf', join(folder, `${name}.tgz`), 'package/package.json'], {
          encoding: 'utf8',
        }),
      );
    expect(names.map((name) => manifestIn(name).repository.url)).toEqual([url, url]);

    const bill = (name: string, kind: string): Wire =>
      JSON.parse(readFileSync(join(folder, `${name}.${kind}.json`), 'utf8'));
    const server = JSON.parse(readFileSync('server/package.json', 'utf8'));
    const brought = [
      production(manifest.dependencies),
      [...production(server.dependencies), `l2proof@${version}`].sort(),
    ];
    expect(brought[0]).toEqual(['@noble/curves@2.4.0', '@noble/hashes@2.4.0']);
    for (const [i, name] of names.entries()) {
      const cyclonedx = bill(name, 'cyclonedx');
      expect([cyclonedx.bomFormat, cyclonedx.metadata.component.purl]).toEqual([
        'CycloneDX',
        `pkg:npm/${name.replace(`-${version}`, '')}@${version}`,
      ]);
      const parts = cyclonedx.components.map((each: Wire) => `${each.name}@${each.version}`);
      expect([...new Set(parts)].sort()).toEqual(brought[i]);
      const { spdxVersion, packages } = bill(name, 'spdx');
      expect(spdxVersion).toMatch(/^SPDX-2/);
      const own = name.replace(`-${version}`, `@${version}`);
      const named = packages.map((each: Wire) => `${each.name}@${each.versionInfo}`);
      expect([...new Set(named)].filter((each) => each !== own).sort()).toEqual(brought[i]);
    }
  },
  patience,
);

test('it names what is wrong with the version, the changelog and the tag', async () => {
  expect(findVersions(copy)).toMatchObject({ found: expect.stringMatching(`^${version}, in `) });
  const other = (text: string) => text.replace(version, '9.9.9');
  for (const [file, place] of [
    ['SECURITY.md', 'SECURITY.md'],
    ['deploy/compose.yaml', 'deploy/compose.yaml'],
    ['server/package.json', 'server/package.json'],
    ['package-lock.json', 'package-lock.json'],
    ['examples/dapp/package.json', 'examples/dapp/package.json, l2proof'],
    ['examples/operator/package.json', 'examples/operator/package.json, l2proof-server'],
  ] as const) {
    const { missing } = await withChange(file, other, () => findVersions(copy));
    expect(missing).toContain(`${place} says 9.9.9`);
  }
  expect(findHeading(copy, version)).toMatchObject({ found: expect.any(String) });
  expect(findHeading(copy, '9.9.9').missing).toMatch(/: make it "9\.9\.9"$/);
  const empty = (text: string) => text.replace(/(## .*\n)[^]*/, '$1\n## 0.0.1\n\n- old\n');
  const { missing } = await withChange('CHANGELOG.md', empty, () => findHeading(copy, version));
  expect(missing).toContain('says nothing');
  expect(findRepository({ repository: ' ' }).missing).toContain('set "repository"');
  for (const own of [url, `${url}.git`, `git+${url}.git`]) {
    const repository = { type: 'git', url: own };
    expect(findRepository({ repository }, url)).toEqual({ what: 'repository', found: own });
    for (const other of [`${url}2`, url.replace('l2proof', 'L2proof'), 'https://code.example']) {
      expect(findRepository({ repository }, other).missing).toContain(`but this is ${other}`);
    }
  }
});

test('a tag is free, or of this commit and signed', () => {
  const find = (pushed?: string) => findTag(copy, version, pushed);
  const tag = `v${version}`;
  expect(find()).toEqual({ what: 'tag', found: `${tag} is free` });
  expect(find('v9.9.9').missing).toContain('the tag pushed is v9.9.9');
  expect(find(tag).missing).toContain('not fetched');
  const as = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];
  git(...as, 'tag', '-a', tag, '-m', tag);
  expect(find(tag).missing).toContain(`${tag} is not signed`);
  git('tag', '-d', tag);
  git('tag', tag);
  expect(find(tag).missing).toContain(`${tag} is not signed`);
  git('tag', '-d', tag);
  const key = join(newFolder(), 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const by = ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${key}`];
  git(...as, ...by, 'tag', '-s', tag, '-m', tag);
  expect(find(tag)).toEqual({ what: 'tag', found: `${tag} is signed` });
  git(...as, 'commit', '-q', '--allow-empty', '-m', 'b');
  expect(find(tag).missing).toContain('another commit');
});

test('a tarball has what its manifest leads to, and nothing that is nobody else’s', () => {
  const library = { name: 'a', version, exports: { '.': './dist/index.js' }, bin: { a: './b.js' } };
  const papers = ['LICENSE', 'README.md', 'SECURITY.md', 'CHANGELOG.md', 'dist/page/index.html'];
  const whole = [...papers, 'dist/index.js', 'b.js'];
  const find = (names: string[]) => findContents({ name: 'a', names }, library, '', []);
  expect(find(whole)).toEqual({ what: 'tarball of a', found: '7 files' });
  for (const name of whole) {
    expect(find(whole.filter((each) => each !== name)).missing).toContain(`no ${name}`);
  }
  expect(find([...whole, 'examples/dapp/.env']).missing).toBe(undefined);
  for (const name of [
    '.env',
    'examples/.env',
    'a/.npmrc',
    'test/a.ts',
    'x.tgz',
    'deploy/tls.key',
  ]) {
    expect(find([...whole, name]).missing).toBe(`it must not have ${name}`);
  }
});
