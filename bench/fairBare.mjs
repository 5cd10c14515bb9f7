/** The yardstick of `bench/fair.ts`: a bare `node:http` server that answers as many bytes as a proof has, for no work at all. */
import { createServer } from 'node:http';

const answer = Buffer.alloc(2048, 120);
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  incoming.on('end', () => outgoing.end(answer));
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
