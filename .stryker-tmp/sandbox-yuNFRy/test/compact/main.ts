/** `npm run vectors:compact`: writes the vectors of compact proofs to `vectors/`. */
// @ts-nocheck

import { writeFileSync } from 'node:fs';
import { compactFiles } from './files.js';

for (const [name, content] of compactFiles()) writeFileSync(`vectors/${name}`, content);
