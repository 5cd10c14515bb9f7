/** Folder of `src` -> the tests that may notice a check that is missing there. */
const verifier = [
  ...[
    'verify',
    'verifier',
    'callers',
    'foreign',
    'held',
    'hashKey',
    'slots',
    'roundTrips',
    'codec',
  ],
  ...['proofForms', 'property/codec', 'property/mutate', 'adversarial/', 'vectors.test'],
];
const compact = ['compact', 'calldata', 'proofForms', 'property/compact', 'vectors.test'];
const mpt = ['mpt', 'rlp', 'trieRoot', 'l1Header', 'property/mpt', 'anchor', 'property/anchor'];
const follow = ['follow', 'gethGenesis', 'stateFile', 'trieRoot', 'withoutRlp', 'storeVersion'];
const service = [
  ...['service', 'finality', 'callers', 'roundTrips', 'openApi', 'decoder', 'property/decoderAbi'],
  ...['balances', 'dataClient', 'contracts', 'proofForms', 'proxy.test'],
];

export const suitesOf: Record<string, readonly string[]> = {
  foreign: verifier,
  codec: [...verifier, ...compact, 'follow'],
  proof: verifier,
  verify: verifier,
  compact,
  trace: ['trace', 'property/traceMutate', 'adversarial/traceShape', 'vectors.test'],
  tree: [
    ...['tree', 'storeLaws', 'walk', 'prior', 'finalize', 'blockHash', 'roundTrips', 'stateFile'],
    ...['answerTexts', 'proofText', 'messages', 'gethGenesis', 'storeVersion', 'trieRoot'],
    ...['property/accumulator', 'property/state', 'property/read', 'property/sortedMap'],
    ...['vectors.test'],
  ],
  rpc: [
    'rpc',
    'deadline',
    'retry',
    'proofClient',
    'roundTrips',
    'callers',
    'proofForms',
    'fetchState',
    'follow.test',
  ],
  mpt,
  anchor: ['anchor', 'fetchAnchor', 'fetchState', 'l1Header', 'property/anchor', 'finality'],
  follow: [...follow, 'property/followMerge'],
  service,
};

/**
 * Folders that were tried to their end, and in which every check is noticed or explained: a check that is missed there
 * fails the run. In the others it is reported.
 */
export const settled: readonly string[] = ['mpt', 'rpc'];
