/** The packages of the EVM, loaded with the first call. */
import { loadPeer, type PeerUser } from '../../peer.js';
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

/** Members that the packages read of objects that may be without them: their prototype could lend a value. */
const borrowed = [
  ...['accessList', 'accessWitness', 'blobVersionedHashes', 'block', 'blockLevelAccessList', 'bls'],
  ...['caller', 'chargeCodeAccesses', 'code', 'codeAddress', 'createdAddresses', 'customCrypto'],
  ...['data', 'delegatecall', 'depth', 'eofCallData', 'exceptionError', 'executionGasUsed'],
  ...['gasFunction', 'gasLimit', 'gasPrice', 'gasRefund', 'initialLogs', 'isCompiled', 'isCreate'],
  ...['isStatic', 'logs', 'message', 'origin', 'params', 'pc', 'preimages', 'profiler', 'salt'],
  ...['selfdestruct', 'skipBalance', 'skipNonceIncrement', 'stateGasSpilled', 'to', 'value'],
];

/** @throws EvmError `ENGINE` if `Object.prototype` has such a member */
export function checkPrototype(): void {
  const found = borrowed.find((name) => name in Object.prototype);
  if (found === undefined) return;
  const text = `Object.prototype has a member "${found}", which the EVM package would take for its own`;
  throw new EvmError('ENGINE', text);
}
