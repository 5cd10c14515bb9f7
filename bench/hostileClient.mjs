/** The clients of `bench/hostile.ts`. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';

const word = (value) => `0x${value.toString(16).padStart(64, '0')}`;
const bodyOf = (address, slots) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'l2_getProof',
    params: [address, slots, 'latest'],
  });
/** Slots that are not there: the largest proofs. */
const slots = (from) => Array.from({ length: 256 }, (_, i) => word(2 * (from + i) + 1));
const addressOf = (first, i) => `0x${(BigInt(first) + BigInt(i)).toString(16).padStart(40, '0')}`;

let stopped = false;

const jobs = {
  async light({ port, key, address, count, seconds = Infinity }) {
    const url = `http://127.0.0.1:${port}`;
    const times = [];
    let health = 0;
    const end = performance.now() + 1000 * seconds;
    stopped = false;
    for (let i = 0; performance.now() < end && !stopped; i++) {
      const start = performance.now();
      const body = bodyOf(addressOf(address, i % count), []);
      await (await fetch(`${url}/v3/${key}`, { method: 'POST', body })).text();
      const answered = performance.now();
      await (await fetch(`${url}/health`)).text();
      times.push(answered - start);
      health = Math.max(health, performance.now() - answered);
    }
    times.sort((a, b) => a - b);
    const at = (part) => times[Math.floor(part * (times.length - 1))];
    return { p50: at(0.5), p99: at(0.99), worst: at(1), health, count: times.length };
  },
  async burst({ port, key, address }) {
    const start = performance.now();
    const post = async (i) => {
      const body = bodyOf(address, slots(i));
      const response = await fetch(`http://127.0.0.1:${port}/v3/${key}`, { method: 'POST', body });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      await response.arrayBuffer();
    };
    await Promise.all(Array.from({ length: 64 }, (_, i) => post(i)));
    return (performance.now() - start) / 1000;
  },
  async sockets({ port, key, address }) {
    const open = async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    for (let i = 0; i < 3000; i += 100) {
      await Promise.all(Array.from({ length: 100 }, open));
    }
    const body = bodyOf(address, slots(0));
    for (let i = 0; i < 100; i++) {
      const socket = (await open()).pause();
      socket.write(
        `POST /v3/${key} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    }
    return true;
  },
  async new({ port, key, from }) {
    const start = performance.now();
    const asked = request({
      host: '127.0.0.1',
      port,
      localAddress: from,
      path: `/v3/${key}`,
      method: 'POST',
      agent: false,
    });
    asked.end(bodyOf(addressOf(0xabc000, 5), []));
    const [response] = await once(asked, 'response');
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    return performance.now() - start;
  },
};

process.on('message', async (message) => {
  if (message.job === 'stop') stopped = true;
  else process.send(await jobs[message.job](message));
});
