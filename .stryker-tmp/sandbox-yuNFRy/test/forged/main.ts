/** `npm run vectors:forge`: writes the forged set to `vectors/forged/`. */
// @ts-nocheck

import { mkdirSync, writeFileSync } from 'node:fs';
import { forgedFiles } from './files.js';

mkdirSync('vectors/forged', { recursive: true });
for (const [name, content] of forgedFiles()) writeFileSync(`vectors/forged/${name}`, content);
