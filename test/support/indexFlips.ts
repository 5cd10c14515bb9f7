/**
 * A process that flips single bits of a store's file, and looks at what an index in it answers: `FOLDER FROM FLIPS`, flips
 * as `BYTE.BIT` with commas. Says before each one that it starts, and what came of it afterwards. LMDB may end the process.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openIndex } from '../../src/indexer/openIndex.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import type { Store } from '../../src/tree/index.js';
import { answersOf } from './indexAnswers.js';

const [folder = '', from = '', flips = ''] = process.argv.slice(2);

async function answers(path: string): Promise<string> {
  let store: Store | undefined;
  try {
    store = lmdbStore({ path, readOnly: true });
    return await answersOf(await openIndex({ store, name: 'the index' }));
  } catch (error) {
    const { name, code, message } = error as Error & { code: string };
    // One that says what to do, unless LMDB could not open the file at all.
    const isTold = name === 'TreeError' || message.includes('feed a new one');
    return `${name} ${code} ${isTold ? 'told' : 'untold'}`;
  } finally {
    await store?.close();
  }
}

const whole = readFileSync(join(folder, 'data.mdb'));
const expected = await answers(folder);
for (const [i, flip] of flips.split(',').entries()) {
  if (i < Number(from)) continue;
  writeSync(1, `start ${i}\n`);
  const [byte = 0, bit = 0] = flip.split('.').map(Number);
  const path = join(folder, `flip-${i}`);
  mkdirSync(path);
  const bytes = Buffer.from(whole);
  bytes.writeUInt8(bytes.readUInt8(byte) ^ (1 << bit), byte);
  writeFileSync(join(path, 'data.mdb'), bytes);
  const got = await answers(path);
  rmSync(path, { recursive: true });
  const isError = /^\w+Error \w+ told$/.test(got);
  writeSync(1, `done ${i} ${got === expected ? 'same' : isError ? got : `other: ${got}`}\n`);
}
writeSync(1, 'end\n');
