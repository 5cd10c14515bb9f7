/** The gzip sizes of the entries beside those of another commit, as a table. */

/** What `size-limit --json` says of an entry. */
export interface EntrySize {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes at most. */
  readonly sizeLimit: number;
  readonly passed: boolean;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function change(before: number | undefined, now: number | undefined): string {
  if (before === undefined) return 'new';
  if (now === undefined) return 'gone';
  const bytes = now - before;
  if (bytes === 0) return '';
  const share = `${bytes > 0 ? '+' : ''}${((100 * bytes) / before).toFixed(1)} %`;
  return `${bytes > 0 ? '+' : ''}${bytes} B (${share})`;
}

/** @returns a table in Markdown: what has changed first, by how much, then the rest */
export function sizeTable(base: readonly EntrySize[], head: readonly EntrySize[]): string {
  const names = new Set([...head, ...base].map(({ name }) => name));
  const rows = [...names].map((name) => {
    const before = base.find((entry) => entry.name === name);
    const now = head.find((entry) => entry.name === name);
    const by = Math.abs((now?.size ?? 0) - (before?.size ?? 0));
    const over = now?.passed === false ? ' **over**' : '';
    const cells = [
      `\`${name}\``,
      ...[before?.size, now?.size].map((size) => (size === undefined ? '' : kilobytes(size))),
      change(before?.size, now?.size),
      now === undefined ? '' : `${kilobytes(now.sizeLimit)}${over}`,
    ];
    return { by, text: `| ${cells.join(' | ')} |` };
  });
  return [
    '| entry, minified and compressed | base | head | change | limit |',
    '| --- | --- | --- | --- | --- |',
    ...rows.sort((a, b) => b.by - a.by).map(({ text }) => text),
  ].join('\n');
}
