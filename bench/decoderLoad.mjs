/**
 * The client of `bench/decoder.ts`, in a process of its own: loads a server with one request, or with one whose query
 * differs each time, and says what came back.
 */
import autocannon from 'autocannon';

let next = 0;

process.on('message', async ({ port, path, body, isNew, connections, seconds, check }) => {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          // Another option each time: no answer is remembered for it.
          path: isNew ? `${path}?min_usd=0.${++next}1` : path,
          body,
        }),
      },
    ],
    verifyBody: (text) => text.includes(check),
  });
  const { requests, latency, errors, timeouts, mismatches, non2xx } = result;
  process.send({
    perSecond: requests.total / result.duration,
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + timeouts + mismatches + non2xx,
  });
});
