/** Texts whose wholeness shows. */
import { createHash } from 'node:crypto';

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A text of some 200 kB, as long as what a light client keeps of mainnet. */
export function textOf(number: number): string {
  const body = `${number} `.repeat(Math.ceil(200_000 / `${number} `.length));
  return `${sumOf(body)}\n${body}`;
}

/** Whether it is one of these, from its first character to its last. */
export function isWhole(text: string): boolean {
  const [sum = '', body = ''] = text.split('\n');
  return body.length >= 200_000 && sumOf(body) === sum;
}
