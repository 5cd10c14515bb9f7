/** The server of `bench/history.ts`, in a process of its own: it has no state, and a node. Says its port. */
import { createTransport } from '../src/rpc/index.js';
import { createService, fixedFinality, startServer } from '../src/service/index.js';
import { openStateTree } from '../src/tree/index.js';

const service = await createService({
  tree: await openStateTree(),
  finality: fixedFinality(0),
  node: createTransport({ url: process.argv[2] as string }),
  limits: { requestsPerSecond: Infinity },
});
process.send?.((await startServer(service)).port);
