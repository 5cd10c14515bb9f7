/** The client of `bench/httpLoad.ts`, in a process of its own: loads a server with one request, or with a query that differs each time. */
import autocannon from 'autocannon';

let next = 0;

process.on('message', async ({ port, path, body, isNew = false, connections, seconds, check }) => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    ...(body !== undefined && post),
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          // Another option each time: no answer is remembered for it.
          path: isNew ? `${path}?min_usd=0.${++next}1` : path,
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
