/** The pages of `bench`: their frame, their index, their pictures; and the figures that other pages take from them. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { benches } from '../../bench/benches.js';
import { pageText, readPage } from '../../bench/frame.js';
import { pages, pictures } from '../../bench/pictures.js';
import { tablesOf } from '../../bench/tables.js';
import { claims, flat, groupsOf, numberOf, roundedAs } from '../support/figures.js';
import { linksOf } from '../support/pages.js';

const read = (name: string) => readFileSync(`bench/${name}`, 'utf8');

test.each(pages())('%s has the frame of all pages of figures', (name) => {
  const text = read(name);
  const page = readPage(text);
  // Its form, too: `npm run bench -- pictures` brings it there.
  expect(pageText(page)).toBe(text);
  for (const { about, made, tables, shows } of page.parts) {
    expect(about).toMatch(/^[^|!#].*\.$/s);
    const [, command, name = ''] =
      /^`(?:BENCH_\w+=\d+ )*(npm (?:run bench|--prefix bench\/peers run calldata))(?: -- (\w+))?/.exec(
        made,
      ) ?? [];
    expect(command).toBeDefined();
    if (command === 'npm run bench') expect(benches).toHaveProperty(name);
    expect(made.replaceAll('\n', ' ')).toMatch(/ measured on \d{4}-\d\d-\d\d on [^.]+/);
    expect(tables.length).toBeGreaterThan(0);
    expect(shows).toMatch(/^[A-Z1-9`].*\.$/s);
  }
});

test('each picture is what its page has, without scripts, and each of its figures stands there', () => {
  const files = readdirSync('bench').filter((name) => name.endsWith('.svg'));
  expect(Object.keys(pictures).sort()).toEqual(files.sort());
  for (const [name, { page, draw }] of Object.entries(pictures)) {
    const picture = read(name);
    // `npm run bench -- pictures` draws them anew.
    expect([name, picture]).toEqual([name, draw(read(page))]);
    expect(picture).not.toMatch(/<script|href|\bus\b/);
    expect(picture).toMatch(/(?:shorter|lower|higher) is better|fewer are better/);
    expect(picture).toContain('prefers-color-scheme: dark');
    const shown = readPage(read(page)).parts.flatMap(({ pictures = [] }) => pictures);
    expect(shown.map((one) => one.name)).toContain(name);
  }
});

test('a picture changes with a figure of its page', () => {
  const page = read('RESULTS.md');
  const { draw } = pictures['proofs.svg'] as (typeof pictures)[string];
  const figure = /\| Poseidon2, one warm proof +\| +([\d.]+ µs)/.exec(page)?.[1] as string;
  expect(draw(page)).toContain(`>${figure}<`);
  expect(draw(page.replaceAll(figure, '12.3 µs'))).not.toBe(draw(page));
  expect(draw(page)).toContain('logarithmic axis');
});

test('no picture has text beyond its edge', () => {
  for (const name of Object.keys(pictures)) {
    const texts = [...read(name).matchAll(/<text(.*?)>(.*?)<\/text>/g)];
    expect(texts.length).toBeGreaterThan(5);
    for (const [, look = '', words = ''] of texts) {
      const x = Number(/ x="([\d.]+)"/.exec(look)?.[1]);
      const size = look.includes('title') ? 8.4 : look.includes('note') ? 5.9 : 6.6;
      const width = size * words.replaceAll(/&\w+;/g, 'x').length;
      const [, anchor] = /text-anchor="(\w+)"/.exec(look) ?? [];
      const from = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
      expect([name, words, from > 0, from + width < 420]).toEqual([name, words, true, true]);
    }
  }
});

/** Numbers with their marks, as a page has them. */
const numbers = (text: string): string[] => text.match(/\d[\d,.]*\d|\d/g) ?? [];

test('bench/README.md has each page once, a figure of it, and its command', () => {
  const [index] = tablesOf(read('README.md'));
  const rows = index?.rows ?? [];
  expect(
    linksOf('bench/README.md')
      .filter((link) => link.endsWith('.md'))
      .sort(),
  ).toEqual(expect.arrayContaining(pages().sort()));
  expect(rows.map(([, , link = '']) => /\((.*)\)/.exec(link)?.[1]).sort()).toEqual(pages().sort());
  for (const [question = '', answer = '', link = '', command = ''] of rows) {
    expect(question).toMatch(/\?$/);
    const page = read(/\((.*)\)/.exec(link)?.[1] as string);
    const figures = numbers(answer.replaceAll('Poseidon2', ''));
    expect(figures.length).toBeGreaterThan(0);
    const own = new Set(numbers(page));
    expect([link, figures.filter((figure) => !own.has(figure))]).toEqual([link, []]);
    expect(page).toContain(command.slice(1, -1));
  }
});

test.each(claims)('$page says $claim as $source has it', ({ page, claim, source, figure, as }) => {
  const said = groupsOf(page, claim);
  const found = groupsOf(source, figure).map(numberOf);
  const values = as?.(...found) ?? found;
  expect(said.map(numberOf)).toEqual(said.map((text, i) => roundedAs(text, values[i] as number)));
});

test('a figure beside a link to a page of bench is held against it', () => {
  const papers = [
    ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md'],
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const loose = papers.flatMap((page) =>
    flat(page)
      .split(/\n|(?<=[.:]) (?=[A-Z`[])/)
      .filter((line) => /\]\((\.\.\/)?bench\/[\w/]+\.md\)/.test(line))
      .filter((line) => /(?<![\w^])\d/.test(line.replaceAll(/`[^`]*`|\]\([^)]*\)|\bL[12]\b/g, '')))
      .filter((line) => !claims.some((one) => one.page === page && one.claim.test(line)))
      .map((line) => [page, line]),
  );
  expect(loose).toEqual([]);
});
