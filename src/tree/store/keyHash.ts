/** A hash of 32 bits of a key (FNV-1a): not against anyone who chooses keys, only to look at few of them. */
export function keyHash(key: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ (key[i] as number), 0x01000193);
  return hash >>> 0;
}
