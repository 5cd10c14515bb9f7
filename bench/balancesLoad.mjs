/** The client of `bench/balances.ts`, in a process of its own: loads a server with one request, and says what came back. */
import autocannon from 'autocannon';

process.on('message', async ({ port, path, connections, seconds, check }) => {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: seconds,
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
