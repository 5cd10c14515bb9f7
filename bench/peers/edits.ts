/** Random edits of a path. */
import type { Hex } from './evm.js';

const mimcModulus = 8444461749428370424248824938781546531375899335154063827935233455917409239041n;

/** A whole number below the limit. */
export type Random = (limit: number) => number;

/** A small seeded generator (mulberry32), so that a finding can be repeated. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Any node, though every other time one of the three that are not inner nodes. */
const pickNode = (nodes: Hex[], random: Random) =>
  random(2) ? random(nodes.length) : ([0, 40, 41][random(3)] as number);

/** Random edits of the nodes of one path, in place. */
export const edits: Record<string, (nodes: Hex[], random: Random) => void> = {
  'byte changed': (nodes, random) => {
    const at = pickNode(nodes, random);
    const bytes = Buffer.from((nodes[at] as Hex).slice(2), 'hex');
    const place = random(bytes.length);
    bytes[place] = (bytes[place] as number) ^ (1 + random(255));
    nodes[at] = `0x${bytes.toString('hex')}`;
  },
  // The same number to the hash, another one to a reader.
  'element plus p': (nodes, random) => {
    const at = pickNode(nodes, random);
    const digits = (nodes[at] as Hex).slice(2);
    const place = 64 * random(digits.length / 64);
    const element = BigInt(`0x${digits.slice(place, place + 64)}`) + mimcModulus;
    const alias = element.toString(16).padStart(64, '0');
    nodes[at] = `0x${digits.slice(0, place)}${alias}${digits.slice(place + 64)}`;
  },
  'node over another': (nodes, random) => {
    nodes[pickNode(nodes, random)] = nodes[random(nodes.length)] as Hex;
  },
  'nodes swapped': (nodes, random) => {
    const [one, other] = [pickNode(nodes, random), random(nodes.length)];
    [nodes[one], nodes[other]] = [nodes[other] as Hex, nodes[one] as Hex];
  },
  'node cut or grown': (nodes, random) => {
    const at = pickNode(nodes, random);
    const node = nodes[at] as Hex;
    nodes[at] = random(2) ? (node.slice(0, -64) as Hex) : `${node}${'00'.repeat(32)}`;
  },
};
