/** A process that feeds an index in LMDB from a node until it is killed: `PATH URL`. Says each block that it has come to. */
import { writeSync } from 'node:fs';
import { createIndexer } from '../../src/indexer/indexer.js';
import { openSizedIndex } from '../../src/indexer/openIndex.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { createTransport } from '../../src/rpc/index.js';

const [path = '', url = ''] = process.argv.slice(2);
// Segments of a few records, so that it is killed in the middle of merges, too.
const sizes = { loose: 8, page: 200, fanIn: 2, step: 7 };
const index = await openSizedIndex({ store: lmdbStore({ path }), chainId: 31337 }, sizes);
const indexer = createIndexer({
  index,
  l2: createTransport({ url }),
  interval: 5,
  onProgress: ({ block }) => writeSync(1, `block ${block}\n`),
});
await indexer.run();
