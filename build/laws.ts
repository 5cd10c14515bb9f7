/** `npm run laws`: writes `docs/laws.md`. */
import { writeFileSync } from 'node:fs';
import { lawsPage } from './laws/page.js';

writeFileSync('docs/laws.md', lawsPage());
