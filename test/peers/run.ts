/**
 * `npm test -- peers`: the packed tarball beside the oldest and the newest version of each optional package: installed,
 * compiled against and used. Asks the npm registry.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../../build/pack.js';
import { peers } from '../../src/peer.js';
import { beginProject, compile, install, manifest } from '../support/project.js';

/** What the decoder's packages want of hono is newer than what the service does. */
const leastHono = { '@hono/zod-openapi': '4.3.6' } as const;

/** Versions side by side, and the files that use them. */
const all = ['use', 'useViem', 'useDecoder', 'useDevnet'];
const atEnd = (end: 'oldest' | 'newest') =>
  Object.entries(peers).map(([name, range]): [string, string] => [name, range[end]]);
const sets: [title: string, versions: [string, string][], files: string[]][] = [
  ['oldest', atEnd('oldest').filter(([name]) => !(name in leastHono)), ['use', 'useViem']],
  [
    'oldest of the decoder',
    atEnd('oldest').map(([name, version]) => [
      name,
      name === 'hono' ? leastHono['@hono/zod-openapi'] : version,
    ]),
    ['useDecoder', 'useDevnet'],
  ],
  ['newest', atEnd('newest'), all],
];

const home = mkdtempSync(join(tmpdir(), 'l2proof-peers-'));
try {
  const { tarball } = pack('.', home);
  for (const [title, versions, files] of sets) {
    const folder = mkdtempSync(join(home, 'set-'));
    beginProject(folder, {
      '@types/node': manifest.devDependencies['@types/node'],
      ...Object.fromEntries(versions),
    });
    // Without --force: a range that leaves one of them out ends here, in ERESOLVE.
    install(folder, tarball);
    for (const file of files) {
      cpSync(`test/peers/${file}.ts`, join(folder, `${file}.ts`));
      // Types of viem and zod need more than ours.
      const options =
        file === 'use' ? {} : { lib: ['ES2022', 'DOM'], skipLibCheck: file !== 'useViem' };
      assert.equal(compile(folder, [`${file}.ts`], options), '');
      const run = [`${file}.js`];
      const output = execFileSync(process.execPath, run, { cwd: folder, encoding: 'utf8' });
      assert.match(output, /all used\n$/);
    }
    console.log(`${title}: ${versions.map((pair) => pair.join('@')).join(' ')}`);
  }
} finally {
  rmSync(home, { recursive: true });
}
