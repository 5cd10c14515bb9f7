/**
 * `npm run test:peers`: the packed tarball beside the oldest and the newest version of each optional package: installed,
 * compiled against and used. Asks the npm registry.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peers } from '../../src/peer.js';
import { beginProject, compile, install, manifest, pack } from '../support/project.js';

const home = mkdtempSync(join(tmpdir(), 'l2proof-peers-'));
try {
  const { tarball } = pack(home);
  for (const end of ['oldest', 'newest'] as const) {
    const folder = mkdtempSync(join(home, `${end}-`));
    const versions = Object.entries(peers).map(([name, range]) => [name, range[end]]);
    beginProject(folder, {
      '@types/node': manifest.devDependencies['@types/node'],
      ...Object.fromEntries(versions),
    });
    // Without --force: a range that leaves one of them out ends here, in ERESOLVE.
    install(folder, tarball);
    for (const [file, options] of [
      ['use', {}],
      ['useViem', { lib: ['ES2022', 'DOM'] }],
    ] as const) {
      cpSync(`test/peers/${file}.ts`, join(folder, `${file}.ts`));
      assert.equal(compile(folder, [`${file}.ts`], options), '');
      const run = [`${file}.js`];
      const output = execFileSync(process.execPath, run, { cwd: folder, encoding: 'utf8' });
      assert.match(output, /all used\n$/);
    }
    console.log(`${end}: ${versions.map((pair) => pair.join('@')).join(' ')}`);
  }
} finally {
  rmSync(home, { recursive: true });
}
