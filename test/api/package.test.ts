/** The packed tarball, installed elsewhere, as a user gets it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { devnetPeers } from '../../src/cli/exit/needs.js';
import { verifyTransition } from '../../src/trace/index.js';
import { newFolder } from '../support/folder.js';
import { packed } from '../support/installed.js';
import { pageNames } from '../support/page.js';
import { linksOf, targetOf } from '../support/pages.js';
import { compile, installOffline, manifest, npm } from '../support/project.js';
import { honest, patience } from '../support/runs.js';

const { name } = manifest;
const entries: string[] = Object.keys(manifest.exports).map((entry) => entry.replace(/^\./, name));
const modules = entries.filter((entry) => !entry.endsWith('.json'));

let folder: string;
let names: readonly string[];
beforeAll(async () => {
  folder = newFolder();
  const { tarball, names: files } = await packed();
  names = files;
  // Beside none of the optional packages.
  installOffline(folder, tarball, ['@types/node']);
}, patience);

/** Runs a module in the project. @returns what it prints */
const run = (script: string): string =>
  execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

/** What is kept of the examples; npm itself leaves out `.gitignore`, and what that names. */
const exampleFiles = (): string[] =>
  execFileSync('git', ['ls-files', 'examples'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('.gitignore'));

test('the tarball holds the code, its sources, what examples and pages refer to, and what npm adds', () => {
  const pages = (folder: string) =>
    readdirSync(folder)
      .filter((file) => /\.(md|svg)$/.test(file))
      .map((file) => `${folder}/${file}`);
  expect(names.filter((path) => !/^(dist|src)\//.test(path)).sort()).toEqual(
    [
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'],
      ...['docs', 'bench', 'bench/peers', 'vectors'].flatMap(pages),
      ...readdirSync('deploy').map((file) => `deploy/${file}`),
      ...exampleFiles(),
      'docs/example/Receiver.sol',
      'docs/example/answer.json',
      'docs/example/counted.json',
      'docs/example/traces.json',
    ].sort(),
  );
});

test('the tarball holds the explorer: the files that its list names, and no other', () => {
  const own = names.filter((path) => path.startsWith('dist/page/'));
  expect(own.sort()).toEqual(
    pageNames()
      .map((file) => `dist/page/${file}`)
      .sort(),
  );
  expect(own).toContain('dist/page/index.html');
});

test('each link of a page of the package leads to a file of the package', () => {
  const pages = names.filter((path) => path.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/verify.md']));
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => !names.includes(targetOf(page, link)))).toEqual([]);
});

test('it is not published without a repository, by which a registry shows the links of the README', () => {
  const own = newFolder();
  const [tsx, script] = [resolve('node_modules/.bin/tsx'), resolve('build/release.ts')];
  const publish = (json: object) => {
    writeFileSync(join(own, 'package.json'), JSON.stringify(json));
    const { status, stderr } = spawnSync(tsx, [script], { cwd: own, encoding: 'utf8' });
    return [status, stderr];
  };
  const refused = [1, expect.stringMatching(/^set "repository" in package\.json: without it /)];
  expect(publish({})).toEqual(refused);
  expect(publish({ repository: { type: 'git' } })).toEqual(refused);
  const url = 'the URL of the code host';
  for (const repository of [url, { type: 'git', url }]) {
    expect(publish({ repository })).toEqual([0, '']);
  }
  expect(manifest.scripts.prepublishOnly).toMatch(/^tsx build\/release\.ts && /);
});

test('the source maps lead to sources that come with it', () => {
  const maps = names.filter((path) => path.endsWith('.map'));
  expect(maps).toContain('dist/core.js.map');
  expect(maps).toContain('dist/service/service.js.map');
  const sources = maps.flatMap((path) => {
    const { sources, sourcesContent } = JSON.parse(readFileSync(path, 'utf8'));
    expect([path, sourcesContent]).toEqual([path, undefined]);
    return sources.map((source: string) => posix.join(posix.dirname(path), source));
  });
  expect(sources.filter((path) => !names.includes(path))).toEqual([]);
  const named = names.filter((path) => /^dist\/.*\.c?js$/.test(path));
  for (const path of named) {
    const [, map] = /^\/\/# sourceMappingURL=(.*)$/m.exec(readFileSync(path, 'utf8')) ?? [];
    if (map) expect(names).toContain(posix.join(posix.dirname(path), map));
  }
});

test('a stack trace names the line of a source', () => {
  const script = `
    const { verifyProof } = await import('${name}');
    const { createTransport } = await import('${name}/rpc');
    for (const act of [() => verifyProof({}, {}), () => createTransport({ url: 'x' })]) {
      try { act(); } catch ({ stack }) { console.log(stack.split('\\n')[1]); }
    }`;
  const args = ['--enable-source-maps', '--input-type=module', '-e', script];
  const said = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const places = [...said.matchAll(/node_modules\/l2proof\/(src\/[\w/]+\.ts):(\d+):\d+/g)];
  expect(places.map(([, path]) => path)).toEqual([expect.any(String), 'src/rpc/http.ts']);
  for (const [, path, line] of places) {
    expect(names).toContain(path);
    const text = readFileSync(path as string, 'utf8').split('\n')[Number(line) - 1];
    expect(text).toMatch(/throw (new TypeError|wrongType)\(/);
  }
});

/** They cannot do anything without a package: they read RLP, ABIs, or answers by a schema. */
const needy = ['anchor', 'data', 'decode', 'history', 'messages', 'provider', 'viem'].map(
  (entry) => `${name}/${entry}`,
);

/** What entries need, and how they say so; the others of those are like the anchor. */
const needsOf: Record<string, [error: string, needs: string[]]> = {
  data: ['DataError', ['zod']],
  decode: ['DecodeError', ['viem']],
  history: ['HistoryError', ['@ethereumjs/rlp']],
  messages: ['MessageError', ['@ethereumjs/rlp']],
  viem: ['AnchorError', ['viem', '@ethereumjs/rlp']],
};

test('every entry but those that read RLP, ABIs or schemas imports beside none of the optional packages', () => {
  const free = entries.filter((entry) => !needy.includes(entry));
  const output = run(`
    for (const entry of ${JSON.stringify(free)}) {
      const options = entry.endsWith('.json') ? { with: { type: 'json' } } : {};
      if (Object.keys(await import(entry, options)).length > 0) console.log(entry);
    }`);
  expect(output.split('\n')).toEqual(free);
});

test('it verifies, by code and by command', () => {
  const { result, claim } = honest('poseidon2');
  writeFileSync(join(folder, 'answer.json'), JSON.stringify(result));
  const output = run(`
    const { verifyProof } = await import('${name}');
    const { readFileSync } = await import('node:fs');
    const state = verifyProof(JSON.parse(readFileSync('answer.json')), ${JSON.stringify(claim)});
    console.log(String(state.account.balance));`);
  expect(output).toBe('1000000000000000000');

  const slots = (claim.storageKeys ?? []).flatMap((key) => ['--slot', key]);
  const args = ['verify', 'answer.json', '--root', claim.stateRoot, '--address', claim.address];
  const said = npm(folder, 'exec', '--offline', '--', 'l2proof', ...args, ...slots);
  expect(said).toContain('verified');
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('a missing package is an error of its module, with the line that installs it', () => {
  const of = (names: string[]) =>
    `npm install ${names.map((each) => `${each}@${manifest.devDependencies[each]}`).join(' ')}`;
  const service = of(['hono', '@hono/node-server', 'prom-client', 'pino']);
  const calls: [entry: string, call: string, error: string, line: string][] = [
    ['pool', 'createPool()', 'PoolError the pool needs piscina', of(['piscina'])],
    ['lmdb', "lmdbStore({ path: 'x' })", 'TreeError the store needs lmdb', of(['lmdb'])],
    [
      'postgres',
      "postgresStore({ connectionString: 'postgres://127.0.0.1/x' })",
      'TreeError the store needs pg',
      of(['pg']),
    ],
    ['service', 'createLog()', 'ServiceError the service needs pino', service],
    ['service', 'createMetrics()', 'ServiceError the service needs prom-client', service],
    ['service', 'createService({ keys: [] })', 'ServiceError the service needs hono', service],
    [
      'service',
      "createDecoder({ chains: [{ name: 'a', url: 'http://127.0.0.1' }] })",
      'ServiceError the decoder needs viem',
      of(['@hono/zod-openapi', 'zod', 'viem']),
    ],
    ['service', 'startServer({})', 'ServiceError the service needs @hono/node-server', service],
  ];
  for (const [entry, call, error, line] of calls) {
    const output = run(`
      const module = await import('${name}/${entry}');
      try { await module.${call}; } catch ({ name, message }) { console.log(name, message); }`);
    expect(output).toBe(`${error}; run: ${line} (MISSING_PEER)`);
  }
  for (const entry of needy) {
    const [error, needs] = needsOf[entry.slice(name.length + 1)] ?? [
      'AnchorError',
      ['@ethereumjs/rlp'],
    ];
    const output = run(`
      const { name, message } = await import('${entry}').catch((error) => error);
      console.log(name, message);`);
    expect(output).toBe(`${error} ${entry} needs ${needs[0]}; run: ${of(needs)} (MISSING_PEER)`);
  }
  const asked = new Map<string, string[]>();
  for (const command of ['serve --finality 1', 'load', 'follow --l2 http://x --fork prague']) {
    const args = [`node_modules/${name}/dist/cli/main.js`, ...command.split(' '), '--store', 'x'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      input: '',
    });
    expect([command, status]).toEqual([command, 3]);
    expect(stderr).toMatch(/; run: npm install .*lmdb@/);
    expect(stderr).not.toContain('MISSING_PEER');
    const [, packages] = /; run: npm install ([^(\n]*)/.exec(stderr) as RegExpExecArray;
    asked.set(command.split(' ')[0] as string, (packages as string).trim().split(' '));
  }
  // The package for operators brings what they need.
  const { dependencies } = JSON.parse(readFileSync('server/package.json', 'utf8'));
  const brought = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  expect([...asked.keys()]).toEqual(['serve', 'load', 'follow']);
  expect([...asked.values()].flat().filter((each) => !brought.includes(each))).toEqual([]);
});

test('the devnet names all packages that it needs', () => {
  const args = [`node_modules/${name}/dist/cli/main.js`, 'devnet'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const line = devnetPeers.map((each) => `${each}@${manifest.devDependencies[each]}`).join(' ');
  expect([status, stderr]).toEqual([
    3,
    `the devnet needs more packages; run: npm install ${line}\n`,
  ]);
});

test('trees need no package at all', () => {
  const output = run(`
    const { createAccumulator, openStateTree } = await import('${name}/tree');
    console.log(createAccumulator({ hash: 'mimc' }).root, await (await openStateTree()).stateRoot());`);
  expect(output).toMatch(/^0x[0-9a-f]{64} 0x[0-9a-f]{64}$/);
});

test('the types need no DOM library, and most of them nothing of Node', () => {
  const imports = (entries: readonly string[]) =>
    entries.map((entry, i) => `export * as entry${i} from '${entry}';`).join('\n');
  // viem's users have viem, and those who pass schemas zod.
  const others = [`${name}/viem`, `${name}/data`];
  writeFileSync(join(folder, 'all.ts'), imports(modules.filter((one) => !others.includes(one))));
  expect(compile(folder, ['all.ts'])).toBe('');
  const pure = [
    '',
    '/compact',
    '/decode',
    '/explain',
    '/hash',
    '/trace',
    '/tree',
    '/lmdb',
    '/postgres',
  ].map((entry) => name + entry);
  writeFileSync(join(folder, 'pure.ts'), imports(pure));
  expect(compile(folder, ['pure.ts'], { types: [] })).toBe('');
});

test('the examples that come with it are pieces of the vectors', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const { result } = read('vectors/getproof-poseidon2-synthetic-slots.json');
  expect(read('docs/example/answer.json').result).toEqual({
    ...result,
    storageProofs: result.storageProofs.slice(0, 2),
  });
  const run = read('vectors/traces-poseidon2-synthetic.json');
  const { blockRoots } = verifyTransition(run.traces, {
    parentRoot: run.zkParentStateRootHash,
    endRoot: run.zkEndStateRootHash,
  });
  expect(read('docs/example/traces.json').result).toEqual({
    zkParentStateRootHash: blockRoots[0],
    zkEndStateRootHash: blockRoots[1],
    zkStateMerkleProof: run.traces.slice(1, 2),
  });
});
