/** Two neighbours, and the asked key between them. */
import type { KeyExplanation, Leaf } from '../../explain/index.js';

/** How many digits two texts begin with that are the same. */
function common(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

/** Digits, of which those are set off by which the order is decided. */
function Digits({ text, from }: { text: string; from: number }) {
  return (
    <code class="digits">
      {text.slice(0, from)}
      <strong>{text.slice(from, from + 4)}</strong>
      {text.slice(from + 4)}
    </code>
  );
}

/** A neighbour; the ends of the list have no key of their own. */
function Neighbour({ leaf, from }: { leaf: Leaf; from: number }) {
  const isEnd = /^0x(0*|2fff.*|f+)$/.test(leaf.hKey) && (leaf.prev === '0' || leaf.next === '1');
  return (
    <>
      <Digits text={leaf.hKey} from={from} />
      {isEnd && <span class="note"> an end of the list, which is no account and no slot</span>}
    </>
  );
}

export function Gap({ proof, isVerified }: { proof: KeyExplanation; isVerified: boolean }) {
  const { left, right, hKey, tree } = proof;
  if (!left?.leaf || !right?.leaf) return null;
  const thing = tree === 'account' ? 'account' : 'slot';
  const from = Math.max(common(left.leaf.hKey, hKey), common(right.leaf.hKey, hKey));
  return (
    <div class="gap">
      <p>
        The tree keeps its leaves in the order of the hashes of their keys, and each leaf names the
        next one.{' '}
        {isVerified
          ? `The ${thing} would stand between two leaves that name each other. So there is no such ${thing}.`
          : `If the answer held, the ${thing} would stand between these two.`}
      </p>
      <ol>
        <li>
          <span class="name">Left neighbour: leaf {left.leafIndex}</span>
          <Neighbour leaf={left.leaf} from={from} />
          <span class="link">its next leaf is {left.leaf.next}</span>
        </li>
        <li class="asked">
          <span class="name">Asked for: no leaf</span>
          <Digits text={hKey} from={from} />
        </li>
        <li>
          <span class="name">Right neighbour: leaf {right.leafIndex}</span>
          <Neighbour leaf={right.leaf} from={from} />
          <span class="link">its previous leaf is {right.leaf.prev}</span>
        </li>
      </ol>
    </div>
  );
}
