/** The way from a leaf to the root, with the part folded in which nothing happens. */
import type { Law, Level, PathExplanation } from '../../explain/index.js';
import { shortened } from '../format/hex.js';
import { leafPath, nodePath } from './change.js';
import { foldLevels } from './fold.js';

/** Changes a digit at a path of the answer; undefined: it cannot be, as in a compact proof. */
export type Change = ((path: string) => void) | undefined;

export function Changer({ change, path, of }: { change: Change; path: string; of: string }) {
  if (change === undefined) return null;
  return (
    <button type="button" class="change" onClick={() => change(path)}>
      Change a digit<span class="hidden"> of {of}</span>
    </button>
  );
}

const Short = ({ hex }: { hex: string | null }) =>
  hex === null ? <em>unknown</em> : <code title={hex}>{shortened(hex)}</code>;

function LevelRow({
  level: { level, node, sibling, siblingSide, siblingIsEmpty },
  broken,
  changer,
}: {
  level: Level;
  broken: boolean;
  changer: preact.ComponentChildren;
}) {
  return (
    <li class={broken ? 'broken' : undefined}>
      <span class="name">Level {level}</span> <Short hex={node} /> with{' '}
      {siblingIsEmpty ? 'nothing' : <Short hex={sibling} />}{' '}
      {siblingSide !== null && `on the ${siblingSide}`} {changer}
    </li>
  );
}

export function Path({
  title,
  path,
  broken,
  change,
}: {
  title: string;
  path: PathExplanation;
  /** The law that breaks on this path. */
  broken: Law | undefined;
  change: Change;
}) {
  const { leaf, leafIndex, levels, subTreeRoot, top, at } = path;
  const level = broken?.place.level ?? undefined;
  const shown = new Set([0, ...(level === undefined ? [] : [level])]);
  const changer = (of: string, where: string) => <Changer change={change} path={where} of={of} />;
  return (
    <details class="path" open={broken !== undefined}>
      <summary>
        {title}: leaf {leafIndex ?? 'of unknown index'}, {levels.length} levels up to the root
      </summary>
      <ol>
        <li>
          <span class="name">Leaf {leafIndex}</span>{' '}
          {leaf && (
            <>
              key <Short hex={leaf.hKey} />, value <Short hex={leaf.hValue} />, previous leaf{' '}
              {leaf.prev}, next leaf {leaf.next}
            </>
          )}{' '}
          {changer('the leaf', leafPath(at))}
        </li>
        {foldLevels(levels, shown).map(({ isFolded, levels: run }) => {
          const [first, last] = [run[0], run.at(-1)] as [Level, Level];
          const rows = run.map((one) => (
            <LevelRow
              key={one.level}
              level={one}
              broken={one.level === level}
              changer={changer(`level ${one.level}`, nodePath(at, one.level))}
            />
          ));
          if (!isFolded) return rows;
          return (
            <li key={first.level}>
              <details>
                <summary>
                  Levels {first.level} to {last.level}: nothing beside it, it climbs alone
                </summary>
                <ol>{rows}</ol>
              </details>
            </li>
          );
        })}
        <li class={level === 40 ? 'broken' : undefined}>
          <span class="name">Tree</span> <Short hex={subTreeRoot} />
        </li>
        {top && (
          <li class={broken?.id === 'ROOT' ? 'broken' : undefined}>
            <span class="name">Root</span> <Short hex={top.root} /> over that tree and the next free
            leaf, {top.nextFreeNode} {changer('the top node', nodePath(at, 40))}
          </li>
        )}
      </ol>
    </details>
  );
}
