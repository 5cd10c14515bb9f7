/** Servers that lie about lists: each false figure is refused in its own section, or shown as what it is. */
import assert from 'node:assert/strict';
import { type LiesOf, type ListLie, listLies } from './listLies.js';
import type { World } from './world.js';

interface Shown {
  readonly state: string;
  readonly isRefused: boolean;
  readonly proven: string[];
  readonly text: string;
}

/** What each section of a place shows under a lie. */
async function look(
  world: World,
  place: string,
  questions: readonly string[],
): Promise<Map<string, Shown>> {
  const page = await world.open(place);
  const shown = new Map<string, Shown>();
  for (const question of questions) {
    const section = page.locator(`section[data-question="${question}"]`);
    shown.set(question, {
      state: (await section.getAttribute('data-state')) as string,
      isRefused: (await section.locator('.failure.refused').count()) > 0,
      proven: await section.locator('[data-mark="proven"] > .value').allInnerTexts(),
      text: await section.innerText(),
    });
  }
  await page.context().close();
  return shown;
}

/** Counts the figures that are not among those that are known, each as often as it is there. */
function unknownOf(figures: readonly string[], known: readonly string[]): string[] {
  const left = [...known];
  return figures.filter((figure) => {
    const at = left.indexOf(figure);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function checkLie({ name, shown: expected = 'refused' }: ListLie, shown: Shown, honest: Shown) {
  assert.deepEqual(unknownOf(shown.proven, honest.proven), [], `${name}: shown as proven`);
  if (expected !== 'refused') {
    assert.equal(shown.state, 'answered', `${name}: ${shown.text}`);
    if (expected === 'truth') assert.deepEqual(shown.proven, honest.proven, name);
    return;
  }
  assert.ok(shown.isRefused, `${name}: nothing was refused: ${shown.text}`);
  assert.deepEqual(shown.proven, [], `${name}: something is left`);
}

/** One lie of each question at once: a page for each lie would take minutes. */
async function testGroup(world: World, all: readonly LiesOf[]): Promise<number> {
  const [{ place }] = all as readonly [LiesOf];
  const questions = all.map(({ question }) => question);
  const honest = await look(world, place, questions);
  const rounds = Math.max(...all.map(({ lies }) => lies.length));
  for (let round = 0; round < rounds; round++) {
    const told = new Set<string>();
    world.lie((passing) => {
      const lying = all.find(({ asks, lies }) => lies[round] && asks(passing));
      const before = JSON.stringify(passing.body);
      lying?.lies[round]?.change(passing.method === undefined ? passing.body.data : passing.body);
      if (lying && JSON.stringify(passing.body) !== before) told.add(lying.question);
      return passing.body;
    });
    const shown = await look(world, place, questions);
    world.lie();
    for (const { question, lies } of all) {
      const lie = lies[round];
      if (lie === undefined) continue;
      const named = { ...lie, name: `${question}, ${lie.name}` };
      assert.ok(told.has(question), `${named.name}: the page has not asked for it`);
      checkLie(named, shown.get(question) as Shown, honest.get(question) as Shown);
    }
  }
  return all.reduce((sum, { lies }) => sum + lies.length, 0);
}

/** After `giveHoldings`. */
export async function testListLies(world: World): Promise<void> {
  let count = 0;
  for (const group of listLies) count += await testGroup(world, group);
  console.log(`${count} false figures of lists are each found`);
}
