/** Processor time, beside that of the hashing alone, and memory of a state that is loaded. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ownSpecOf } from '../dist/codec/spec.js';

/** Microseconds of processor time of a block that is hashed by itself: the median of rounds before and after. */
function costOfBlock() {
  const { hasher } = ownSpecOf();
  const node = new Uint8Array(64);
  const rounds = Array.from({ length: 9 }, () => {
    const start = process.cpuUsage();
    for (let i = 0; i < 40_000; i++) {
      node[7] = i & 255;
      hasher.hash(node);
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 80_000;
  });
  return rounds.sort((a, b) => a - b)[4];
}

/** MiB of memory that no file stands behind. */
const anonymous = () =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

/**
 * Does the work, and measures it.
 *
 * @param path of the store that it fills
 * @param blocks that it hashes
 */
export async function measured(path, blocks, work) {
  const before = costOfBlock();
  let peak = anonymous();
  const timer = setInterval(() => {
    peak = Math.max(peak, anonymous());
  }, 50);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  const perBlock = (before + costOfBlock()) / 2;
  const alone = (blocks * perBlock) / 1e6;
  const processor = (user + system) / 1e6;
  const { size } = statSync(join(path, 'data.mdb'));
  return { blocks, perBlock, alone, processor, ratio: processor / alone, seconds, peak, size };
}
