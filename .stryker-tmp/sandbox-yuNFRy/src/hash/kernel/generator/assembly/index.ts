/** What both modules export. `family` is resolved by generate.ts to mimc.ts or poseidon2.ts. */
// @ts-nocheck

export { DATA, DECODED, HEX, LANES, OUT, PATH, PATH_STRIDE } from './layout'
export { canonical, hash, hashed } from './family'
export { forget, resize } from './memo'
export { decode, recoverRoots, setShape } from './path'
export { hashEach } from './queue'
