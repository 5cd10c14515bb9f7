/** A process that feeds an index in LMDB from a node until it is killed: `PATH URL`. Says each block that it has come to. */
// @ts-nocheck

import { writeSync } from 'node:fs';
import { createIndexer } from '../../src/indexer/indexer.js';
import { openIndex } from '../../src/indexer/openIndex.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { createTransport } from '../../src/rpc/index.js';

const [path = '', url = ''] = process.argv.slice(2);
const index = await openIndex({ store: lmdbStore({ path }), chainId: 31337 });
const indexer = createIndexer({
  index,
  l2: createTransport({ url }),
  interval: 5,
  onProgress: ({ block }) => writeSync(1, `block ${block}\n`),
});
await indexer.run();
