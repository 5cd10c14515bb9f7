/**
 * A process that loads a state in bulk, in LMDB or at a URL in PostgreSQL, to be killed at it, and says on standard
 * output how far it is:
 *
 * - `load PATH` loads a genesis of many accounts
 * - `import PATH FILE ROOT` imports a snapshot
 */
import { createReadStream, writeSync } from 'node:fs';
import { type BulkProgress, importSnapshot, openStateTree } from '../../dist/tree/index.js';
import { manyAccounts } from './manyAccounts.js';
import { storeOf } from './storeOf.js';

const [mode, path = '', file = '', root = ''] = process.argv.slice(2);
const say = (...words: unknown[]) => writeSync(1, `${words.join(' ')}\n`);
const onProgress = ({ stage }: BulkProgress) => say(stage);

const store = await storeOf(path);
say('open');
if (mode === 'load') {
  const tree = await openStateTree({ store });
  const load = await tree.openLoad();
  await load.add(manyAccounts());
  const { stateRoot } = await load.finish({ number: 1 }, { onProgress });
  await load.close();
  await tree.close();
  say('done', stateRoot);
} else {
  await importSnapshot(createReadStream(file), {
    store,
    stateRoot: root as `0x${string}`,
    onProgress,
  });
  await store.close();
  say('done', root);
}
