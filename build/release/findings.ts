/** What a release needs, looked at one by one: each finding says what is there, or what is missing and what to do. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly what: string;
  /** What is there. */
  readonly found?: string;
  /** What is missing or wrong, and what to do. Undefined if nothing is. */
  readonly missing?: string;
}

/** What is read of a manifest of npm. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: string | { readonly type?: string; readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** Reads JSON of the checkout. */
export const readJson = <T>(root: string, path: string): T =>
  JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * A registry's page resolves the relative links of README.md by it, and provenance is held against it.
 *
 * @param host URL of the repository on the code host that runs this, if one does
 */
export function findRepository(
  { repository }: Pick<Manifest, 'repository'>,
  host?: string,
): Finding {
  const what = 'repository';
  const url: unknown = typeof repository === 'object' ? repository?.url : repository;
  if (typeof url === 'string' && url.trim() !== '') {
    // npm writes it as git+https://.../name.git.
    if (host === undefined || url.replace(/^git\+|\.git$/g, '') === host)
      return { what, found: url };
    return { what, missing: `"repository" in package.json is ${url}, but this is ${host}` };
  }
  return {
    what,
    missing:
      'set "repository" in package.json: without it the links and pictures of README.md are broken on the package\'s page, and there is no provenance',
  };
}

/** Pages and files that name the version, beside the manifests. */
const namesVersion = [
  'SECURITY.md',
  'docs/operate.md',
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  'src/provider/methods/ownAnswers.ts',
];

/** The version is the same wherever it stands. */
export function findVersions(root: string): Finding {
  const what = 'version';
  const { version } = readJson<Manifest>(root, 'package.json');
  const lock = readJson<{ version: string; packages: Record<string, Manifest> }>(
    root,
    'package-lock.json',
  );
  const server = readJson<Manifest>(root, 'server/package.json');
  const said: [place: string, version: string | undefined][] = [
    ['package-lock.json', lock.version],
    ['package-lock.json, the package', lock.packages['']?.version],
    ['server/package.json', server.version],
    ['server/package.json, l2proof', server.dependencies?.l2proof],
  ];
  for (const name of readdirSync(join(root, 'examples'))) {
    const file = `examples/${name}/package.json`;
    const { dependencies = {} } = readJson<Manifest>(root, file);
    for (const own of ['l2proof', 'l2proof-server']) {
      if (own in dependencies) said.push([`${file}, ${own}`, dependencies[own]]);
    }
  }
  for (const file of namesVersion) {
    const text = readFileSync(join(root, file), 'utf8');
    const named = [
      ...text.matchAll(/(?:l2proof(?:-server)?[@:/-]|For version )(\d+\.\d+\.\d+)\b/g),
    ];
    said.push(...named.map(([, one]): [string, string | undefined] => [file, one]));
    if (named.length === 0) said.push([file, undefined]);
  }
  const wrong = said.filter(([, one]) => one !== version);
  if (wrong.length === 0) return { what, found: `${version}, in ${said.length} places` };
  const list = wrong.map(([place, one]) => `${place} says ${one ?? 'none'}`);
  return { what, missing: `package.json says ${version}, but ${list.join(', ')}` };
}

/** The topmost heading of CHANGELOG.md is the release's, and something stands below it. */
export function findHeading(root: string, version: string): Finding {
  const what = 'changelog';
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const [, heading = '', section = ''] = /^## (.*)\n([^]*?)(?=^## |$(?![^]))/m.exec(text) ?? [];
  if (heading !== version) {
    return {
      what,
      missing: `the topmost heading of CHANGELOG.md is "${heading}": make it "${version}"`,
    };
  }
  const lines = section.split('\n').filter((line) => line.startsWith('- ')).length;
  if (lines === 0) return { what, missing: `CHANGELOG.md says nothing below "${version}"` };
  return { what, found: `${lines} lines below "${version}"` };
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/**
 * The tag is free, or it is that of this commit and signed. Whose signature it is, the code host says: it knows the keys
 * of its users.
 *
 * @param pushed the tag that was pushed, if it was one that began this run
 */
export function findTag(root: string, version: string, pushed: string | undefined): Finding {
  const what = 'tag';
  const tag = `v${version}`;
  if (pushed !== undefined && pushed !== tag) {
    return { what, missing: `the tag pushed is ${pushed}, but package.json says ${version}` };
  }
  if (git(root, 'tag', '--list', tag) === '') {
    if (pushed !== undefined) return { what, missing: `${tag} was not fetched` };
    return { what, found: `${tag} is free` };
  }
  if (git(root, 'rev-list', '-n', '1', tag) !== git(root, 'rev-parse', 'HEAD')) {
    return { what, missing: `${tag} is the tag of another commit: raise the version` };
  }
  const signature = git(root, 'for-each-ref', '--format=%(contents:signature)', `refs/tags/${tag}`);
  if (signature === '') {
    return { what, missing: `${tag} is not signed: make it by git tag -s ${tag} -m ${tag}` };
  }
  return { what, found: `${tag} is signed` };
}
