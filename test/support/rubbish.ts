/** Invalid items of a batch: each is refused by itself. */
import { honest } from './runs.js';

const { result, claim } = honest('poseidon2');
const throwing = {
  get() {
    throw new Error('its own');
  },
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();

export const rubbishItems: readonly [name: string, item: unknown][] = [
  ['null', null],
  ['undefined', undefined],
  ['a number', 7],
  ['NaN', Number.NaN],
  ['a text', 'item'],
  ['a symbol', Symbol('item')],
  ['a function', () => ({ result, claim })],
  ['an array', [result, claim]],
  ['an empty object', {}],
  ['no claim', { result }],
  ['a claim that is null', { result, claim: null }],
  ['a claim of another type', { result, claim: 'claim' }],
  ['an inherited item', Object.create({ result, claim })],
  ['a result that throws', Object.defineProperty({ claim }, 'result', throwing)],
  ['a claim that throws', Object.defineProperty({ result }, 'claim', throwing)],
  ['a revoked Proxy', revoked.proxy],
  ['a Proxy that throws', new Proxy({}, { getOwnPropertyDescriptor: throwing.get })],
  ['something with a `then` that throws', Object.defineProperty({}, 'then', throwing)],
  ['a promise that never ends', { then: () => {} }],
];
