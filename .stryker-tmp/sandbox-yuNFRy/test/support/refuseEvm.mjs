/** For `node --import`: nothing that this process loads finds the packages of the EVM. */
// @ts-nocheck

import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  if (/^@ethereumjs\\/(evm|common|util)/.test(specifier)) throw new Error('the EVM is not there');
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
