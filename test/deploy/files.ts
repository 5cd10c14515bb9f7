/** The files of `deploy` as the tools that they are for read them. */
import { readFileSync } from 'node:fs';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';

/** A service of compose.yaml, as far as the tests look at it. */
export interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly command?: string | readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly [more: string]: unknown;
}

export const textOf = (name: string): string => readFileSync(`deploy/${name}`, 'utf8');

/** The services of compose.yaml, with what they share merged in. */
export function readServices(): Record<string, ComposeService> {
  return parse(textOf('compose.yaml'), { merge: true }).services;
}

/** The last stage of the Dockerfile: its instructions, and the words of those that are written as a list. */
export function readImage() {
  const file = DockerfileParser.parse(textOf('Dockerfile'));
  const stages = file.getInstructions().filter((one) => one.getKeyword() === 'FROM');
  const last = stages.at(-1)?.getRange().start.line as number;
  const instructions = file.getInstructions().filter((one) => one.getRange().start.line > last);
  const find = (keyword: string) => {
    const found = instructions.filter((one) => one.getKeyword() === keyword);
    if (found.length !== 1)
      throw new Error(`the image has ${found.length} instructions ${keyword}`);
    return found[0] as (typeof found)[number];
  };
  return {
    file,
    argumentOf: (keyword: string) => find(keyword).getArgumentsContent() as string,
    wordsOf: (keyword: string): string[] =>
      JSON.parse(/\[.*\]/s.exec(find(keyword).getArgumentsContent() as string)?.[0] ?? ''),
  };
}
