/** Plots as SVG text, as much of it as two plots need. */

const ink = '#57606a';
const darkInk = '#9198a1';
/** For readers whose scheme is dark; the bars and lines themselves show well on both. */
const style = `<style>@media (prefers-color-scheme: dark) { [fill="${ink}"] { fill: ${darkInk}; } [stroke="${ink}"] { stroke: ${darkInk}; } }</style>`;
const width = 720;

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

function text(x: number, y: number, content: string, anchor = 'start', size = 12): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" fill="${ink}">${escapeXml(content)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number, colour = ink, opacity = 0.3): string {
  const at = [x1, y1, x2, y2].map((n) => n.toFixed(1));
  return `<line x1="${at[0]}" y1="${at[1]}" x2="${at[2]}" y2="${at[3]}" stroke="${colour}" stroke-opacity="${opacity}"/>`;
}

function page(height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    style,
    text(12, 22, title, 'start', 15),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/** A logarithmic scale from values to pixels. */
function logScale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  const decades = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const at = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  return { at, decades };
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly colour: string;
}

/** Horizontal bars on a logarithmic scale. */
export function barPlot(
  title: string,
  unit: (value: number) => string,
  bars: readonly Bar[],
): string {
  const [left, top, step] = [210, 40, 24];
  const bottom = top + step * bars.length;
  const { at, decades } = logScale(
    bars.map(({ value }) => value),
    left,
    width - 90,
  );
  const parts = decades.flatMap((value) => [
    line(at(value), top - 4, at(value), bottom),
    text(at(value), bottom + 16, unit(value), 'middle', 11),
  ]);
  for (const [i, { label, value, colour }] of bars.entries()) {
    const y = top + step * i;
    parts.push(
      text(left - 8, y + 14, label, 'end'),
      `<rect x="${left}" y="${y + 3}" width="${(at(value) - left).toFixed(1)}" height="${step - 8}" fill="${colour}"/>`,
      text(at(value) + 6, y + 14, unit(value)),
    );
  }
  return page(bottom + 28, title, parts);
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/** A curve of medians with the quartiles as strokes; x is logarithmic, y starts at zero. */
export function curvePlot(
  title: string,
  axis: string,
  unit: (value: number) => string,
  points: readonly Point[],
  colour: string,
): string {
  const [left, right, top, bottom] = [80, width - 70, 44, 260];
  const { at, decades } = logScale(
    points.map(({ x }) => x),
    left,
    right,
  );
  const highest = Math.max(...points.map(({ high }) => high));
  const y = (value: number) => bottom - (value / highest) * (bottom - top);
  const parts = [
    ...decades.map((value) => text(at(value), bottom + 18, String(value), 'middle')),
    ...[0, 0.5, 1].flatMap((share) => [
      line(left, y(share * highest), right, y(share * highest)),
      text(left - 8, y(share * highest) + 4, unit(share * highest), 'end', 11),
    ]),
    text((left + right) / 2, bottom + 38, axis, 'middle'),
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((point) => `${at(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(' ')}"/>`,
    ...points.flatMap((point) => [
      line(at(point.x), y(point.low), at(point.x), y(point.high), colour, 1),
      `<circle cx="${at(point.x).toFixed(1)}" cy="${y(point.y).toFixed(1)}" r="4" fill="${colour}"/>`,
      text(at(point.x) + 8, y(point.y) - 8, unit(point.y)),
    ]),
  ];
  return page(bottom + 50, title, parts);
}
