/** A checkpoint of L1 that several providers name alike. */
import type { Hex } from '../../src/index.js';
import { createGetter } from '../../src/rpc/get.js';
import { CheckFailure, Unreachable } from './outcome.js';

/** Longest answer of a provider: a slot takes some hundred bytes. */
const maxBytes = 1024 * 1024;

/** The final blocks that a provider knows, by slot: `checkpointz`, which most providers run, has this route. */
async function rootsOf(url: string, signal: AbortSignal): Promise<Map<number, Hex>> {
  const path = '/checkpointz/v1/beacon/slots';
  // It refuses a redirect: a provider that sends us to another would count as a second opinion.
  const answer = await createGetter({ url })({ name: 'checkpoints', path, maxBytes, signal });
  const { data } = answer as {
    data: { slots: { slot: string; block_root?: Hex | null }[] };
  };
  return new Map(
    data.slots.flatMap(({ slot, block_root }) =>
      block_root == null ? [] : [[Number(slot), block_root]],
    ),
  );
}

/**
 * The newest block that at least two providers know.
 *
 * @throws CheckFailure if two of them name different blocks for a slot
 * @throws Unreachable if fewer than two answer
 */
export async function agreedCheckpoint(urls: readonly string[], signal: AbortSignal) {
  const answers = await Promise.allSettled(urls.map((url) => rootsOf(url, signal)));
  const said = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (said.length < 2) {
    throw new Unreachable(`${said.length} of ${urls.length} providers of checkpoints answer`);
  }
  const slots = new Set(said.flatMap((roots) => [...roots.keys()]));
  let newest: { slot: number; root: Hex; providers: number } | undefined;
  for (const slot of slots) {
    const roots = said.flatMap((each) => each.get(slot) ?? []);
    const [root] = roots;
    if (new Set(roots).size > 1) {
      throw new CheckFailure(`providers of checkpoints name different blocks for slot ${slot}`);
    }
    if (root !== undefined && roots.length > 1 && slot > (newest?.slot ?? -1)) {
      newest = { slot, root, providers: roots.length };
    }
  }
  if (newest === undefined) throw new Unreachable('no two providers know the same checkpoint');
  return newest;
}
