/** The pages of the documents, and the blocks of code in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect } from 'vitest';

/** Pages that are read and not followed: the law, the threats, a format, how it is tested. */
const papers = ['compact.md', 'laws.md', 'protocol.md', 'testing.md', 'threats.md'];

/** The README and the guides for readers, who follow them from an empty folder. */
export const guides = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && !papers.includes(name))
    .map((name) => `docs/${name}`),
];

/** A block of code. */
export interface CodeBlock {
  language: string;
  code: string;
}

/** All blocks of code of a page, in order. */
export const blocksOf = (page: string): CodeBlock[] =>
  [...readFileSync(page, 'utf8').matchAll(/```(\w*)\n([^]*?)```/g)].map(([, language, code]) => ({
    language: language as string,
    code: code as string,
  }));

/** The links of a page that do not lead out of the package, with their fragments; code blocks have none. */
export function linksOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/```[^]*?```/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
  return links.filter((link) => !link.startsWith('https://'));
}

/** The file that a link of a page leads to. */
export function targetOf(page: string, link: string): string {
  const [path] = link.split('#') as [string];
  return path === '' ? page : posix.normalize(posix.join(page, '..', path));
}

/** A program of a page, and what the page says that it prints: the block of text behind it. */
export interface Program {
  code: string;
  prints: string | undefined;
}

/** The TypeScript programs of a page. */
export function programsOf(page: string): Program[] {
  const blocks = blocksOf(page);
  return blocks.flatMap(({ language, code }, i) => {
    const next = blocks[i + 1];
    const prints = next?.language === 'text' ? next.code.trimEnd() : undefined;
    return language === 'ts' ? [{ code, prints }] : [];
  });
}

/** What is like an example of a page: numbers and white space may differ, for they depend on the chain. */
export function like(example: string | undefined): RegExp {
  const plain = (example ?? '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const form = plain
    .replaceAll(/0x[0-9a-f]+|\d+/gi, (number) =>
      number.startsWith('0x') ? '0x[0-9a-fA-F]+' : '\\d+',
    )
    .replaceAll(/\s+/g, '\\s+');
  return new RegExp(`^${form}$`);
}

/** How many blocks of each language a page has. */
export function countsOf(page: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { language } of blocksOf(page)) counts[language] = (counts[language] ?? 0) + 1;
  return counts;
}

/** The commands of the first shell block of a page that has a word in it, without comments. */
export function shellOf(page: string, word: string): string[] {
  const block = blocksOf(page).find(
    ({ language, code }) => language === 'sh' && code.includes(word),
  ) as CodeBlock;
  const lines = block.code.split('\n').map((line) => line.replace(/ +#.*/, ''));
  return lines.filter((line) => line !== '');
}

/**
 * The program and its arguments that a command of a page stands for.
 *
 * @param main the command's file: of this checkout, or as installed
 */
export function commandOf(
  line: string,
  main = resolve('dist/cli/main.js'),
): [program: string, args: string[]] {
  expect(line).toMatch(/^(npx )?l2proof /);
  return [process.execPath, [main, ...line.replace(/^(npx )?l2proof /, '').split(' ')]];
}

/** Checks that the install lines of a page name the versions that are tested here. */
export function checkVersions(page: string): void {
  const { devDependencies, version: own } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...readFileSync(page, 'utf8').matchAll(/([@\w][\w/-]*)@(\d+\.\d+\.\d+)/g)];
  for (const [, name, version] of named) {
    const tested = /^l2proof(-server)?$/.test(name as string)
      ? own
      : devDependencies[name as string];
    expect([page, name, version]).toEqual([page, name, tested]);
  }
}
