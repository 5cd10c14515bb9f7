/** Servers that lie about one figure each: the page refuses it, and shows nothing as proven that is not true. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { figuresOf, type Lie, type World } from './world.js';

/** One false figure. */
export interface Falsification {
  /** Of the figure. */
  readonly name: string;
  /** Where it would be shown. */
  readonly place: string;
  readonly lie: Lie;
  /**
   * What the page makes of it; default `refused`. `word`: it is shown, as the server's word. `truth`: the page works the figure out
   * itself, and asks nobody about it.
   */
  readonly shown?: 'refused' | 'word' | 'truth';
}

/** Changes one digit of a hex text, the last one by default. */
export function otherDigit(hex: string, at = hex.length - 1): string {
  const digit = (Number.parseInt(hex[at] as string, 16) ^ 1).toString(16);
  return hex.slice(0, at) + digit + hex.slice(at + 1);
}

/** How long ago a time is differs from one look at it to the next. */
const withoutAge = (figure: string): string => figure.replace(/ \([^)]* ago\)$/, '');

const provenOf = async (page: Page): Promise<string[]> =>
  (await figuresOf(page, 'proven')).map(withoutAge);

/** Lies from now on. @returns how many answers have been changed so far */
export function beginLie(world: World, lie: Lie): () => number {
  let told = 0;
  world.lie((passing) => {
    const before = JSON.stringify(passing.body);
    const body = lie(passing) ?? passing.body;
    if (JSON.stringify(body) !== before) told++;
    return body;
  });
  return () => told;
}

/** Opens each place once with the truth, and then with each lie. */
export async function testLies(world: World, lies: readonly Falsification[]): Promise<void> {
  const honest = new Map<string, Set<string>>();
  for (const place of new Set(lies.map(({ place }) => place))) {
    const page = await world.open(place);
    honest.set(place, new Set(await provenOf(page)));
    await page.context().close();
  }
  for (const { name, place, lie, shown = 'refused' } of lies) {
    const told = beginLie(world, lie);
    const page = await world.open(place);
    world.lie();
    assert.ok(told() > 0, `${name}: the page has not asked for it`);
    const proven = await provenOf(page);
    const known = honest.get(place) as Set<string>;
    assert.deepEqual(
      proven.filter((figure) => !known.has(figure)),
      [],
      `${name}: shown as proven`,
    );
    if (shown === 'refused') {
      const refusals = await page.locator('.failure.refused').count();
      assert.ok(refusals > 0, `${name}: nothing was refused: ${await page.innerText('main')}`);
    }
    await page.context().close();
  }
  console.log(`${lies.length} false figures are each found`);
}
