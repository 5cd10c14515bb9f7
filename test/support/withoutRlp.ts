/** Follows a node over its genesis check, with roots from L1, and serves the state. Prints what was answered. */
import type { Hex } from '../../src/bytes.js';
import { createFollower, loadStateFile } from '../../src/follow/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { contractFinality, createService, startServer } from '../../src/service/index.js';
import { openStateTree } from '../../src/tree/index.js';

const [url, rollup, genesis] = process.argv.slice(2) as [string, Hex, string];
const l2 = createTransport({ url });
const tree = await openStateTree();
await loadStateFile(tree, JSON.parse(genesis), { l2 });
const l1 = { transport: l2, rollup, tag: 'latest' } as const;
await createFollower({ tree, l2, l1, fork: 'prague' }).run({ once: true });
const finality = contractFinality({ url, contract: rollup, l1Block: 'latest' });
const server = await startServer(await createService({ tree, finality }));
const proofs = createTransport({ url: `http://127.0.0.1:${server.port}/v3/any` });
const result = await proofs.call('l2_getProof', [rollup, [], 'finalized']);
const isMissing = await import('@ethereumjs/rlp').then(
  () => false,
  () => true,
);
const refusal = await createService({ tree, finality, node: l2 }).catch(({ message }) => message);
console.log(JSON.stringify({ isMissing, block: await tree.finalBlock(), result, refusal }));
await server.stop();
