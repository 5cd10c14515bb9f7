/** What the site reads in a page's Markdown. */

/** As code hosts name the headings of a page in links, but for the number of one that comes again. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Blocks of code, and code within a sentence. */
const code =
  /^ *(?<fence>`{3,})[^\n]*\n[^]*?^ *\k<fence>`*$|(?<ticks>`+)(?!`)(?:(?!\n\n)[^])+?(?<!`)\k<ticks>(?!`)/gm;

/** Changes a page's text, and none of its code. */
export function changeText(text: string, change: (text: string) => string): string {
  let end = 0;
  let changed = '';
  for (const { 0: found, index } of text.matchAll(code)) {
    changed += change(text.slice(end, index)) + found;
    end = index + found.length;
  }
  return changed + change(text.slice(end));
}

/** Words without the marks of Markdown, on one line. */
export const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`|\\(?=[<>_*[\]|{}])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** @returns a name without the parameters of its type, which may be long */
export function titleOf(text: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error('a page of the site needs a heading of the first rank');
  return plainOf(title.replace(/\\<.*$/, ''));
}

/** Longest description of a page, in characters. */
const longest = 240;

/** The first sentences of a page: as many as fit, or what fits of the first. */
export function aboutOf(text: string): string {
  const [, body = ''] = text.split(/^# .+$/m, 2);
  const paragraphs = body.replaceAll(/^(`{3,})[^]*?^\1$/gm, '').split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^[\w`*[(“"]/.test(paragraph.trim())) ?? '';
  const sentences = plainOf(first).match(/.+?(?:[.!?:](?= )|$)/g) ?? [];
  let about = '';
  for (const sentence of sentences) {
    if (about !== '' && about.length + sentence.length > longest) break;
    about += sentence;
  }
  return about.length <= longest ? about : `${about.slice(0, longest).replace(/\s+\S*$/, '')}…`;
}
