/** For `node --import`: nothing that this process loads finds the package for RLP. */
// @ts-nocheck

import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  if (specifier.startsWith('@ethereumjs/rlp')) throw new Error('the package for RLP is not there');
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
