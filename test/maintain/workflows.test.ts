/** The workflows and forms in `.github`: what they run exists, and they may do no more than they need. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { suites } from '../suites.js';
import { newFolder } from '../support/folder.js';
import type { Wire } from '../support/runs.js';

const { scripts, peerDependencies, devDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

const read = (path: string): Wire => parse(readFileSync(path, 'utf8'), { strict: true });
const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .map((name) => join(folder, name));

const workflows = filesOf('.github/workflows').map((path): [string, Wire] => [path, read(path)]);
const jobs = workflows.flatMap(([path, { jobs }]) =>
  Object.entries<Wire>(jobs).map(([name, job]): [string, Wire] => [`${path} ${name}`, job]),
);
const steps = jobs.flatMap(([place, job]) =>
  job.steps.map((step: Wire): [string, Wire] => [place, step]),
);

test('each workflow may only read, and each job ends', () => {
  expect(workflows.map(([path]) => path)).toEqual(
    ['ci', 'compare', 'fuzz', 'live', 'release'].map((name) => `.github/workflows/${name}.yml`),
  );
  for (const [path, { permissions, concurrency }] of workflows) {
    expect([path, permissions]).toEqual([path, { contents: 'read' }]);
    expect([path, concurrency.group]).toEqual([path, expect.any(String)]);
  }
  for (const [place, job] of jobs) {
    expect([place, job['timeout-minutes']]).toEqual([place, expect.any(Number)]);
    expect([place, job['runs-on']]).toEqual([place, 'ubuntu-24.04']);
  }
  // What the jobs of a release may besides, and no job of another workflow.
  const more = jobs.filter(([, job]) => job.permissions !== undefined);
  expect(more.map(([place, { permissions }]) => [place, permissions])).toEqual([
    ['.github/workflows/release.yml pack', { contents: 'read', actions: 'read' }],
    ['.github/workflows/release.yml publish', { 'id-token': 'write' }],
    ['.github/workflows/release.yml page', { contents: 'write' }],
  ]);
});

test('docs/testing.md names each workflow', () => {
  const text = readFileSync('docs/testing.md', 'utf8');
  const named = [...text.matchAll(/^\| `(\w+\.yml)`/gm)].map(([, name]) => name);
  expect(named.map((name) => `.github/workflows/${name}`)).toEqual(workflows.map(([path]) => path));
});

test('a pull request of anybody never runs with more than its own rights', () => {
  // These run on code of others with the rights of this repository.
  const events = workflows.flatMap(([, { on }]) => Object.keys(on));
  expect(events).toContain('pull_request');
  expect(events).not.toContain('pull_request_target');
  expect(events).not.toContain('workflow_run');
  // A title or a branch's name would be run as part of a script: it comes by the environment.
  const scripts = steps.flatMap(([, { run }]) => (run === undefined ? [] : [run]));
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((run) => run.includes('${{'))).toEqual([]);
  const secret = steps.filter(([, step]) => JSON.stringify(step).includes('secrets.'));
  expect(secret.map(([place]) => place)).toEqual(['.github/workflows/release.yml publish']);
  const checkouts = steps.filter(([, { uses }]) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.length).toBeGreaterThan(4);
  for (const [place, step] of checkouts) {
    expect([place, step.with['persist-credentials']]).toEqual([place, false]);
  }
});

test('actions are the code host’s own, each pinned by one commit with its version beside it', () => {
  const lines = workflows.flatMap(([path]) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /\buses:/.test(line))
      .map((line) => line.replace(/^.*uses: /, '')),
  );
  expect(lines.length).toBe(steps.filter(([, { uses }]) => uses !== undefined).length);
  for (const line of lines) expect(line).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const pins = new Set(lines);
  const names = new Set(lines.map((line) => line.replace(/@.*/, '')));
  expect(pins.size).toBe(names.size);
});

test('each command that a workflow or a form names exists', () => {
  const texts = [
    ...steps.flatMap(([, { run }]) => (run === undefined ? [] : [run as string])),
    ...['.github/dependabot.yml', '.github/pull_request_template.md'].map((path) =>
      readFileSync(path, 'utf8'),
    ),
  ];
  const named = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name as string));
  const asked = named(/npm run (?:--\S+ )*([\w:]+)/g);
  expect(asked).toEqual(expect.arrayContaining(['build', 'compare', 'check:live', 'release:dry']));
  expect(asked.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const ran = named(/npm test -- (\w+)/g);
  expect(ran).toContain('deep');
  expect(ran.filter((name) => !Object.hasOwn(suites, name))).toEqual([]);
  expect(texts).toContain('.ci/run');
  const files = named(/(?<![\w/.])((?:test|docs|server|deploy|\.ci)\/[\w./]*\w)/g);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => !existsSync(path))).toEqual([]);
});

test('the release publishes what was checked, in an environment that somebody approves', () => {
  const { on, jobs } = read('.github/workflows/release.yml');
  expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
  const { pack, publish, page } = jobs;
  expect([publish.needs, publish.environment, page.needs]).toEqual(['pack', 'npm', 'publish']);
  const uploads = pack.steps.find(({ uses }: Wire) => /upload-artifact/.test(uses ?? ''));
  const ran = pack.steps.map(({ run }: Wire) => run ?? '');
  expect(ran).toContain(`npm run release:dry -- ${uploads.with.path}`);
  // No code of this repository or of its tools runs beside the right to publish.
  expect(publish.steps.some(({ uses }: Wire) => /checkout/.test(uses ?? ''))).toBe(false);
  const published = publish.steps.flatMap(({ run }: Wire) => run?.trim().split('\n') ?? []);
  expect(published).toEqual([
    'v=${GITHUB_REF_NAME#v}',
    ...['l2proof', 'l2proof-server'].flatMap((name) => [
      `npm view "${name}@$v" version >/dev/null 2>&1 ||`,
      `  npm publish "./${uploads.with.path}/${name}-$v.tgz" --provenance --access public`,
    ]),
  ]);
});

/** A repository of git without a commit. */
function newRepository() {
  const cwd = newFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
  const as = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];
  const commit = () => {
    git(...as, 'commit', '-q', '--allow-empty', '-m', 'a');
    return git('rev-parse', 'HEAD');
  };
  git('init', '-q');
  return { cwd, git, commit };
}

test('CI tries each push to main, and compares with the commit before it', () => {
  const { concurrency, jobs } = read('.github/workflows/ci.yml');
  expect(concurrency.group).toBe(
    "ci-${{ github.event_name == 'pull_request' && github.ref || github.sha }}",
  );
  expect(jobs.all.steps.at(-1)).toEqual({
    run: '.ci/run',
    env: { BASE: "${{ github.event_name == 'push' && github.event.before || '' }}" },
  });
  const [script] = /^base=\n[^]*?\n(?=minutes=)/m.exec(readFileSync('.ci/run', 'utf8')) ?? [];
  const { cwd, git, commit } = newRepository();
  const [first, second, third] = [commit(), commit(), commit()];
  const { BASE: _base, ...env } = process.env;
  const baseOf = (more: Record<string, string> = {}) =>
    execFileSync('bash', ['-euo', 'pipefail', '-c', `${script}echo "$base"`], {
      ...{ cwd, encoding: 'utf8', env: { ...env, ...more } },
    }).trim();
  expect(baseOf({ BASE: first })).toBe(first);
  // A new branch has no commit before it, and a push by force may leave one that is gone.
  for (const BASE of ['0'.repeat(40), 'f'.repeat(40), '', '--all']) {
    expect(baseOf({ BASE })).toBe(second);
  }
  expect(baseOf()).toBe(second);
  git('update-ref', 'refs/remotes/origin/main', third);
  expect(baseOf()).toBe(second);
  git('update-ref', 'refs/remotes/origin/main', first);
  expect(baseOf()).toBe(first);
});

/** Runs the script of a step as the code host does, with programs of ours in the place of those of these names. */
function runStep(
  { run }: Wire,
  { programs, env, cwd = newFolder() }: Wire,
): { status: number | null; stdout: string } {
  const folder = newFolder();
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  }
  const { status, stdout } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run],
    { cwd, encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}`, ...env } },
  );
  return { status, stdout };
}

test('a release is of a commit of main for which CI passed', () => {
  const step = read('.github/workflows/release.yml').jobs.pack.steps.find(
    ({ name }: Wire) => name === 'CI passed for this commit of main',
  );
  expect(workflows.map(([path]) => path)).toContain('.github/workflows/ci.yml');
  const { cwd, git, commit } = newRepository();
  const asked = join(newFolder(), 'asked');
  const check = (found: number) =>
    runStep(step, {
      cwd,
      programs: { gh: `echo "$@" >"${asked}"; echo ${found}` },
      env: { GITHUB_REPOSITORY: 'owner/name' },
    }).status;
  const [older, newest] = [commit(), commit()];
  git('update-ref', 'refs/remotes/origin/main', newest);
  expect([check(1), check(0)]).toEqual([0, 1]);
  const runs = 'repos/owner/name/actions/workflows/ci.yml/runs';
  expect(readFileSync(asked, 'utf8')).toBe(
    `api ${runs}?head_sha=${newest}&branch=main&event=push&status=success --jq .total_count\n`,
  );
  git('update-ref', 'refs/remotes/origin/main', older);
  expect(check(1)).toBe(1);
});

test('a release that stopped between its two packages goes on with the second', () => {
  const step = read('.github/workflows/release.yml').jobs.publish.steps.at(-1);
  const registry = newFolder();
  // It takes each version once, and the server's package not at the first try.
  const npm = `
    if [ "$1" = view ]; then test -e "${registry}/$2"; exit; fi
    echo "$2"
    case "$2" in
      *server*) test -e "${registry}/down" || { touch "${registry}/down"; exit 1; }; file=l2proof-server@1.2.3 ;;
      *) file=l2proof@1.2.3 ;;
    esac
    test ! -e "${registry}/$file" && touch "${registry}/$file"`;
  const publish = () => runStep(step, { programs: { npm }, env: { GITHUB_REF_NAME: 'v1.2.3' } });
  const [library, server] = ['l2proof', 'l2proof-server'].map(
    (name) => `./release/${name}-1.2.3.tgz\n`,
  );
  expect(publish()).toEqual({ status: 1, stdout: `${library}${server}` });
  expect(publish()).toEqual({ status: 0, stdout: server });
  expect(publish()).toEqual({ status: 0, stdout: '' });
});

test('the live checks: servers that are down are a warning, unless none could be asked', () => {
  const step = read('.github/workflows/live.yml').jobs.live.steps.at(-1);
  const summary = join(newFolder(), 'summary.md');
  const live = (code: number, said: string) => {
    writeFileSync(summary, '');
    const npm = `echo '${said}'; exit ${code}`;
    return runStep(step, { programs: { npm }, env: { GITHUB_STEP_SUMMARY: summary } });
  };
  const some = '##[error]pwned\n9 of 10 passed, 0 failed, 1 could not be asked';
  const { status, stdout } = live(4, some);
  expect(status).toBe(0);
  // Between these two lines the runner obeys nothing.
  const [stop, ...lines] = stdout.trim().split('\n');
  const [, token] = /^::stop-commands::([\w-]{32,})$/.exec(stop ?? '') ?? [];
  expect(lines).toEqual([
    ...['```text', ...some.split('\n'), '```', `::${token}::`],
    '::warning::some servers could not be reached',
  ]);
  expect(readFileSync(summary, 'utf8')).toBe(`\`\`\`text\n${some}\n\`\`\`\n`);
  expect(live(4, some).stdout.split('\n')[0]).not.toBe(stop);
  expect(live(4, '0 of 10 passed, 0 failed, 10 could not be asked').status).toBe(4);
  expect(live(0, '10 of 10 passed, 0 failed, 0 could not be asked').status).toBe(0);
  expect(live(1, '9 of 10 passed, 1 failed, 0 could not be asked').status).toBe(1);
  expect(live(3, '').status).toBe(3);
  expect(live(4, '').status).toBe(4);
});

test('the forms ask for what an answer needs, and send a forgery to the private way', () => {
  const forms = filesOf('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml'));
  expect(forms.length).toBe(3);
  expect(read('.github/ISSUE_TEMPLATE/config.yml')).toEqual({ blank_issues_enabled: false });
  for (const path of forms) {
    const { name, description, labels, body } = read(path);
    expect([name, description, labels]).toEqual([
      expect.any(String),
      expect.any(String),
      [expect.any(String)],
    ]);
    const ids = body.flatMap(({ id }: Wire) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of body) {
      const kinds = ['markdown', 'checkboxes', 'input', 'textarea', 'dropdown'];
      expect(kinds).toContain(type);
      expect(attributes[type === 'markdown' ? 'value' : 'label']).toEqual(expect.any(String));
    }
  }
  const [first, second] = read('.github/ISSUE_TEMPLATE/bug.yml').body;
  expect(first.attributes.value).toMatch(
    /^\*\*Stop if a false value was verified, a valid proof was refused/,
  );
  expect(first.attributes.value).toContain('Report a vulnerability');
  expect(second.attributes.options[0].required).toBe(true);
  expect(readFileSync('SECURITY.md', 'utf8')).toContain('Report a vulnerability');
});

test('updates: what the verifier loads by itself, the optional packages together, and their ranges left alone', () => {
  const { version, updates } = read('.github/dependabot.yml');
  expect(version).toBe(2);
  const kinds = updates.map((each: Wire) => [
    each['package-ecosystem'],
    each.directories ?? each.directory,
  ]);
  expect(kinds).toEqual([
    // All whose versions are held to those of the lock.
    ['npm', ['/', '/server', '/examples/*']],
    ['github-actions', '/'],
    ['docker', '/deploy'],
  ]);
  const [npm] = updates;
  expect(npm['versioning-strategy']).toBe('increase-if-necessary');
  const { verifier, peers, tools } = npm.groups;
  const matches = (patterns: string[], name: string) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
  for (const name of Object.keys(peerDependencies)) {
    expect([name, matches(peers.patterns, name)]).toEqual([name, true]);
  }
  for (const pattern of peers.patterns) {
    const own = Object.keys(peerDependencies).filter((name) => matches([pattern], name));
    expect([pattern, own.length > 0]).toEqual([pattern, true]);
  }
  expect(tools['exclude-patterns']).toEqual([...verifier.patterns, ...peers.patterns]);
  for (const { 'dependency-name': name } of npm.ignore) {
    const own = ['l2proof', ...Object.keys(devDependencies)].filter((each) =>
      matches([name], each),
    );
    expect([name, own.length > 0]).toEqual([name, true]);
  }
});
