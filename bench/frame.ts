/**
 * The frame of all pages of figures. Each part of a page says what was measured, in one paragraph; which command did it,
 * when and on which machine; the figures, as tables with their pictures; and in one paragraph what they show.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Table, tablesOf, textOf } from './tables.js';

/** What a page has once, or once for each of its sections. */
export interface Part {
  /** Of the page, or of a section. */
  readonly title: string;
  readonly about: string;
  /** The command, the day and the machine. A later change of the code that makes the figures old is said here, too. */
  readonly made: string;
  readonly tables: readonly Table[];
  /** Drawn from the tables by `pictures.ts`. */
  readonly pictures?: readonly Picture[];
  readonly shows: string;
}

interface Picture {
  readonly name: string;
  /** What it shows, for those who cannot see it. */
  readonly about: string;
}

/** A page with one part has its title; one with several has a title of its own. */
export interface Page {
  readonly title: string;
  readonly parts: readonly Part[];
}

const marker = '**What it shows.** ';
const longest = 130;

/** Lines of at most some 130 characters. */
function wrap(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > longest) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

function partText(
  { title, about, made, tables, pictures = [], shows }: Part,
  level: string,
): string {
  return [
    `${level} ${title}`,
    wrap(about),
    wrap(made),
    ...tables.map(textOf),
    ...(pictures.length > 0
      ? [pictures.map((picture) => `![${picture.about}](${picture.name})`).join('\n')]
      : []),
    wrap(`${marker}${shows}`),
  ].join('\n\n');
}

/** A page of one part. */
export const pageOf = (part: Part): Page => ({ title: part.title, parts: [part] });

export function pageText({ title, parts }: Page): string {
  const [first] = parts;
  if (parts.length === 1) return `${partText({ ...(first as Part), title }, '#')}\n`;
  return `${[`# ${title}`, ...parts.map((part) => partText(part, '##'))].join('\n\n')}\n`;
}

function readPart(title: string, text: string): Part {
  const blocks = text.trim().split('\n\n');
  const [about = '', made = ''] = blocks;
  const figures = blocks.slice(2, -1);
  const last = blocks.at(-1) ?? '';
  const isOurs = last.startsWith(marker) && figures.every((block) => /^(\||!\[)/.test(block));
  if (!isOurs) throw new Error(`"${title}" is not made as bench/frame.ts has it`);
  return {
    ...{ title, about, made, shows: last.slice(marker.length) },
    tables: tablesOf(figures.join('\n\n')),
    pictures: [...figures.join('\n').matchAll(/^!\[(.+)\]\((.+)\)$/gm)].map(([, what, name]) => ({
      ...{ name: name as string, about: what as string },
    })),
  };
}

/** Reads a page that is made so. */
export function readPage(text: string): Page {
  const [head = '', ...sections] = text.split(/^## /m);
  const [, title = '', own = ''] = /^# (.*)\n\n([^]*)$/.exec(head) ?? [];
  if (sections.length === 0) return { title, parts: [readPart(title, own)] };
  const parts = sections.map((section) => {
    const end = section.indexOf('\n');
    return readPart(section.slice(0, end), section.slice(end));
  });
  return { title, parts };
}

/** The machine of this run. @param load the load average, if it is of another moment than now */
export function machine(load = loadavg()[0] as number): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return `${cpus().length} x ${model}, Node ${process.version}, at a load of ${Math.round(load)}`;
}

/** Says which command measured, now and here. */
export function madeBy(command: string, where = machine()): string {
  const today = new Date().toISOString().slice(0, 10);
  return `\`${command}\`, measured on ${today} on ${where}.`;
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const readBench = (name: string): string => readFileSync(fileOf(name), 'utf8');

export const writeBench = (name: string, text: string): void => writeFileSync(fileOf(name), text);
