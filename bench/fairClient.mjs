/** The clients of `bench/fair.ts`: one that is light, and one with 64 connections that ask as fast as they are answered. */
import { Agent, request } from 'node:http';

let isStopped = false;

function ask(agent, { port, path, method = 'POST', headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const jobs = {
  async light({ seconds, ...target }) {
    const agent = new Agent({ keepAlive: true });
    const times = [];
    const end = performance.now() + 1000 * seconds;
    while (performance.now() < end) {
      const start = performance.now();
      const status = await ask(agent, target);
      if (status !== 200) throw new Error(`the light client was answered ${status}`);
      times.push(performance.now() - start);
    }
    agent.destroy();
    times.sort((a, b) => a - b);
    const at = (part) => times[Math.floor(part * (times.length - 1))];
    return { p50: at(0.5), p99: at(0.99), count: times.length };
  },
  async crowd(target) {
    isStopped = false;
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const statuses = {};
    const work = async () => {
      while (!isStopped) {
        const status = await ask(agent, target).catch(() => 'lost');
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 64 }, work));
    agent.destroy();
    return statuses;
  },
};

process.on('message', async (message) => {
  if (message.job === 'stop') isStopped = true;
  else process.send(await jobs[message.job](message));
});
