/** First step of `npm publish`: a registry's page resolves the relative links of README.md by `repository` alone. */
import { readFileSync } from 'node:fs';

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const url: unknown = typeof repository === 'object' ? repository?.url : repository;
if (typeof url !== 'string' || url.trim() === '') {
  console.error(
    'set "repository" in package.json: without it the links and pictures of README.md are broken on the package\'s page',
  );
  process.exitCode = 1;
}
