/** The folder that VitePress makes the site of. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { kindOf } from './links.js';
import { type Page, readPages } from './pages.js';
import { pictureIn, schemeEnding, schemes } from './pictures.js';

/** A file of the site's pages, and what is in it. */
interface SourcePage {
  readonly place: string;
  readonly text: string;
}

const languages: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.mjs': 'js',
  '.js': 'js',
  '.html': 'html',
  '.sol': 'solidity',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.service': 'ini',
};

/** A file of the repository, whose lines can be linked to as `#L12`. */
function sourcePage(file: string): SourcePage {
  const text = readFileSync(file, 'utf8').trimEnd();
  const language = languages[extname(file)] ?? (/Dockerfile$/.test(file) ? 'docker' : 'text');
  const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return {
    place: `${file}.md`,
    text: `# ${file}\n\n${fence}${language} lines\n${text}\n${fence}\n`,
  };
}

function write(folder: string, place: string, text: string): void {
  const path = join(folder, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** YAML takes JSON. */
const frontMatter = (members: object): string => {
  const lines = Object.entries(members).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n`;
};

/** What the first page has of its own. */
const home = { sidebar: false, aside: false, pageClass: 'home', titleTemplate: false };

export interface Assembled {
  readonly pages: readonly Page[];
  /** Writes what VitePress does not: each page as Markdown, and files as they are. */
  copyTo(folder: string): void;
}

/** @param folder is emptied */
export function assemble(folder: string): Assembled {
  const pages = readPages();
  const names = new Set(pages.map(({ file }) => file));
  const files = [...new Set(pages.flatMap((page) => page.files))].sort();
  const sources = files.filter((file) => kindOf(file, names) === 'source').map(sourcePage);
  const copies = files.filter((file) => kindOf(file, names) === 'copy');

  rmSync(folder, { recursive: true, force: true });
  for (const { file, place, title, about, text } of pages) {
    const own = file === 'README.md' ? home : {};
    write(folder, place, frontMatter({ title, description: about, ...own }) + text);
  }
  for (const { place, text } of sources) {
    write(folder, place, frontMatter({ search: false, aside: false }) + text);
  }
  for (const file of copies.filter((name) => name.endsWith('.svg'))) {
    for (const scheme of schemes) {
      write(folder, file.replace(/\.svg$/, schemeEnding(scheme)), pictureIn(scheme, file));
    }
  }
  return {
    pages,
    copyTo(to) {
      for (const { place, text } of [...pages, ...sources]) write(to, place, text);
      for (const file of copies) {
        mkdirSync(dirname(join(to, file)), { recursive: true });
        copyFileSync(file, join(to, file));
      }
    },
  };
}
