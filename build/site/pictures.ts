/** The pictures of the pages in each scheme. */
import { readFileSync } from 'node:fs';

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** Behind the name of a picture. */
export const schemeEnding = (scheme: Scheme): string => `.${scheme}.svg`;

/** A picture that asks nobody for its scheme. */
export function pictureIn(scheme: Scheme, file: string): string {
  const isAsked = scheme === 'dark' ? 'all' : 'not all';
  return readFileSync(file, 'utf8').replaceAll(
    /@media \(prefers-color-scheme: ?dark\)/g,
    `@media ${isAsked}`,
  );
}
