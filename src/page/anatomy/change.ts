/** One digit of an answer changed, to see which law finds it. */

/** The parts of a path such as `storageProofs[0].leftProof.value`. */
const partsOf = (path: string): string[] => path.match(/[^.[\]]+/g) ?? [];

/** Another last digit: 0 and 1 for each other, and so on. */
function changedValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string' || !/[0-9a-f]$/i.test(value)) return value;
  const last = Number.parseInt(value.at(-1) as string, 16);
  return value.slice(0, -1) + (last ^ 1).toString(16);
}

/**
 * Changes the last digit of a figure.
 *
 * @param answer JSON; it stays as it is
 * @param path of the figure, as the errors of the verifier name it
 * @returns a copy; the same as before if it has no such figure
 */
export function changeDigit(answer: unknown, path: string): unknown {
  const [name, ...rest] = partsOf(path);
  if (name === undefined) return changedValue(answer);
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, name)) return answer;
  const changed = changeDigit((answer as Record<string, unknown>)[name], rest.join('.'));
  if (Array.isArray(answer)) return answer.map((one, i) => (String(i) === name ? changed : one));
  return { ...answer, [name]: changed };
}

/** Nodes of a path: the top one, 40 siblings from the root on, and the leaf. */
const nodes = 42;

/** Path of the node in an answer that has a level's sibling. @param at of the nodes @param level 40 for the top node */
export const nodePath = (at: string, level: number): string => `${at}[${nodes - 2 - level}]`;
/** Path of the leaf in an answer. */
export const leafPath = (at: string): string => `${at}[${nodes - 1}]`;
