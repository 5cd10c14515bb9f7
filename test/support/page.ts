/** The explorer's files, as the build has left them. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newFolder } from './folder.js';

/** In hex. */
export const sha256 = (data: string | Buffer): string =>
  createHash('sha256').update(data).digest('hex');

export const pageFolder = 'dist/page';

/** Path in the folder -> SHA-256. */
export const manifest = (): Record<string, string> =>
  JSON.parse(readFileSync(join(pageFolder, 'files.json'), 'utf8'));

/** The paths of all files in the folder. */
export const pageNames = (): string[] => ['files.json', ...Object.keys(manifest())];

/** A page of two files, that a test may change. */
export function writePage(): { folder: string; url: URL } {
  const folder = join(newFolder(), 'page');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  const policy = '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'" />';
  const files = { 'assets/a-1234.js': 'run();', 'index.html': `<!doctype html>${policy}` };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const hashes = Object.entries(files).map(([name, text]) => [name, sha256(text)]);
  writeFileSync(join(folder, 'files.json'), JSON.stringify(Object.fromEntries(hashes)));
  return { folder, url: pathToFileURL(`${folder}/`) };
}

/** What `index.html` loads: its relative links, by the attribute that holds each. */
export function linksOfIndex(text: string): string[] {
  return [...text.matchAll(/<(?:link|script)\b[^>]*?\b(?:href|src)="([^"]+)"/g)].map(
    ([, link]) => link as string,
  );
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  woff2: 'font/woff2',
  md: 'text/markdown',
  txt: 'text/plain',
};

/** As any web server names it. */
export const mediaTypeOf = (file: string): string =>
  types[file.split('.').at(-1) as string] ?? 'application/octet-stream';
