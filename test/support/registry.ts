/** A registry of npm on loopback that has the packages of this checkout, as they are installed here. */
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Wire } from './runs.js';

export interface PackageRegistry {
  readonly url: string;
  close(): Promise<void>;
}

const readJson = (path: string): Wire => JSON.parse(readFileSync(path, 'utf8'));

/** The folders of each package, or tarballs, by its versions: several may be installed, in one another. */
function findPackages(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const folder of Object.keys(readJson('node_modules/.package-lock.json').packages)) {
    // Those for other platforms are listed, too.
    if (!existsSync(folder)) continue;
    const { name, version } = readJson(join(folder, 'package.json'));
    const versions = found.get(name) ?? new Map<string, string>();
    found.set(name, versions.set(version, folder));
  }
  return found;
}

/** Sends the files of a package, without what is installed in its folder. */
function sendTarball(folder: string, response: ServerResponse): void {
  const args = [
    '-C',
    folder,
    '--exclude=./node_modules',
    '--transform=s,^\\.,package,',
    '-cf',
    '-',
  ];
  const tar = spawn('tar', [...args, '--use-compress-program=gzip -1', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  tar.stdout.pipe(response);
}

const manifestIn = (tarball: string): Wire =>
  JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }));

/**
 * Starts one, on any free port. What is not installed here is not found in it.
 *
 * @param tarballs packages that it has besides
 */
export async function startRegistry(tarballs: readonly string[] = []): Promise<PackageRegistry> {
  const packages = findPackages();
  for (const tarball of tarballs) {
    const { name, version } = manifestIn(tarball);
    packages.set(name, new Map([[version, tarball]]));
  }
  const server = createServer((request, response) => {
    const [name, version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    const versions = packages.get(name as string);
    const folder = versions?.get(version ?? '');
    if (folder?.endsWith('.tgz')) createReadStream(folder).pipe(response);
    else if (folder !== undefined) sendTarball(folder, response);
    else if (version !== undefined || versions === undefined) response.writeHead(404).end('{}');
    else {
      const origin = `http://${request.headers.host}`;
      const manifests = [...versions].map(([one, path]) => [
        one,
        {
          ...(path.endsWith('.tgz') ? manifestIn(path) : readJson(join(path, 'package.json'))),
          dist: { tarball: `${origin}/${name}/-/${one}` },
        },
      ]);
      response.end(JSON.stringify({ name, versions: Object.fromEntries(manifests) }));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
