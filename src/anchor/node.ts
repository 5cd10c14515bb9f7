/**
 * `l2proof/anchor` where packages are found at run time (Node, Deno, Bun): the same names, and an error that says what
 * to install if the package for RLP is missing. Bundlers take the index, without an `await` at the top.
 */
import { AnchorError } from './errors.js';

const entry = await import('./index.js').catch((cause: unknown) => {
  if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
  throw new AnchorError(
    'MISSING_PEER',
    'l2proof/anchor needs @ethereumjs/rlp; run: npm install @ethereumjs/rlp@10.1.3',
    { cause },
  );
});

export const {
  anchorStorageKeys,
  defineNetwork,
  givenAnchor,
  networks,
  verifyAnchorProof,
  verifyL1Header,
} = entry;
export { AnchorError };
