/** The packages of the EVM, loaded with the first call. */
import { loadPeer, type PeerUser } from '../peer.js';
import { EvmError } from './errors.js';

const needs = ['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util'] as const;

const user: PeerUser<(typeof needs)[number]> = {
  title: 'eth_call',
  needs,
  fail: (message, options) => new EvmError('MISSING_PEER', message, options),
};

async function load() {
  const [evm, common, util] = await Promise.all([
    loadPeer(user, '@ethereumjs/evm', import('@ethereumjs/evm')),
    loadPeer(user, '@ethereumjs/common', import('@ethereumjs/common')),
    loadPeer(user, '@ethereumjs/util', import('@ethereumjs/util')),
  ]);
  return { evm, common, util };
}

export type Packages = Awaited<ReturnType<typeof load>>;

let loading: Promise<Packages> | undefined;

/** @throws EvmError `MISSING_PEER` */
export function loadPackages(): Promise<Packages> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
