/** The pages of the site: those of the repository, and the reference that TypeDoc has made. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { placeOf, rewriteLinks } from './links.js';
import { aboutOf, titleOf } from './markdown.js';

const { join } = posix;

export interface Page {
  /** In the repository. */
  readonly file: string;
  /** In the site, as Markdown. */
  readonly place: string;
  readonly title: string;
  /** Its first sentences, without marks. */
  readonly about: string;
  /** With the links of the site. */
  readonly text: string;
  /** What it links to beside pages. */
  readonly files: readonly string[];
}

/** TypeDoc's. */
export const reference = 'docs/api';

const folders: readonly (readonly [folder: string, isDeep: boolean])[] = [
  ['.', false],
  ['docs', false],
  [reference, true],
  ['examples', true],
  ['bench', false],
  ['bench/peers', false],
  ['vectors', false],
  ['src/hash/kernel/generator', false],
];

/** What git has: a note that lies in a checkout is not published. */
const tracked = new Set(execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n'));

function filesOf([folder, isDeep]: (typeof folders)[number]): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { encoding: 'utf8', recursive: isDeep })
    .filter((name) => name.endsWith('.md') && !/(^|\/)node_modules\//.test(name))
    .map((name) => join(folder, name))
    .filter((file) => folder === reference || tracked.has(file))
    .sort();
}

export function readPages(): Page[] {
  const files = new Set(folders.flatMap(filesOf));
  return [...files].map((file) => {
    const text = readFileSync(file, 'utf8');
    return {
      file,
      place: placeOf(file),
      title: titleOf(text),
      about: aboutOf(text),
      ...rewriteLinks(file, text, files),
    };
  });
}
