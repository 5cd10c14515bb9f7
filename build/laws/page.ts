/** `docs/laws.md`: each law with the lines that refuse, the forgeries that are refused there, and the tests that name it. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Code, codesOf } from './codes.js';
import { reasonFor, untestedFor } from './explained.js';
import { type Refusal, refusals } from './forgeries.js';
import { type Site, sitesOf } from './sites.js';
import { head, othersHead, shapeHead } from './words.js';

/** The error classes, each with the file that lists its codes. */
const classes = [
  { type: 'VerificationCode', file: 'src/errors.ts', title: 'The verifier' },
  { type: 'AnchorErrorCode', file: 'src/anchor/common/errors.ts', title: 'The root from L1' },
  { type: 'ConsensusErrorCode', file: 'src/beacon/verify/errors.ts', title: "L1's consensus" },
  { type: 'HistoryErrorCode', file: 'src/history/verify/errors.ts', title: 'History' },
  { type: 'MessageErrorCode', file: 'src/messages/errors.ts', title: 'Messages from L2 to L1' },
] as const;

/** Where a malformed answer is refused before any law is looked at. */
const shapeFolders = /^src\/(codec|compact|foreign|proof|trace|verify)\//;

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

const table = (heads: string[], rows: string[]): string =>
  [row(...heads), row(...heads.map(() => '---')), ...rows].join('\n');

/** One below the other, each once. */
const stacked = (list: readonly string[]): string => [...new Set(list)].join('<br>');

const code = (text: string): string => `\`${text}\``;

/** A line of a source, as a link. */
const linkOf = ({ file, line }: Site): string =>
  `[${file.replace('src/', '')}:${line}](../${file}#L${line})`;

/** What begins the sections of a page: the words of a heading, or of a paragraph. */
const isSection = (page: string, number: string): boolean =>
  new RegExp(`^(#+ |\\*\\*)${number.replaceAll('.', '\\.')}[. ]`, 'm').test(
    readFileSync(`docs/${page}.md`, 'utf8'),
  );

/** The sections of a law, as links. @throws Error for one that its page does not have */
function sectionsOf({ name, sections }: Code): string {
  const missing = sections.find(([page, number]) => !isSection(page, number));
  if (missing) throw new Error(`${name} names a section that is not there: ${missing.join(' ')}`);
  const shown = [...new Set(sections.map(([page]) => page))].map((page) => {
    const numbers = sections.filter(([of]) => of === page).map(([, number]) => number);
    return `[${page}](${page}.md) ${numbers.join(', ')}`;
  });
  return shown.join('; ');
}

/** The site that an error comes from: the first line of its stack that is one for its code. */
function siteOf(sites: readonly Site[], { error }: Refusal): Site | undefined {
  const name = error.code ?? error.name;
  const frames = [...(error.stack ?? '').matchAll(/\/(src\/[\w/]+\.ts):(\d+):\d+/g)];
  for (const [, file, text] of frames) {
    const line = Number(text);
    const site = sites.find(
      (each) =>
        each.file === file && each.code === name && each.line <= line && line <= each.lastLine,
    );
    if (site) return site;
  }
  return undefined;
}

/** The forgeries that end at each site. @throws Error for one that ends at none */
function endsOf(sites: readonly Site[]): Map<Site, Refusal[]> {
  const ends = new Map<Site, Refusal[]>();
  for (const refusal of refusals()) {
    const site = siteOf(sites, refusal);
    if (!site) throw new Error(`no line was found for ${refusal.file}: ${refusal.error.stack}`);
    ends.set(site, [...(ends.get(site) ?? []), refusal]);
  }
  return ends;
}

/** How many forgeries of each file, with the name of one. */
function shownForgeries(own: readonly Refusal[]): string[] {
  return [...new Set(own.map(({ file }) => file))].map((file) => {
    const [first, ...more] = own.filter((each) => each.file === file) as [Refusal, ...Refusal[]];
    const shown = `${code(file.replace('vectors/', ''))}: “${first.name.replaceAll('|', '\\|')}”`;
    return more.length > 0 ? `${shown} and ${more.length} more` : shown;
  });
}

/** A file of tests. */
interface TestFile {
  /** Path below `test`. */
  readonly name: string;
  readonly text: string;
}

const readTests = (): TestFile[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => ({ name, text: readFileSync(`test/${name}`, 'utf8') }));

const names = (tests: readonly TestFile[]): string[] => tests.map(({ name }) => code(name));

const naming = (tests: readonly TestFile[], word: string): TestFile[] =>
  tests.filter(({ text }) => new RegExp(`\\b${word}\\b`).test(text));

/** The tests of a site's folder that name its code: `src/a/b` has them in `unit/a`. */
function testsAt(tests: readonly TestFile[], site: Site): TestFile[] {
  const [, folder] = site.file.split('/');
  return naming(tests, site.code).filter(({ name }) => name.startsWith(`unit/${folder}/`));
}

/** The tests that run a file of forgeries. */
function runnersOf(tests: readonly TestFile[], { file }: Refusal): TestFile[] {
  if (file.startsWith('vectors/')) return tests.filter(({ name }) => name === 'vectors.test.ts');
  return tests.filter(({ text }) => text.includes(file.replace('test/', '').replace('.ts', '.js')));
}

/** What the tables are made of. */
interface Found {
  readonly sites: readonly Site[];
  readonly ends: ReadonlyMap<Site, readonly Refusal[]>;
  readonly tests: readonly TestFile[];
}

/** The row of a place that refuses. @throws Error if no forgery ends there, and nobody says why */
function lawRow({ ends, tests }: Found, site: Site, law: string): string {
  const forgeries = ends.get(site) ?? [];
  const reason = reasonFor(site);
  const where = `${site.file}:${site.line} (${site.code})`;
  if (forgeries.length === 0 && reason === undefined) {
    throw new Error(`no forgery ends at ${where}: make one, or say why in build/laws/explained.ts`);
  }
  if (forgeries.length > 0 && reason !== undefined) {
    throw new Error(`a forgery ends at ${where}, which build/laws/explained.ts says has none`);
  }
  const run = [...forgeries.flatMap((each) => runnersOf(tests, each)), ...testsAt(tests, site)];
  if (run.length === 0) throw new Error(`no test names ${where}`);
  const shown = reason === undefined ? stacked(shownForgeries(forgeries)) : `none: ${reason}`;
  return row(code(site.code), law, linkOf(site), shown, stacked(names(run)));
}

/** The laws of the verifier: one row for each place that refuses. */
function lawTable(found: Found, type: string, laws: readonly Code[]): string {
  const rows = laws.flatMap((law) => {
    const own = found.sites.filter((site) => site.type === type && site.code === law.name);
    if (own.length === 0) throw new Error(`nothing refuses with ${law.name}`);
    const words = `${law.text} (${sectionsOf(law)})`;
    return own.map((site, i) => lawRow(found, site, i === 0 ? words : ''));
  });
  return table(['code', 'refused if', 'at', 'forgeries that end there', 'tests'], rows);
}

/** What is malformed: one row for each place that refuses it. */
function shapeTable({ sites, ends }: Found): string {
  const own = sites.filter(({ type, file }) => type === 'ShapeError' && shapeFolders.test(file));
  const rows = own.map((site) =>
    row(linkOf(site), code(site.place), stacked(shownForgeries(ends.get(site) ?? [])) || 'none'),
  );
  return table(['at', 'in', 'forgeries that end there'], rows);
}

/** The codes of another class: one row for each. @throws Error if none of the tests beside its code names one */
function codeTable({ sites, tests }: Found, type: string, codes: readonly Code[]): string {
  const rows = codes.map(({ name, text }) => {
    const own = sites.filter((site) => site.type === type && site.code === name);
    if (own.length === 0) throw new Error(`nothing in src makes a ${type} ${name}`);
    const files = [...new Set(own.map(({ file }) => file))];
    const places = files.map((file) => {
      const functions = own.filter((site) => site.file === file).map(({ place }) => place);
      const shown = [...new Set(functions)].filter((place) => place !== '').map(code);
      return `[${file.replace('src/', '')}](../${file}) ${shown.join(', ')}`.trim();
    });
    const named = stacked(names(own.flatMap((site) => testsAt(tests, site))));
    const reason = untestedFor(type, name);
    if ((named === '') !== (reason !== undefined)) {
      throw new Error(
        `${name} of ${type} ${named === '' ? 'has no test: write one, or say why' : 'has tests, and no reason for none'} in build/laws/explained.ts`,
      );
    }
    return row(code(name), text, stacked(places), named || `none: ${reason}`);
  });
  return table(['code', 'what is wrong', 'made in', 'tests that name it'], rows);
}

/** The page. @throws Error if a law has no line that refuses, no forgery, or no test */
export function lawsPage(): string {
  const lists = classes.map((each) => ({ ...each, codes: codesOf(each.file, each.type) }));
  const sites = sitesOf(
    lists.map(({ type, file, codes }) => ({
      ...{ type, names: codes.map(({ name }) => name) },
      room: file.split('/').slice(0, 2).join('/'),
    })),
  );
  const found: Found = { sites, ends: endsOf(sites), tests: readTests() };
  const [verifier, ...others] = lists as [(typeof lists)[0], ...typeof lists];
  return [
    head,
    lawTable(found, verifier.type, verifier.codes),
    shapeHead,
    shapeTable(found),
    othersHead,
    ...others.flatMap(({ type, title, codes }) => [`### ${title}`, codeTable(found, type, codes)]),
  ]
    .join('\n\n')
    .concat('\n');
}
