/**
 * The client of `bench/service.ts`, in a process of its own: loads a server with distinct requests and says what came
 * back. With `bad`, that many of the connections send garbage, too much, or next to nothing.
 */
import { connect } from 'node:net';
import autocannon from 'autocannon';

const word = (value) => `0x${value.toString(16).padStart(64, '0')}`;

/** Bytes that a connection of each bad kind keeps sending, and how often, in ms. */
const badKinds = [
  (path) => ({
    text: `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{"jsonrpc`,
    every: 5,
  }),
  (path) => ({
    text: `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 9999999\r\n\r\n{`,
    every: 20,
  }),
  (path) => ({
    first: `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n`,
    text: '{',
    every: 100,
  }),
];

/** Keeps one bad connection going, anew whenever the server ends it. @returns a function that stops it */
function misbehave({ port, path }, kind) {
  let stopped = false;
  let socket;
  const open = () => {
    if (stopped) return;
    const { first = '', text, every } = badKinds[kind % badKinds.length](path);
    socket = connect(port, '127.0.0.1', () => socket.write(first));
    const timer = setInterval(() => socket.write(text), every);
    socket.on('error', () => {});
    socket.resume();
    socket.on('close', () => {
      clearInterval(timer);
      setTimeout(open, 10);
    });
  };
  open();
  return () => {
    stopped = true;
    socket.destroy();
  };
}

let next = 0;

process.on('message', async (job) => {
  const { port, path, connections, seconds, bad = 0, addresses, slots, check } = job;
  const stops = Array.from({ length: bad }, (_, kind) => misbehave({ port, path }, kind));
  const body = () => {
    const address = addresses.start + (next++ % addresses.count);
    const params = [`0x${address.toString(16).padStart(40, '0')}`, slots.map(word), 'latest'];
    return JSON.stringify({ jsonrpc: '2.0', id: next, method: 'l2_getProof', params });
  };
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections: connections - bad,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
    verifyBody: (text) => text.includes(check),
  });
  for (const stop of stops) stop();
  const { requests, latency, errors, timeouts, mismatches, non2xx } = result;
  process.send({
    perSecond: requests.total / result.duration,
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + timeouts + mismatches + non2xx,
  });
});
