/**
 * Lists what a package brings: a software bill of materials by `npm sbom`, from the lock of this checkout.
 *
 * `npm sbom --omit dev` in the checkout itself leaves out whatever a package for development needs, too. These are all
 * packages that we depend on. So it is asked in a folder that knows nothing of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Manifest, readJson } from './findings.js';

export const sbomFormats = ['cyclonedx', 'spdx'] as const;
export type SbomFormat = (typeof sbomFormats)[number];

/** A list, and what it names. */
export interface Sbom {
  readonly json: string;
  /** `name@version` of each package beside the one that the list is of, sorted. */
  readonly packages: readonly string[];
}

interface Lock {
  readonly packages: Record<string, object>;
}

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const run = (folder: string, ...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });

function packagesOf(json: string, own: string): string[] {
  const { components, packages } = JSON.parse(json) as {
    components?: { name: string; version: string }[];
    packages?: { name: string; versionInfo: string }[];
  };
  const names = [
    ...(components ?? []).map(({ name, version }) => `${name}@${version}`),
    ...(packages ?? []).map(({ name, versionInfo }) => `${name}@${versionInfo}`),
  ];
  return [...new Set(names)].filter((name) => name !== own).sort();
}

/**
 * @param root the checkout
 * @param path the manifest in it
 * @returns the list in each format
 */
export function makeSboms(root: string, path: string): Record<SbomFormat, Sbom> {
  const {
    devDependencies: _tools,
    peerDependencies: _peers,
    peerDependenciesMeta: _meta,
    ...manifest
  } = readJson<Manifest & Record<string, unknown>>(root, path);
  const { name, version } = manifest;
  const { packages, ...lock } = readJson<Lock>(root, 'package-lock.json');
  // The server's package holds the library itself.
  const library = readJson<Manifest & { license: string }>(root, 'package.json');
  const held = { version: library.version, license: library.license, inBundle: true };
  const stage = mkdtempSync(join(tmpdir(), 'l2proof-sbom-'));
  try {
    // The list bears the name of the folder.
    const folder = join(stage, name);
    mkdirSync(folder);
    const write = (file: string, json: object) =>
      writeFileSync(join(folder, file), JSON.stringify(json));
    write('package.json', manifest);
    write('package-lock.json', {
      ...{ ...lock, name, version },
      packages: { ...packages, '': manifest, 'node_modules/l2proof': held },
    });
    // Takes out of the lock what this manifest does not lead to, and asks no registry.
    run(folder, 'install', '--package-lock-only', '--offline', ...quiet);
    const make = (format: SbomFormat): Sbom => {
      const json = run(folder, 'sbom', '--package-lock-only', `--sbom-format=${format}`);
      return { json, packages: packagesOf(json, `${name}@${version}`) };
    };
    return { cyclonedx: make('cyclonedx'), spdx: make('spdx') };
  } finally {
    rmSync(stage, { recursive: true });
  }
}
