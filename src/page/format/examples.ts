/** How arguments are written. */
import type { Param } from './abi.js';

/** How a reader writes a value of a type. */
export function exampleOf(param: Param): string {
  if (param.components !== undefined || param.type.endsWith(']')) return 'JSON, such as ["1", "2"]';
  const { type } = param;
  if (type === 'address') return '0x and 40 hex digits';
  if (type.startsWith('bytes')) return '0x…';
  if (type === 'bool') return 'true or false';
  return type === 'string' ? 'a text' : 'a whole number';
}
