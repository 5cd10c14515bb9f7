/** For all tests of a run: both tarballs, a registry that has them, and a devnet, started by the line of the READMEs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack, packServer } from '../../build/pack.js';
import { shellOf } from '../support/pages.js';
import { freePorts } from '../support/ports.js';
import { startRegistry } from '../support/registry.js';
import { patience } from '../support/runs.js';
import { endLines, startLine, untilSaid } from './shell.js';

/** What tests know of it. */
export interface Shared {
  /** The environment by which npm finds the packages. */
  readonly npm: Readonly<Record<string, string>>;
  /** The tarball of the library, which has the examples. */
  readonly tarball: string;
  /** The port of L1 in place of the one that the READMEs name. */
  readonly port: number;
  readonly l1: string;
  readonly l2: string;
  readonly proofs: string;
  readonly data: string;
  /** The genesis.json of L2. */
  readonly genesis: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    shared: Shared;
  }
}

/** The port of L1 that the READMEs name; those of the others stand behind it. */
export const namedPort = 8600;

/** Names the ports of this run in place of those of the READMEs. */
export const toPorts = (text: string, port: number): string =>
  text
    .replaceAll(/127\.0\.0\.1:860([0-3])/g, (_, place) => `127.0.0.1:${port + Number(place)}`)
    .replaceAll(`--port ${namedPort}`, `--port ${port}`);

/** What a devnet prints in its overview. */
const urlIn = (text: string, name: string): string =>
  new RegExp(`^ {2}${name} +(\\S+)`, 'm').exec(text)?.[1] as string;

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = join(process.env.SHARED_FOLDER as string, 'examples');
  mkdirSync(folder);
  const { tarball } = pack('.', folder);
  const registry = await startRegistry([tarball, packServer(tarball, folder).tarball]);
  const npm = { npm_config_registry: registry.url, npm_config_cache: join(folder, 'npm') };
  const port = await freePorts(4);
  const [line] = shellOf('examples/dapp/README.md', 'devnet') as [string];
  const devnet = startLine(toPorts(line, port), folder, npm);
  // It is installed first.
  await untilSaid(devnet, /^Contracts on L2:\n( {2}.*\n)+/m, patience);
  const { text } = devnet.said;
  provide('shared', {
    ...{ npm, tarball, port, l1: urlIn(text, 'L1'), l2: urlIn(text, 'L2') },
    ...{ proofs: urlIn(text, 'proofs'), data: urlIn(text, 'data, decoder') },
    genesis: urlIn(text, 'network').replace('network.json', 'genesis.json'),
  });
  return async () => {
    devnet.signal('SIGINT');
    await devnet.ended;
    await endLines();
    await registry.close();
  };
}
