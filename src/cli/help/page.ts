/** The help of a command, in lines of 80 columns. */
import { installLine, type Peer } from '../../peer.js';
import { type Flag, type Flags, groups } from '../flags/flag.js';

/** The help of a command beside its flags. */
export interface Page {
  /** What it does, in a line of the help of all commands, which also say it in full. */
  readonly summary: string;
  /** Its forms: what must be given. */
  readonly forms: readonly string[];
  /** A command line that makes sense as it stands. */
  readonly example: string;
  /** What is no flag, by its name. */
  readonly operands?: Readonly<Record<string, string>>;
  readonly flags: Flags;
  /** What else there is to know. */
  readonly note?: string;
  /** Optional packages, and what for if not always. */
  readonly needs: readonly (readonly [peers: readonly Peer[], what?: string])[];
  readonly exits: string;
}

const width = 80;
/** Columns in front of what is said of a flag. */
const indent = 22;

/** Text in lines, each behind the first with some columns in front of it. A no-break space becomes a space. */
export function wrap(text: string, start: number, columns: number): string {
  let line = start;
  const words = text.split(' ').map((word, i) => {
    const breaks = i > 0 && line + 1 + word.length > width;
    line = breaks ? columns + word.length : line + (i > 0 ? 1 : 0) + word.length;
    if (breaks) return `\n${' '.repeat(columns)}${word}`;
    return i > 0 ? ` ${word}` : word;
  });
  return words.join('').replaceAll('\u00a0', ' ');
}

/** A name, and what it means beside it. */
function entryText(name: string, text: string): string {
  const gap = name.length + 4 <= indent ? indent - name.length - 2 : 0;
  const start = gap > 0 ? ' '.repeat(gap) : `\n${' '.repeat(indent)}`;
  return `  ${name}${start}${wrap(text, indent, indent)}`;
}

/** What is said of a flag. */
function flagText([name, flag]: readonly [string, Flag]): string {
  const { argument, many, environment, help = '' } = flag;
  const value = argument === undefined ? '' : ` ${argument}${many ? ' ...' : ''}`;
  const commas = many ? ', separated by commas' : '';
  const notes = [
    ...(flag.default === undefined ? [] : [`default ${flag.default}`]),
    ...(environment === undefined ? [] : [`env ${environment}${commas}`]),
  ];
  const added = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return entryText(`--${name}${value}`, `${help}${added}`);
}

/** Flags of a part of the help, with its title. */
function partOf(flags: Flags, group: Flag['group']): string[] {
  const own = Object.entries(flags).filter(([, flag]) => flag.group === group && !flag.idle);
  if (own.length === 0) return [];
  const title = group === undefined ? [] : [`${group[0]?.toUpperCase()}${group.slice(1)}:`];
  return [[...title, ...own.map(flagText)].join('\n')];
}

/** The help of a command, as it is printed. */
export function helpText(page: Page): string {
  const { forms, summary, operands = {}, flags, example, note, needs, exits } = page;
  const given = Object.entries(operands).map(([name, text]) => entryText(name, text));
  const [first = '', ...parts] = [undefined, ...groups].flatMap((group) => partOf(flags, group));
  const lines = needs.map(([peers, what], i) => {
    const work = what === undefined ? '' : `${i === 0 ? ',' : ''} ${what}`;
    return `${i === 0 ? 'Needs' : 'and'}${work}: ${installLine(peers)}`;
  });
  return [
    // A flag and what stands behind it stay on one line; so does an exit code.
    forms
      .map((form) => wrap(`l2proof ${form.replaceAll(/ (?=[A-Z])/g, '\u00a0')}`, 0, 4))
      .join('\n'),
    wrap(`${summary}.${note === undefined ? '' : ` ${note}`}`, 0, 0),
    [...given, ...(first === '' ? [] : [first])].join('\n'),
    ...parts,
    `Example:\n  l2proof ${example}`,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    wrap(`Exit codes: ${exits.replaceAll(/(?<=\b\d) /g, '\u00a0')}`, 0, 0),
  ].join('\n\n');
}
