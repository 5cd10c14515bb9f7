/** `npm run packages -- FOLDER`: the tarballs of both packages, from what is built. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pack, packServer } from './pack.js';

const folder = resolve(process.argv[2] ?? '.');
mkdirSync(folder, { recursive: true });
const library = pack('.', folder);
for (const { tarball } of [library, packServer(library.tarball, folder)]) console.log(tarball);
