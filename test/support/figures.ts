/** Figures that guides and papers take from the pages of `bench`: each claim beside its source. */
import { readFileSync } from 'node:fs';

/** A page with its tables and paragraphs on single lines, and single blanks. */
export const flat = (page: string): string => {
  const text = readFileSync(page, 'utf8').replaceAll(/```[^]*?```/g, '');
  return text.replaceAll(/\n(?![\n|#-])/g, ' ').replaceAll(/ +/g, ' ');
};

export interface Claim {
  readonly page: string;
  /** Each group is a figure. */
  readonly claim: RegExp;
  readonly source: string;
  /** Its groups give the same figures, in order. */
  readonly figure: RegExp;
  /** From the source's figures to those of the page, if it counts in other units. */
  readonly as?: (...figures: number[]) => readonly number[];
}

/** Words for figures, as their first digits. */
const words: Readonly<Record<string, string>> = {
  ...{ 'a tenth': '10', 'a fortieth': '40', 'three quarters': '0.7', million: '1' },
};

export const numberOf = (text: string): number => Number((words[text] ?? text).replaceAll(',', ''));

/** A number, rounded to as many digits as a text has; zeros at its end may be there for their place alone. */
export function roundedAs(text: string, value: number): number {
  const digits = (words[text] ?? text).replaceAll(/[^\d.]/g, '').replace(/^0\.0*/, '');
  const places = digits.includes('.') ? digits.length - 1 : digits.replace(/0+$/, '').length;
  return Number(value.toPrecision(Math.max(1, digits.startsWith('.') ? places + 1 : places)));
}

/** The figures of a page by a pattern that it has once. */
export function groupsOf(page: string, pattern: RegExp): string[] {
  const found = [...flat(page).matchAll(new RegExp(pattern, 'g'))];
  if (found.length !== 1) throw new Error(`${page} has ${pattern} ${found.length} times`);
  return (found[0] as RegExpMatchArray).slice(1);
}

const columns = (count: number) => ' \\| ([\\d.,]+)[^|]*'.repeat(count);
const row = (name: string, count: number, more = ''): RegExp =>
  new RegExp(`\\| ${name}${columns(count)}${more}`);
/** The last three of the five sizes of SCALE.md. */
const scaleRow = (name: string): RegExp => row(name, 5);
const last = (_: number, __: number, ...three: number[]) => three;
const scale = { page: 'docs/scale.md', source: 'bench/SCALE.md' };

export const claims: readonly Claim[] = [
  {
    ...scale,
    claim: row('file of a snapshot', 3),
    figure: scaleRow('snapshot, bytes a leaf'),
    as: (...all) =>
      last(...(all as [number, number])).map((bytes, i) => (bytes * 10 ** (5 + i)) / 1e6),
  },
  {
    ...scale,
    claim: /in proportion: ([\d.]+) bytes a leaf \|\n\| store/,
    figure: scaleRow('snapshot, bytes a leaf'),
    as: (...all) => all.slice(-1),
  },
  {
    ...scale,
    claim: row('store in LMDB', 3),
    figure: scaleRow('store, bytes a leaf'),
    as: (...all) => {
      const [first = 0, second = 0, third = 0] = all.slice(2);
      return [first / 10, second, third / 100];
    },
  },
  {
    ...scale,
    claim: /in proportion: ([\d.]+) bytes a leaf \|\n\| import,/,
    figure: scaleRow('store, bytes a leaf'),
    as: (...all) => all.slice(-1),
  },
  {
    ...scale,
    claim: row('import, processor time', 3),
    figure: scaleRow('import, processor time a leaf'),
    as: (...all) => all.slice(2).map((micro, i) => (micro * 10 ** (5 + i)) / 1e6),
  },
  {
    ...scale,
    claim: row('import beside its hashing alone', 3),
    figure: scaleRow('beside its hashing alone'),
    as: (...all) => all.slice(2),
  },
  {
    ...scale,
    claim: row('memory of an import, without the file', 3),
    figure: scaleRow('its memory'),
    as: (...all) => all.slice(2),
  },
  {
    ...scale,
    claim: /took (\d+) seconds by the clock/,
    figure: scaleRow('import, by the clock'),
    as: (...all) => all.slice(-1),
  },
  {
    ...scale,
    source: 'bench/RESULTS.md',
    claim: row('time to verify it', 3),
    figure: /\| Poseidon2, one warm proof \| ([\d.]+) µs/,
    as: (micro) => [micro, micro, micro],
  },
  {
    ...scale,
    source: 'bench/RESULTS.md',
    claim: /A proof takes (\d+) µs, and no check/,
    figure: /\| Poseidon2, one warm proof \| ([\d.]+) µs/,
  },
  {
    ...scale,
    claim: /costs 1 to ([\d.]+) times as much/,
    figure:
      /proof of an account(?: \| [^|]*){4} \| [^|(]*\(([\d.]+) µs\) \|\n\| proof of absence(?: \| [^|]*){4} \| [^|(]*\(([\d.]+) µs\)/,
    as: (present, absent) => [absent / present],
  },
  {
    ...scale,
    source: 'bench/SERVICE.md',
    claim: /takes ([\d.]+) times the processor time that/,
    figure: /Two serving processes took ([\d.]+) times the processor time of one/,
  },
  {
    ...scale,
    source: 'bench/DATA.md',
    claim: /takes about (\d+) bytes a transaction in LMDB/,
    figure: /bytes a transaction \| ([\d.]+) \|/,
  },
  {
    ...scale,
    source: 'bench/DATA.md',
    claim: /takes ([\d.]+) to ([\d.]+) times the processor time of fetching/,
    figure: /indexing, as a multiple of that \| ([\d.]+) to ([\d.]+) \|/,
  },
  {
    ...scale,
    source: 'bench/DATA.md',
    claim: /dropping them, (\d+) to (\d+) µs each; the aim of ([\d.]+) /,
    figure:
      /the bar is ([\d.]+)\. [^#]*fetching and dropping, a transaction \| ([\d.]+) to ([\d.]+) µs/,
    as: (bar, less, more) => [less, more, bar],
  },
  {
    ...scale,
    source: 'bench/DATA.md',
    claim: /Memory was measured up to a (million) transactions/,
    figure: /\| a (million) in LMDB \|/,
  },
  {
    ...scale,
    claim: /\| (\d+) to \d+ minutes \| ([\d.]+) to/,
    figure: scaleRow('import, processor time a leaf'),
    as: (...all) => all.slice(-1).flatMap((micro) => [(micro * 1e8) / 6e7, micro]),
  },
  {
    ...scale,
    source: 'bench/BULK.md',
    claim: /\| \d+ to (\d+) minutes \| [\d.]+ to ([\d.]+) µs a leaf/,
    figure: /snapshot of ([\d,]+) leaves \| 82[\d.]* s \| ([\d.]+) s/,
    as: (leaves, seconds) => [(1e8 * seconds) / leaves / 60, (1e6 * seconds) / leaves],
  },
  {
    page: 'docs/operate.md',
    source: 'bench/BULK.md',
    claim: /an import \d+ to (\d+) µs/,
    figure: /snapshot of ([\d,]+) leaves \| 82[\d.]* s \| ([\d.]+) s/,
    as: (leaves, seconds) => [(1e6 * seconds) / leaves],
  },
  {
    page: 'docs/operate.md',
    source: 'bench/SCALE.md',
    claim: /an import (\d+) to \d+ µs/,
    figure: scaleRow('import, processor time a leaf'),
    as: (...all) => all.slice(-1),
  },
  {
    page: 'docs/snapshot.md',
    source: 'bench/BULK.md',
    claim: /take 7 to (\d+) µs of processor time/,
    figure: /snapshot of ([\d,]+) leaves \| 82[\d.]* s \| ([\d.]+) s/,
    as: (leaves, seconds) => [(1e6 * seconds) / leaves],
  },
  {
    page: 'docs/operate.md',
    source: 'bench/SCALE.md',
    claim: /About (\d+) bytes for each account or slot/,
    figure: scaleRow('store, bytes a leaf'),
    as: (...all) => all.slice(-1),
  },
  {
    page: 'docs/operate.md',
    source: 'bench/STORE.md',
    claim: /later count on ([\d.]+) kB/,
    figure: row('file, bytes an account', 4),
    as: (...all) => all.slice(-1).map((bytes) => bytes / 1000),
  },
  {
    page: 'docs/history.md',
    source: 'bench/HISTORY.md',
    claim:
      /match took (\d+) requests there in place of ([\d,]+), and (three quarters) of the bytes/,
    figure:
      /\| node \| 1000 \| 100 \| (\d+) [^\n]*\n[^\n]*\n\| server \| 1000 \| 100 \| (\d+) \| [\d.]+ \| [\d,]+ \| ([\d.]+)/,
    as: (node, server, bytes) => [server, node, bytes],
  },
  ...['docs/compact.md', 'docs/verify.md'].map((page) => ({
    page,
    source: 'bench/COMPACT.md',
    claim:
      /in about (a tenth) of the bytes,? or less: (?:in )?(a fortieth) for (?:a )?thousand slots/,
    figure:
      /\| size \|[^#]*?\| Poseidon2 \| 0 \| present(?: \| [^|]*){3} \| ([\d.]+) [^#]*?\| Poseidon2 \| 1000 \| present(?: \| [^|]*){3} \| ([\d.]+) /,
  })),
  ...['README.md', 'docs/README.md'].map((page) => ({
    page,
    source: 'bench/COMPACT.md',
    claim: /in \[?(a tenth) of the bytes/,
    figure: /\| size \|[^#]*?\| Poseidon2 \| 0 \| present(?: \| [^|]*){3} \| ([\d.]+) /,
  })),
  {
    page: 'docs/decoder.md',
    source: 'bench/DECODE.md',
    claim: /holds a receipt of ([\d,]+) logs/,
    figure: /A receipt of ([\d,]+) logs/,
  },
  {
    page: 'SECURITY.md',
    source: 'bench/peers/CALLDATA.md',
    claim: /\| (\d+) valid and (\d+) forged results: /,
    figure: / (\d+) valid results[^]* (\d+) forged results, and/,
  },
];
