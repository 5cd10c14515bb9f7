/** The JavaScript yardsticks are used unchanged. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedBench } from './native.js';

/** @throws if the copies here differ from the originals, if those are at hand */
export function checkYardsticks(): void {
  for (const name of ['js_bigint.mjs', 'consts.mjs']) {
    const original = join(sharedBench, name);
    if (!existsSync(original)) continue;
    const copy = readFileSync(join(import.meta.dirname, 'yardsticks', name));
    if (!copy.equals(readFileSync(original))) throw new Error(`yardsticks/${name} was changed`);
  }
}
