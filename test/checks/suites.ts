/** Tests of what decides whether a proof holds, in the order in which they are asked: the short ones first. */
const verifier = [
  ...['foreign', 'codec', 'parse', 'held', 'hashKey', 'verifyForged', 'verifier', 'verify'],
  ...[
    'callers',
    'slots',
    'adversarial/shape',
    'adversarial/pollution',
    'property/codec',
    'compactMessages',
    'compact.test',
    'compactEncode',
    'compactReader',
    'calldata',
  ],
  ...[
    'roundTrips',
    'proofForms',
    'messages',
    'property/compact',
    'vectors.test',
    'property/mutate',
  ],
];
const compact = [
  ...[
    'compactMessages',
    'compact.test',
    'compactEncode',
    'compactReader',
    'climb',
    'abi',
    'compactWriter',
  ],
  ...['compactVectors', 'calldata', 'property/compact', 'proofForms'],
];
const mpt = ['mpt', 'rlp', 'trieRoot', 'l1Header', 'property/mpt', 'anchor', 'property/anchor'];
const rpc = ['rpc', 'deadline', 'retry', 'proofClient', 'roundTrips', 'callers', 'proofForms'];

/** Folder of `src` -> the tests that may notice a check that is missing there; those of its own come first. */
export const suitesOf: Record<string, readonly string[]> = {
  foreign: verifier,
  codec: verifier,
  proof: verifier,
  verify: verifier,
  compact,
  trace: [
    'trace.test',
    'adversarial/traceShape',
    'messages',
    'property/traceMutate',
    'vectors.test',
  ],
  tree: [
    ...['search', 'sharedTree', 'treeDamage', 'treeStores', 'treeMigrate', 'packs', 'steps'],
    ...['overlay', 'forest'],
    ...['sorter', 'spool', 'storeAccess', 'stateLoad', 'snapshotForm', 'snapshotRefused'],
    ...['snapshot.test', 'prior', 'finalize.test', 'blockHash', 'answerTexts', 'proofText'],
    ...['tree', 'storeLaws', 'property/sortedMap', 'property/accumulator', 'property/read'],
    ...['property/state', 'genesis', 'stateFile', 'walk', 'messages', 'storeVersion'],
    ...['lookReader', 'gethGenesis', 'trieRoot', 'roundTrips', 'lmdb.test', 'vectors.test'],
  ],
  disk: ['scratch', 'sorter', 'spool'],
  rpc: [...rpc, 'fetchState', 'follow.test'],
  mpt,
  anchor: ['anchor', 'fetchAnchor', 'fetchState', 'l1Header', 'property/anchor', 'finality'],
  evm: [
    ...[
      'gas',
      'evmRefusals',
      'evmTurns',
      'evmModexp',
      'evmForks',
      'evmCopies',
      'evm.test',
      'providerForks',
    ],
    ...['providerTime', 'evmPrecompiles', 'providerCalls', 'callEquality'],
  ],
  provider: [
    ...['providerCallParams', 'providerTime', 'providerForks', 'providerRefresh', 'pieces'],
    ...['provider.test', 'providerCalls', 'api/options', 'viem.test', 'proxy.test'],
  ],
  follow: [
    ...['asker', 'finalizer', 'genesis', 'stateFile', 'followTrace', 'followNode', 'trieRoot'],
    ...['property/followMerge', 'gethGenesis', 'withoutRlp', 'indexerLogs', 'follow.test'],
    ...['followAway', 'followValue', 'followRefused', 'followForged', 'followChain'],
    ...['snapshotDisk', 'storeVersion', 'api/options'],
  ],
  service: [
    ...['operatorFiles', 'finality', 'decoderOptions', 'decoderMemory', 'balancesParts'],
    ...['serviceEdges', 'serviceParts', 'service.test', 'property/decoderAbi', 'openApi'],
    ...['serviceNode', 'serviceBlocks'],
    ...['decoderRequests', 'decoderService', 'serviceWatch', 'serviceFair', 'serviceReads'],
    ...['serviceBatch', 'proxy.test', 'decoderCache', 'balances.test', 'service', 'decoderNode'],
    ...['balancesClient', 'balancesState', 'balancesProved', 'proofForms', 'balancesSdk'],
    ...['proofClient', 'balancesCli', 'balancesHostile'],
  ],
};
