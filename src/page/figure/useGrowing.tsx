/** A long list that is shown piece by piece. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { wholeText } from '../format/numbers.js';

/** Items that are shown at first, and more with each touch. */
const step = 25;

/** @returns the items to show, and a button for more, if there are any */
export function useGrowing<T>(items: readonly T[]): [readonly T[], VNode | undefined] {
  const [count, setCount] = useState(step);
  const left = items.length - count;
  const button = (
    <button type="button" onClick={() => setCount(count + step)}>
      Show more ({wholeText(left)} left)
    </button>
  );
  return [items.slice(0, count), left > 0 ? button : undefined];
}
