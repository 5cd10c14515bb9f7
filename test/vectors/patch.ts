/** Edits of a result by JSON pointers, as `mutations` files write them. */
import type { Json } from './members.js';

export interface Edit {
  op: 'replace' | 'remove' | 'add';
  path: string;
  value?: Json;
}

/** Applies edits in order to a deep copy. Throws if one does not fit, so that no case goes stale. */
export function applyPatch(result: Json, patch: readonly Edit[]): Json {
  const copy = structuredClone(result);
  for (const { op, path, value } of patch) {
    const names = path.split('/').slice(1);
    const last = names.pop() as string;
    let target = copy as unknown as Record<string, unknown> | unknown[];
    for (const name of names)
      target = (target as Record<string, typeof target>)[name] as typeof target;
    if (op !== 'add' && !Object.hasOwn(target, last)) throw new Error(`patch: nothing at ${path}`);
    if (Array.isArray(target)) {
      const at = last === '-' ? target.length : Number(last);
      if (op === 'add') target.splice(at, 0, value);
      else if (op === 'remove') target.splice(at, 1);
      else target[at] = value;
    } else if (op === 'remove') delete target[last];
    // A plain assignment to `__proto__` would set the prototype instead of a member.
    else
      Object.defineProperty(target, last, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}
