/** The codes of an error class, in the words of the comment beside them. */
import { readFileSync } from 'node:fs';

/** A code, and what it means. */
export interface Code {
  readonly name: string;
  /** What is wrong, from the comment. */
  readonly text: string;
  /** Page of the laws and number of the section: `protocol`, `4.3`. */
  readonly sections: readonly (readonly [page: string, section: string])[];
}

/** The sections that end a line: `(protocol 4.3, 7.4; compact 5)`. */
const sectionsForm = / \(((?:(?:protocol|compact) [\d., ]+(?:; )?)+)\)$/;

/** The codes of a union type whose comment has a line for each. @param type for example `VerificationCode` */
export function codesOf(file: string, type: string): Code[] {
  const [before] = readFileSync(file, 'utf8').split(`\nexport type ${type} =`) as [string];
  const comment = before.slice(before.lastIndexOf('/**'));
  const plain = comment.replaceAll(/\n \* {2,}/g, ' ');
  return [...plain.matchAll(/^ \* - `(\w+)` (.*)$/gm)].map(([, name, line]) => {
    const [end, list = ''] = sectionsForm.exec(line as string) ?? [''];
    const sections = list.split('; ').flatMap((part) => {
      const [page, ...numbers] = part.split(/,? /) as [string, ...string[]];
      return numbers.map((number) => [page, number] as const);
    });
    return { name: name as string, text: (line as string).replace(end, ''), sections };
  });
}
