/** Makes the tarball of `l2proof-server`, which installs without a package `l2proof` on a registry: it holds that itself. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tarball, and the path of each file in it. */
export interface Packed {
  readonly tarball: string;
  readonly names: readonly string[];
}

/** Packs a package. @param to the tarball's folder, as an absolute path */
export function pack(from: string, to: string): Packed {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to];
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', args, { cwd: from, encoding: 'utf8' }),
  );
  return {
    tarball: join(to, filename),
    names: files.map(({ path }: { path: string }) => path),
  };
}

/**
 * Takes the packages that the library needs out of its manifest: that of the server names them all. npm takes what a bundled
 * package needs to be in the bundle, too, and would not link the command by which lmdb is installed.
 */
function leaveToServer(file: string): void {
  const {
    dependencies: _needs,
    devDependencies: _tools,
    peerDependencies: _peers,
    peerDependenciesMeta: _meta,
    ...manifest
  } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/** The repository of the library is the server's, too: it is set in one place. */
function nameRepository(file: string): void {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, repository }, null, 2));
}

/**
 * @param library the tarball of `l2proof`
 * @param to the tarball's folder, as an absolute path
 */
export function packServer(library: string, to: string): Packed {
  const stage = mkdtempSync(join(tmpdir(), 'l2proof-pack-'));
  try {
    // npm bundles a folder, and no link to one.
    const bundled = join(stage, 'node_modules/l2proof');
    mkdirSync(bundled, { recursive: true });
    execFileSync('tar', ['-xzf', library, '-C', bundled, '--strip-components', '1']);
    leaveToServer(join(bundled, 'package.json'));
    cpSync('server', stage, { recursive: true });
    nameRepository(join(stage, 'package.json'));
    cpSync('LICENSE', join(stage, 'LICENSE'));
    return pack(stage, to);
  } finally {
    rmSync(stage, { recursive: true });
  }
}
