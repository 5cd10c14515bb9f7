/** How long the verification of a long proof keeps the event loop, as a provider carries it out. */
import { memoryStore, openStateTree } from '../src/tree/index.js';
import { createTurns } from '../src/turns.js';
import { openVerifier } from '../src/verify/verifier.js';
import { word } from '../test/support/anvil.js';

export const slots = 8191;
const address = '0x00000000000000000000000000000000000a11ce';

/** @param used processor time so far, in ms @returns the longest processor time between two turns of the event loop, in ms */
export async function holdOfProof(used: () => number): Promise<number> {
  const tree = await openStateTree({ store: memoryStore() });
  const numbers = Array.from({ length: slots }, (_, i) => i + 1);
  const storage = numbers.map((n) => ({ key: `0x${word(2 * n)}`, value: `0x${word(n)}` }) as const);
  const account = { nonce: 1n, balance: 1n };
  const changes = [{ address, account, storage }] as const;
  const { stateRoot } = await tree.applyBlock({ number: 1, changes });
  // Every other slot is absent.
  const storageKeys = numbers.map((n) => `0x${word(2 * n + (n % 2))}` as const);
  const result: unknown = JSON.parse(JSON.stringify(await tree.getProof(address, storageKeys)));
  await tree.close();

  let isDone = false;
  let longest = 0;
  await new Promise((resolve) => setImmediate(resolve));
  let last = used();
  const look = (): void => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  const { tick } = createTurns(() => {});
  await openVerifier({ stateRoot }).verifyInTurns(result, { address, storageKeys }, tick);
  isDone = true;
  look();
  return longest;
}
