/**
 * `npm run release:dry -- [FOLDER]`: all of a release but the publishing, from what is built. Writes both tarballs and
 * their bills of materials into FOLDER, or nowhere. Ends with 1 if something is missing, and names all of it.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pack, packServer } from '../pack.js';
import {
  type Finding,
  findHeading,
  findRepository,
  findTag,
  findVersions,
  type Manifest,
  readJson,
} from './findings.js';
import { makeSboms, sbomFormats } from './sbom.js';
import { findContents } from './tarballs.js';

const root = process.cwd();
const library = readJson<Manifest>(root, 'package.json');
const server = readJson<Manifest>(root, 'server/package.json');
const { version } = library;

/** Writes the bills of a package. Each names at least what the manifest does, in the same version. */
function writeSboms(manifest: Manifest, path: string, folder: string): Finding[] {
  const made = makeSboms(root, path);
  return sbomFormats.map((format): Finding => {
    const what = `${format} of ${manifest.name}`;
    const { json, packages } = made[format];
    const needs = Object.entries(manifest.dependencies ?? {}).map(
      ([name, one]) => `${name}@${one}`,
    );
    const lacking = needs.filter((name) => !packages.includes(name));
    if (lacking.length > 0) return { what, missing: `it does not name ${lacking.join(', ')}` };
    writeFileSync(join(folder, `${manifest.name}-${version}.${format}.json`), json);
    return { what, found: `${packages.length} packages` };
  });
}

/** npm's own checks of a tarball, without sending it. It asks the registry once which versions there are. */
async function tryPublishing({ name }: Manifest, tarball: string): Promise<Finding> {
  const what = `npm publish ${name}`;
  const flags = ['--dry-run', '--json', '--provenance', '--access', 'public'];
  try {
    const args = ['publish', tarball, ...flags, '--fetch-retries', '0', '--fetch-timeout', '30000'];
    const { stdout, stderr } = await promisify(execFile)('npm', args, { maxBuffer: 1e8 });
    if (/auto-corrected/.test(stderr)) return { what, missing: `run npm pkg fix: ${stderr}` };
    // npm 11 has a member for each package, npm 10 has not.
    const said = JSON.parse(stdout);
    const { id, size } = said[name] ?? said;
    return { what, found: `${id}, ${(size / 1e6).toFixed(1)} MB, not sent` };
  } catch (error) {
    return { what, missing: String((error as { stderr?: string }).stderr ?? error).trim() };
  }
}

async function prepare(folder: string): Promise<Finding[]> {
  const packed = pack('.', folder);
  const packedServer = packServer(packed.tarball, folder);
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME, GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  return [
    findRepository(
      library,
      GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
    ),
    findVersions(root),
    findHeading(root, version),
    findTag(root, version, GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined),
    findContents({ name: library.name, names: packed.names }, library, '', []),
    findContents(
      { name: server.name, names: packedServer.names },
      library,
      'node_modules/l2proof/',
      ['LICENSE', 'README.md', 'l2proof.js'],
    ),
    ...writeSboms(library, 'package.json', folder),
    ...writeSboms(server, 'server/package.json', folder),
    ...(await Promise.all([
      tryPublishing(library, packed.tarball),
      tryPublishing(server, packedServer.tarball),
    ])),
  ];
}

const [asked] = process.argv.slice(2);
const folder =
  asked === undefined ? mkdtempSync(join(tmpdir(), 'l2proof-release-')) : resolve(asked);
mkdirSync(folder, { recursive: true });
try {
  const findings = await prepare(folder);
  const width = Math.max(...findings.map(({ what }) => what.length));
  for (const { what, found } of findings) {
    console.log(
      `${found === undefined ? 'missing' : 'ok     '}  ${what.padEnd(width)}  ${found ?? ''}`.trimEnd(),
    );
  }
  const missing = findings.flatMap(({ what, missing }) =>
    missing === undefined ? [] : [{ what, missing }],
  );
  for (const { what, missing: text } of missing) console.error(`${what}: ${text}`);
  if (missing.length > 0) process.exitCode = 1;
  console.log(
    missing.length === 0
      ? `a release of ${version} has all that it needs`
      : `a release of ${version} lacks: ${missing.map(({ what }) => what).join(', ')}`,
  );
} finally {
  if (asked === undefined) rmSync(folder, { recursive: true });
}
