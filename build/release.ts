/** First step of `npm publish`: a registry's page resolves the relative links of README.md by `repository` alone. */
import { findRepository, type Manifest, readJson } from './release/findings.js';

const { missing } = findRepository(readJson<Manifest>('.', 'package.json'));
if (missing !== undefined) {
  console.error(missing);
  process.exitCode = 1;
}
