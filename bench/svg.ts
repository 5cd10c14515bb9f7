/**
 * Plots as SVG text without scripts. They bring their own background, for a page may be light while its reader's scheme is
 * dark. The text is large enough to be read on a phone, 320 px wide.
 */

/** Of the drawing; shown larger if there is room. */
const width = 420;
const shownWidth = 560;
const edge = 14;

const style = `<style>
.card { fill: #fff; stroke: #d1d9e0; }
text { fill: #1f2328; font-size: 12.5px; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.title { font-size: 15px; font-weight: 600; }
.group { font-weight: 600; }
.note { fill: #59636e; font-size: 11.5px; }
.grid { stroke: #d1d9e0; }
.own { fill: #1a7f37; }
.second { fill: #0969da; }
.other { fill: #818b98; }
.curve { stroke: #1a7f37; stroke-width: 2; fill: none; }
@media (prefers-color-scheme: dark) {
  .card { fill: #0d1117; stroke: #3d444d; }
  text { fill: #f0f6fc; stroke: #0d1117; }
  .note { fill: #9198a1; }
  .grid { stroke: #3d444d; }
  .own { fill: #3fb950; }
  .second { fill: #4493f8; }
  .other { fill: #9198a1; }
  .curve { stroke: #3fb950; }
}
</style>`;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Place {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly look?: string;
}

function text(content: string, { x, y, anchor = 'start', look }: Place): string {
  const kind = look === undefined ? '' : ` class="${look}"`;
  return `<text${kind} x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeXml(content)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number, look = 'grid'): string {
  const at = [x1, y1, x2, y2].map((n) => n.toFixed(1));
  return `<line class="${look}" x1="${at[0]}" y1="${at[1]}" x2="${at[2]}" y2="${at[3]}"/>`;
}

/** What stands above each plot. */
export interface Heading {
  readonly title: string;
  /** Which way is better, and what else a reader must know. */
  readonly note: string;
}

function page({ title, note }: Heading, height: number, parts: readonly string[]): string {
  const shownHeight = Math.round((height * shownWidth) / width);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${shownWidth}" height="${shownHeight}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img">`,
    `<title>${escapeXml(title)}: ${escapeXml(note)}</title>`,
    style,
    `<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    text(title, { x: edge, y: 26, look: 'title' }),
    text(note, { x: edge, y: 45, look: 'note' }),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/** A logarithmic scale from values to pixels, and the powers of ten on it. */
function logScale(values: readonly number[], from: number, to: number) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from({ length: 25 }, (_, i) => 10 ** (i - 9));
  const marks = powers.filter((power) => power > 0.9 * least && power < 1.1 * most);
  const [low, high] = [Math.min(least, ...marks), Math.max(most, ...marks)].map(Math.log10) as [
    number,
    number,
  ];
  const at = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  return { at, marks };
}

/** A scale that begins at zero, and round numbers on it. */
function plainScale(values: readonly number[], from: number, to: number) {
  const most = Math.max(...values);
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) as number);
  const marks = Array.from({ length: 6 }, (_, i) => i * step).filter((mark) => mark <= most);
  return { at: (value: number) => from + (value / most) * (to - from), marks };
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The figure as its page has it. */
  readonly shown: string;
  readonly look: 'own' | 'second' | 'other';
}

export interface Group {
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** Words for a power of ten or a round number on an axis. */
export type Unit = (value: number) => string;

/** Groups of bars. A logarithmic axis begins at a power of ten below the least figure. */
export function barPlot(
  heading: Heading,
  axis: { readonly unit: Unit; readonly name: string; readonly isLogarithmic: boolean },
  groups: readonly Group[],
): string {
  const bars = groups.flatMap((group) => group.bars);
  const longest = (of: (bar: Bar) => string) => Math.max(...bars.map((bar) => of(bar).length));
  const left = edge + 14 + 6.6 * longest(({ label }) => label);
  const right = width - edge - 12 - 6.8 * longest(({ shown }) => shown);
  const values = bars.map(({ value }) => value);
  const below = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const { at, marks } = axis.isLogarithmic
    ? logScale([below, ...values], left, right)
    : plainScale(values, left, right);
  const top = 60;
  const parts: string[] = [];
  let y = top;
  for (const group of groups) {
    if (group.name !== '') {
      parts.push(text(group.name, { x: edge, y: y + 14, look: 'group' }));
      y += 20;
    }
    for (const { label, value, shown, look } of group.bars) {
      parts.push(
        text(label, { x: left - 8, y: y + 14, anchor: 'end' }),
        `<rect class="${look}" x="${left.toFixed(1)}" y="${y + 3}" width="${(at(value) - left).toFixed(1)}" height="14"/>`,
        text(shown, { x: at(value) + 6, y: y + 14 }),
      );
      y += 20;
    }
    y += 6;
  }
  const grid = marks.flatMap((mark) => [
    line(at(mark), top, at(mark), y),
    text(axis.unit(mark), { x: at(mark), y: y + 15, anchor: 'middle', look: 'note' }),
  ]);
  const name = axis.isLogarithmic ? `${axis.name}, logarithmic axis` : axis.name;
  const middle = (left + right) / 2;
  const below2 = text(name, { x: middle, y: y + 33, anchor: 'middle', look: 'note' });
  return page(heading, y + 44, [...grid, ...parts, below2]);
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The figure as its page has it. */
  readonly shown: string;
}

/** A curve: x is logarithmic, y begins at zero. */
export function curvePlot(
  heading: Heading,
  axis: { readonly unit: Unit; readonly name: string },
  points: readonly Point[],
): string {
  const [left, right, top, bottom] = [70, width - 44, 82, 250];
  const across = logScale(
    points.map(({ x }) => x),
    left,
    right,
  );
  const up = plainScale(
    points.map(({ y }) => y),
    bottom,
    top,
  );
  const places = points.map(({ x, y, shown }) => ({ x: across.at(x), y: up.at(y), shown }));
  return page(heading, bottom + 50, [
    ...up.marks.flatMap((mark) => [
      line(left, up.at(mark), right, up.at(mark)),
      text(axis.unit(mark), { x: left - 8, y: up.at(mark) + 4, anchor: 'end', look: 'note' }),
    ]),
    ...across.marks.map((mark) =>
      text(mark.toLocaleString('en'), {
        ...{ x: across.at(mark), y: bottom + 18 },
        ...{ anchor: 'middle', look: 'note' },
      }),
    ),
    text(`${axis.name}, logarithmic axis`, {
      ...{ x: (left + right) / 2, y: bottom + 38 },
      ...{ anchor: 'middle', look: 'note' },
    }),
    `<polyline class="curve" points="${places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}"/>`,
    ...places.map(
      ({ x, y }) => `<circle class="own" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4"/>`,
    ),
    // The first stands beside the axis, whose figures it must not cover.
    ...places.map(({ x, y, shown }, i) =>
      text(shown, { x: i ? x : x - 6, y: y - 10, anchor: i ? 'middle' : 'start' }),
    ),
  ]);
}
