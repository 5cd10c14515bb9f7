/**
 * Every public function refuses an option that it does not know, and one without a value that would have strengthened a
 * check: a misspelt name must not verify less than was meant. A new function fails here until it has a row.
 */
import { describe, expect, test } from 'vitest';
import * as anchor from '../../src/anchor/index.js';
import * as consensus from '../../src/beacon/index.js';
import * as compact from '../../src/compact/index.js';
import * as data from '../../src/data/index.js';
import * as decode from '../../src/decode/index.js';
import * as explain from '../../src/explain/index.js';
import * as follow from '../../src/follow/index.js';
import * as hash from '../../src/hash/index.js';
import * as history from '../../src/history/index.js';
import * as root from '../../src/index.js';
import * as lmdb from '../../src/lmdb/index.js';
import * as messages from '../../src/messages/index.js';
import * as pool from '../../src/pool/index.js';
import * as postgres from '../../src/postgres/index.js';
import * as provider from '../../src/provider/index.js';
import * as rpc from '../../src/rpc/index.js';
import * as service from '../../src/service/index.js';
import * as trace from '../../src/trace/index.js';
import * as tree from '../../src/tree/index.js';
import * as viem from '../../src/viem/index.js';
import { receiptOf, transactionOf } from '../support/logs.js';
import { honest } from '../support/runs.js';

const entries = {
  ...{ anchor, compact, consensus, data, decode, explain, follow, hash, history, root },
  ...{ lmdb, messages, pool, postgres },
  ...{ provider, rpc, service, trace, tree, viem },
};

/** One object of options, as some call takes it. */
interface Row {
  /** Calls with options that are not checked yet. */
  readonly call: (options: never) => unknown;
  readonly names: readonly string[];
  /** Those that are refused without a value. */
  readonly strengthening?: readonly string[];
  /** Members without which others are not looked at. */
  readonly given?: object;
}

const never = async (): Promise<never> => {
  throw new Error('nobody is asked');
};
const transport: rpc.Transport = { call: never };
const stateRoot = `0x${'11'.repeat(32)}` as const;
const address = `0x${'22'.repeat(20)}` as const;
const network = anchor.networks.mainnet;
const l1 = { blockNumber: 1, blockHash: stateRoot };
const given = { network, l2BlockNumber: 1, stateRoot, l1 };
const claimNames = ['stateRoot', 'address', 'storageKeys', 'hash', 'engine'];
const anchorNames = [
  ...['l1', 'network', 'trusted', 'l1Block', 'l2BlockNumber'],
  ...['before', 'l2', 'kind', 'maxAge', 'maxSteps', 'after', 'signal'],
];
const anchorStrengthening = ['trusted', 'l1Block', 'maxAge', 'maxSteps', 'after'];
const providerNames = [
  ...['l2', 'network', 'l1', 'trusted', 'anchor', 'passthrough', 'refresh', 'header', 'gasCap'],
  ...['current', 'absence', 'maxBlocks', 'maxRange'],
];
const providerStrengthening = ['anchor', 'trusted', 'current'];
const transportNames = ['url', 'fetch', 'timeout', 'maxBytes', 'headers'];
const limitNames = [
  ...['bodyBytes', 'batchCalls', 'storageKeys', 'reads', 'requestsPerSecond'],
  ...['concurrent', 'time'],
];
const serverNames = [
  ...['host', 'port', 'drain', 'grace', 'maxConnections', 'maxConnectionsPerAddress'],
];
const serverBounds = ['maxConnections', 'maxConnectionsPerAddress'];
const logsNames = [
  ...['receipt', 'chain', 'tokens', 'pools', 'prices', 'abis', 'unknown', 'rawLogs'],
  ...['transaction', 'block', 'minUsd'],
];
const snapshotNames = [
  'stateRoot',
  'hash',
  'block',
  'blockHash',
  'chainId',
  'onProgress',
  'signal',
];
const snapshotExpected = ['block', 'blockHash', 'chainId'];
const noBytes: Uint8Array[] = [];
const { result, claim } = honest('poseidon2');

/** What requests to the data interface may have besides. */
const askedNames = ['chainName', 'signal'];
/** What those may have whose answers can be proven; each is refused without a value. */
const trustNames = ['anchor', 'network', 'fork'];
const partsNames = [
  ...[...askedNames, 'quoteCurrency', 'withoutLogs', 'internalTransfers', 'stateChanges'],
  'inputData',
];

const client = () =>
  data.createDataClient({
    url: 'http://localhost:1',
    chain: 'x',
    fetch: async () => new Response('', { status: 404 }),
  });
const opened = <T>(work: (state: tree.StateTree) => T | Promise<T>) =>
  tree.openStateTree().then(work);
const account = { nonce: 1, balance: 1 };
const apply = (change: object) =>
  opened((state) => state.applyBlock({ number: 1, changes: [change] } as never));
const served = { fetch: () => new Response(), isOpen: true, drain: () => {} };
const loop = { index: {} as never, l2: transport };
const nodes = { chains: [{ name: 'x', url: 'http://localhost:1' }] };
const decoderOf = () => service.createDecoder(nodes);
const chain = decode.describeChain({ name: 'x', id: 1 });
const historyOf = () => history.createHistory({ l2: transport, l1: transport, network });
const messagesOf = () =>
  messages.createMessages({ l2: transport, l1: transport, network: anchor.networks.mainnet });
const questionNames = ['fromBlock', 'toBlock', 'onProgress', 'signal'];
const message = {
  ...{ from: claim.address, to: claim.address, fee: 0n, value: 0n, messageNumber: 1n },
  data: '0x' as const,
};
const roleNames = ['entryPoint', 'messageService', 'tokenBridge', 'wrappedNative'];
const mined = { receipt: receiptOf([]), transaction: transactionOf() };
const following = { tree: {} as never, l2: transport, fork: 'prague' } as const;

/** Function, or what it gives -> its options; null if it takes none by name. */
const rows: Record<string, Row | null> = {
  'anchor.anchorStorageKeys': null,
  'anchor.defineNetwork': {
    call: (options) => anchor.defineNetwork(options),
    names: [
      ...['name', 'l1ChainId', 'l2ChainId', 'rollup', 'messageService', 'slots', 'method'],
      ...['forks', 'hash', 'implementations'],
    ],
    strengthening: ['implementations'],
  },
  'anchor.defineNetwork slots': {
    call: (slots) => anchor.defineNetwork({ ...network, slots }),
    names: [
      ...['currentL2BlockNumber', 'stateRootHashes', 'currentFinalizedState', 'implementation'],
      ...['messageClaimedBitMap', 'l2MerkleRootsDepths'],
    ],
  },
  'anchor.defineNetwork forks': {
    call: (forks) => anchor.defineNetwork({ ...network, forks }),
    names: Object.keys(network.forks),
  },
  'anchor.fetchAnchor': {
    call: (options) => anchor.fetchAnchor(options),
    names: anchorNames,
    strengthening: anchorStrengthening,
  },
  'anchor.fetchAnchor trusted': {
    call: (trusted) => anchor.fetchAnchor({ l1: transport, network, trusted }),
    names: ['blockHash', 'stateRoot'],
    strengthening: ['blockHash', 'stateRoot'],
  },
  'anchor.fetchState': {
    call: (options) => anchor.fetchState(options),
    names: [...anchorNames, ...['address', 'storageKeys', 'method', 'maxSlots', 'form', 'anchor']],
    strengthening: [...anchorStrengthening, 'anchor'],
  },
  'consensus.applyUpdate': {
    call: (context) => consensus.applyUpdate({} as never, {}, context),
    names: ['network', 'currentSlot', 'signal'],
  },
  'consensus.createLightClient': {
    call: (options) => consensus.createLightClient(options),
    names: [
      ...['api', 'network', 'checkpoint', 'storage', 'maxCheckpointAge'],
      ...['maxAge', 'now', 'fetch', 'signal'],
    ],
    strengthening: ['checkpoint', 'maxCheckpointAge', 'maxAge'],
  },
  'consensus.defineBeaconNetwork': {
    call: (options) => consensus.defineBeaconNetwork(options),
    names: [
      ...['name', 'genesisTime', 'genesisValidatorsRoot', 'forks'],
      ...['secondsPerSlot', 'slotsPerEpoch', 'epochsPerPeriod', 'committeeSize'],
    ],
  },
  'consensus.verifyBootstrap': {
    call: (options) => consensus.verifyBootstrap({}, options),
    names: ['checkpoint', 'network'],
  },
  'anchor.givenAnchor': {
    call: (options) => anchor.givenAnchor(options),
    names: [
      ...['network', 'l2BlockNumber', 'stateRoot', 'timestamp', 'l1'],
      ...['l2ChainId', 'hash', 'implementation', 'how', 'isNewest', 'kind', 'blockHash', 'header'],
    ],
  },
  'anchor.givenAnchor l1': {
    call: (block) => anchor.givenAnchor({ ...given, l1: block }),
    names: ['blockNumber', 'blockHash', 'timestamp', 'chainId', 'proven', 'tag'],
  },
  'anchor.givenAnchor timestamp': {
    call: (timestamp) => anchor.givenAnchor({ ...given, timestamp }),
    names: ['value', 'proven'],
  },
  'anchor.verifyAnchorProof': {
    call: (options) => anchor.verifyAnchorProof(null, options),
    names: ['l1StateRoot', 'network', 'l2BlockNumber', 'finalizedState'],
  },
  'anchor.verifyAccountProof': {
    call: (options) => anchor.verifyAccountProof({}, options),
    names: ['stateRoot', 'header', 'address', 'storageKeys'],
  },
  'anchor.verifyBlockHashProof': {
    call: (options) => anchor.verifyBlockHashProof(null, options),
    names: ['l1StateRoot', 'network', 'l2BlockNumber', 'finalizedState'],
  },
  'anchor.verifyL1Header': null,
  'anchor.verifyL2Header': {
    call: (options) => anchor.verifyL2Header({}, options),
    names: ['blockHash', 'l2BlockNumber'],
  },
  'compact.compactProof': {
    call: (options) => compact.compactProof(result, options),
    names: claimNames,
  },
  'compact.toCalldata': {
    call: (options) => compact.toCalldata(result, options),
    names: claimNames,
  },
  'compact.verifyAnswer': {
    call: (options) => compact.verifyAnswer(result, options),
    names: claimNames,
  },
  'compact.verifyAnswer of bytes': {
    call: (options) => compact.verifyAnswer(new Uint8Array(9), options),
    names: claimNames,
  },
  'compact.verifyCompactProof': {
    call: (options) => compact.verifyCompactProof(new Uint8Array(9), options),
    names: claimNames,
  },
  'explain.explainProof': {
    call: (options) => explain.explainProof(result, options),
    names: claimNames,
  },
  'data.createDataClient': {
    call: (options) => data.createDataClient(options),
    names: ['url', 'key', 'auth', 'chain', 'fetch', 'timeout', 'maxBytes'],
  },
  'data.createDataClient balances': {
    call: (options) => client().balances(options).next(),
    names: [...askedNames, ...trustNames, 'address', 'quoteCurrency', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient nativeBalance': {
    call: (options) => client().nativeBalance(options),
    names: [...askedNames, ...trustNames, 'address', 'block', 'quoteCurrency'],
    strengthening: trustNames,
  },
  'data.createDataClient transfers': {
    call: (options) => client().transfers(options).next(),
    names: [
      ...[...askedNames, ...trustNames, 'address', 'token', 'fromBlock', 'toBlock'],
      ...['quoteCurrency', 'pageSize', 'oldestFirst'],
    ],
    strengthening: trustNames,
  },
  'data.createDataClient holders': {
    call: (options) => client().holders(options).next(),
    names: [...askedNames, ...trustNames, 'token', 'block', 'day', 'anew', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient allowances': {
    call: (options) => client().allowances(options).next(),
    names: [...askedNames, 'address', 'pageSize'],
  },
  'data.createDataClient historicalBalances': {
    call: (options) => client().historicalBalances(options).next(),
    names: [
      ...[...askedNames, ...trustNames, 'address', 'block', 'day', 'quoteCurrency'],
      'pageSize',
    ],
    strengthening: trustNames,
  },
  'data.createDataClient portfolio': {
    call: (options) => client().portfolio(options).next(),
    names: [...askedNames, ...trustNames, 'address', 'days', 'quoteCurrency', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient activity': {
    call: (options) => client().activity(options),
    names: ['signal', 'address', 'testnets'],
  },
  'data.createDataClient chainsBalances': {
    call: (options) => client().chainsBalances(options).next(),
    names: ['signal', 'chains', 'quoteCurrency', 'pageSize', 'address', 'time'],
  },
  'data.createDataClient chainsTransactions': {
    call: (options) => client().chainsTransactions(options).next(),
    names: ['signal', 'chains', 'quoteCurrency', 'pageSize', 'addresses', 'withLogs'],
  },
  'data.createDataClient tokenPrices': {
    call: (options) => client().tokenPrices(options),
    names: [...askedNames, 'tokens', 'quoteCurrency', 'fromDay', 'toDay', 'oldestFirst'],
  },
  'data.createDataClient poolPrices': {
    call: (options) => client().poolPrices(options),
    names: [...askedNames, 'pool', 'quoteCurrency'],
  },
  'data.createDataClient nftApprovals': {
    call: (options) => client().nftApprovals(options).next(),
    names: [...askedNames, 'address', 'pageSize'],
  },
  'data.createDataClient traits': {
    call: (options) => client().traits(options).next(),
    names: [...askedNames, ...trustNames, 'contract', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient traitAttributes': {
    call: (options) => client().traitAttributes(options).next(),
    names: [...askedNames, ...trustNames, 'contract', 'trait', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient traitsSummary': {
    call: (options) => client().traitsSummary(options).next(),
    names: [...askedNames, ...trustNames, 'contract', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient nfts': {
    call: (options) => client().nfts(options).next(),
    names: [...askedNames, ...trustNames, 'address', 'withoutUrls', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient walletTokens': {
    call: (options) => client().walletTokens(options).next(),
    names: [...askedNames, ...trustNames, 'address', 'contract', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient collections': {
    call: (options) => client().collections(options).next(),
    names: [...askedNames, ...trustNames, 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient nftTokens': {
    call: (options) => client().nftTokens(options).next(),
    names: [...askedNames, ...trustNames, 'contract', 'withoutUrls', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient nftTransactions': {
    call: (options) => client().nftTransactions(options).next(),
    names: [...askedNames, ...trustNames, 'contract', 'tokenId', 'withoutLogs', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient nftOwners': {
    call: (options) => client().nftOwners(options).next(),
    names: [...askedNames, ...trustNames, 'contract', 'tokenId', 'pageSize'],
    strengthening: trustNames,
  },
  'data.createDataClient walletToken': {
    call: (options) => client().walletToken(options),
    names: [...askedNames, ...trustNames, 'address', 'contract', 'tokenId'],
    strengthening: trustNames,
  },
  'data.createDataClient nftToken': {
    call: (options) => client().nftToken(options),
    names: [...askedNames, ...trustNames, 'contract', 'tokenId'],
    strengthening: trustNames,
  },
  'data.createDataClient floorPrices': {
    call: (options) => client().floorPrices(options),
    names: [...askedNames, ...trustNames, 'contract', 'days', 'quoteCurrency'],
    strengthening: trustNames,
  },
  'data.createDataClient volumes': {
    call: (options) => client().volumes(options),
    names: [...askedNames, ...trustNames, 'contract', 'days', 'quoteCurrency'],
    strengthening: trustNames,
  },
  'data.createDataClient saleCounts': {
    call: (options) => client().saleCounts(options),
    names: [...askedNames, ...trustNames, 'contract', 'days', 'quoteCurrency'],
    strengthening: trustNames,
  },
  'data.createDataClient transaction': {
    call: (options) => client().transaction(options),
    names: [...partsNames, 'txHash'],
  },
  'data.createDataClient transactions': {
    call: (options) => client().transactions(options).next(),
    names: [...partsNames, 'address'],
  },
  'data.createDataClient transactionsPage': {
    call: (options) => client().transactionsPage(options),
    names: [...partsNames, 'address', 'page'],
  },
  'data.createDataClient transactionsSummary': {
    call: (options) => client().transactionsSummary(options),
    names: [...askedNames, 'address', 'quoteCurrency', 'gas', 'transferCount'],
  },
  'data.createDataClient transactionBuckets': {
    call: (options) => client().transactionBuckets(options).next(),
    names: [...partsNames, 'address', 'bucket'],
  },
  'data.createDataClient blockTransactions': {
    call: (options) => client().blockTransactions(options).next(),
    names: [...partsNames, 'block', 'blockHash'],
  },
  'data.createDataClient block': {
    call: (options) => client().block(options),
    names: [...askedNames, 'block'],
  },
  'data.createDataClient blocks': {
    call: (options) => client().blocks(options).next(),
    names: [...askedNames, 'fromTime', 'toTime', 'pageSize'],
  },
  'data.createDataClient rangeLogs': {
    call: (options) => client().rangeLogs(options),
    names: [
      ...[...askedNames, ...trustNames, 'fromBlock', 'toBlock', 'blockHash', 'address', 'topics'],
      'withoutDecoded',
    ],
    strengthening: trustNames,
  },
  'data.createDataClient listedLogs': {
    call: (options) => client().listedLogs(options).next(),
    names: [
      ...[...askedNames, ...trustNames, 'address', 'topic', 'fromBlock', 'toBlock'],
      ...['furtherTopics', 'pageSize'],
    ],
    strengthening: trustNames,
  },
  'data.createDataClient gasPrices': {
    call: (options) => client().gasPrices(options),
    names: [...askedNames, 'kind', 'quoteCurrency'],
  },
  'data.createDataClient chains': {
    call: (options) => client().chains(options),
    names: ['signal'],
  },
  'data.createDataClient chainsStatus': {
    call: (options) => client().chainsStatus(options),
    names: ['signal'],
  },
  'data.createDataClient resolveAddress': {
    call: (options) => client().resolveAddress(options),
    names: [...askedNames, 'address'],
  },
  'data.createDataClient decodeTransaction': {
    call: (options) => client().decodeTransaction(options),
    names: ['chainName', 'txHash', 'rawLogs', 'unknown', 'minUsd', 'signal'],
  },
  'data.createDataClient get': {
    call: (options) => client().get('/v1/x/', {}, undefined, options),
    names: ['signal'],
  },
  'decode.decodeInPieces': {
    call: (options) => decode.decodeInPieces(options, async () => {}),
    names: logsNames,
  },
  'decode.decodeTransaction': {
    call: (options) => decode.decodeTransaction(options),
    names: logsNames,
  },
  'decode.decodeTransaction chain': {
    call: (chain) => decode.decodeTransaction({ ...mined, chain }),
    names: ['name', 'id', 'nativeToken', 'explorers', 'contracts'],
  },
  'decode.decodeTransaction nativeToken': {
    call: (nativeToken) => decode.decodeTransaction({ ...mined, chain: { ...chain, nativeToken } }),
    names: ['name', 'symbol', 'decimals', 'logo'],
  },
  'decode.decodeTransaction contracts': {
    call: (contracts) => decode.decodeTransaction({ ...mined, chain: { ...chain, contracts } }),
    names: roleNames,
  },
  'decode.describeChain': {
    call: (options) => decode.describeChain(options),
    names: ['name', 'id'],
  },
  'decode.missingInPieces': {
    call: (options) => decode.missingInPieces(options, async () => {}),
    names: logsNames,
  },
  'decode.missingMetadata': {
    call: (options) => decode.missingMetadata(options),
    names: logsNames,
  },
  'decode.parseAbis': null,
  'follow.blockLine': null,
  'follow.configForks': null,
  'follow.createFollower': {
    call: (options) => follow.createFollower(options),
    names: [
      ...['tree', 'l2', 'fork', 'l1', 'genesisRoot', 'onProgress', 'onWarning'],
      ...['interval', 'patience', 'traceTimeout', 'mints'],
    ],
    strengthening: ['l1', 'genesisRoot'],
  },
  'follow.createFollower fork': {
    call: (entry) => follow.createFollower({ ...following, fork: [entry] }),
    names: ['fork', 'time'],
  },
  'follow.createFollower l1': {
    call: (options) => follow.createFollower({ ...following, l1: options }),
    names: ['transport', 'rollup', 'tag'],
    strengthening: ['tag'],
  },
  'follow.createFollower patience': {
    call: (patience) => follow.createFollower({ ...following, patience }),
    names: ['tries', 'delay'],
  },
  'follow.createFollower run': {
    call: (options) => follow.createFollower(following).run(options),
    names: ['once', 'signal'],
  },
  'follow.genesisLines': null,
  'follow.loadStateFile': {
    call: (options) => opened((state) => follow.loadStateFile(state, [], options)),
    names: ['onProgress', 'l2', 'genesisRoot', 'onWarning', 'patience', 'signal'],
    strengthening: ['l2', 'genesisRoot'],
  },
  'follow.parseStateFile': null,
  'hash.mimc': null,
  'hash.poseidon2': null,
  'history.createHistory': {
    call: (options) => history.createHistory(options),
    names: [
      ...['l2', 'network', 'maxBlocks', 'maxRange', 'refresh', 'anchor'],
      ...anchorNames.filter((name) => !['network', 'after', 'before', 'signal'].includes(name)),
    ],
    strengthening: [...anchorStrengthening.filter((name) => name !== 'after'), 'anchor'],
  },
  'history.createHistory anchor': {
    call: (options) => historyOf().anchor(options),
    names: ['signal'],
  },
  'history.createHistory block': {
    call: (options) => historyOf().block(1, options),
    names: ['signal', 'transactions'],
  },
  'history.createHistory header': {
    call: (options) => historyOf().header(1, options),
    names: ['signal'],
  },
  'history.createHistory logs': {
    call: (question) => historyOf().logs(question),
    names: ['address', 'topics', 'fromBlock', 'toBlock', 'blockHash'],
  },
  'history.createHistory logs options': {
    call: (options) => historyOf().logs({}, options),
    names: ['signal', 'onProgress'],
  },
  'history.createHistory receipt': {
    call: (options) => historyOf().receipt(stateRoot, options),
    names: ['signal'],
  },
  'history.createHistory receipts': {
    call: (options) => historyOf().receipts(1, options),
    names: ['signal'],
  },
  'history.createHistory transaction': {
    call: (options) => historyOf().transaction(stateRoot, options),
    names: ['signal'],
  },
  'messages.createMessages': {
    call: (options) => messages.createMessages(options),
    names: ['l1', 'l2', 'network', 'trusted', 'l1Block', 'maxAge', 'maxBlocks'],
    strengthening: ['trusted', 'l1Block', 'maxAge'],
  },
  'messages.createMessages status': {
    call: (options) => messagesOf().status(stateRoot, options),
    names: questionNames,
  },
  'messages.createMessages prove': {
    call: (options) => messagesOf().prove(stateRoot, options),
    names: [...questionNames, 'feeRecipient'],
  },
  'messages.messageHash': {
    call: (given) => messages.messageHash(given),
    names: ['from', 'to', 'fee', 'value', 'messageNumber', 'data'],
  },
  'messages.messageTrees': null,
  'messages.verifyMessageProof': {
    call: (options) => messages.verifyMessageProof(options),
    names: ['proof', 'leafIndex', 'root', 'depth', 'message'],
    given: { root: stateRoot, depth: 1, message },
  },
  'history.matchLogs': {
    call: (filter) => history.matchLogs([], filter),
    names: ['address', 'topics'],
  },
  'history.verifyHeaders': {
    call: (claim) => history.verifyHeaders([], claim),
    names: ['hash'],
  },
  'history.verifyReceipts': null,
  'history.verifyTransactions': null,
  'lmdb.folderScratch': null,
  'lmdb.lmdbStore': { call: (options) => lmdb.lmdbStore(options), names: ['path', 'readOnly'] },
  'pool.createPool': { call: (options) => pool.createPool(options), names: ['workers'] },
  'postgres.postgresStore': {
    call: (options) => postgres.postgresStore(options),
    names: ['connectionString', 'pool', 'schema', 'readOnly'],
  },
  'provider.createProvider': {
    call: (options) => provider.createProvider(options),
    names: providerNames,
    strengthening: providerStrengthening,
  },
  'provider.createProvider header': {
    call: (header) => provider.createProvider({ l2: transport, network, l1: transport, header }),
    names: ['coinbase', 'prevRandao', 'timestamp', 'gasLimit', 'baseFee', 'blobBaseFee'],
  },
  'provider.createProvider passthrough': {
    call: (entry) =>
      provider.createProvider({ l2: transport, network, l1: transport, passthrough: [entry] }),
    names: ['method', 'tag'],
  },
  'root.createVerifier': {
    call: (options) => root.createVerifier(options),
    names: ['stateRoot', 'hash', 'maxNodes', 'engine'],
  },
  'root.createVerifier verify': {
    call: (options) => root.createVerifier({ stateRoot: claim.stateRoot }).verify(result, options),
    names: claimNames,
  },
  'root.hashKey': { call: (options) => root.hashKey(address, options), names: ['hash'] },
  'root.mappingSlot': null,
  'root.parseProof': { call: (options) => root.parseProof(result, options), names: ['hash'] },
  'root.slotKey': null,
  'root.stateToJson': null,
  'root.verifyExistence': {
    call: (options) => root.verifyExistence(options),
    names: ['hash', 'root', 'hKey', 'hValue', 'proof', 'engine'],
  },
  'root.verifyNonExistence': {
    call: (options) => root.verifyNonExistence(options),
    names: ['hash', 'root', 'hKey', 'proof', 'engine'],
  },
  'root.verifyProof': { call: (options) => root.verifyProof(result, options), names: claimNames },
  'root.verifyProofs': {
    call: (options) => {
      const [outcome] = root.verifyProofs([{ result, claim: options }]);
      if (outcome?.ok === false) throw outcome.error;
    },
    names: claimNames,
  },
  'rpc.createProofClient': {
    call: (options) => rpc.createProofClient(options),
    names: ['transport', 'method', 'maxSlots', 'form'],
  },
  'rpc.createProofClient getProof': {
    call: (options) => rpc.createProofClient({ transport }).getProof(options),
    names: ['address', 'storageKeys', 'block', 'signal', 'stateRoot', 'hash', 'engine'],
  },
  'rpc.createTransport': {
    call: (options) => rpc.createTransport(options),
    names: transportNames,
  },
  'rpc.createTransport call': {
    call: (options) => rpc.createTransport({ url: 'http://localhost:1' }).call('x', [], options),
    names: ['signal', 'accept', 'maxBytes'],
  },
  'service.contractFinality': {
    call: (options) => service.contractFinality(options),
    names: ['contract', 'l1Block', 'maxAge', 'onError', ...transportNames],
    strengthening: ['l1Block', 'maxAge'],
  },
  'service.createDataInterface': {
    call: (options) => service.createDataInterface(options),
    names: ['decoder', 'chains', 'recheck', 'log'],
  },
  'service.createDataInterface chains': {
    call: async (chain) =>
      service.createDataInterface({ decoder: await decoderOf(), chains: [chain] }),
    names: ['name', 'store', 'folder', 'state'],
    strengthening: ['state'],
  },
  'service.createDataInterface state': {
    call: async (state) =>
      service.createDataInterface({
        decoder: await decoderOf(),
        chains: [{ name: 'x', store: {} as never, state }],
      }),
    names: ['tree', 'finality', 'fork'],
  },
  'service.createDecoder': {
    call: (options) => service.createDecoder(options),
    names: [...['chains', 'store', 'storeBytes', 'tokenLists', 'prices', 'abis', 'recheck', 'log']],
  },
  'service.createDecoder chains': {
    call: (chain) => service.createDecoder({ chains: [chain] }),
    names: ['name', 'url', 'fetch', 'headers', 'timeout', 'contracts'],
  },
  'service.createDecoder contracts': {
    call: (contracts) =>
      service.createDecoder({ chains: [{ name: 'x', url: 'http://localhost:1', contracts }] }),
    names: roleNames,
  },
  'service.createDecoder decodeTransaction': {
    call: async (options) => (await decoderOf()).decodeTransaction(options),
    names: ['chainName', 'txHash', 'rawLogs', 'unknown', 'minUsd'],
  },
  'service.createIndexer': {
    call: (options) => service.createIndexer(options),
    names: ['index', 'l2', 'onProgress', 'onWarning', 'interval', 'patience'],
  },
  'service.createIndexer run': {
    call: (options) => service.createIndexer(loop).run(options),
    names: ['once', 'signal'],
  },
  'service.createLog': null,
  'service.createMetrics': null,
  'service.createProxy': {
    call: (options) => service.createProxy(options),
    names: ['provider', 'cors', 'limits', 'log'],
    strengthening: ['limits'],
  },
  'service.createProxy limits': {
    call: (limits) => service.createProxy({ provider: { request: never }, limits }),
    names: limitNames,
    strengthening: limitNames,
  },
  'service.createService': {
    call: (options) => service.createService(options),
    names: [
      ...['tree', 'finality', 'node', 'decoder', 'data', 'page', 'keys', 'aliases', 'chainId'],
      ...['cors', 'limits', 'log', 'metrics'],
    ],
    strengthening: ['keys', 'limits'],
  },
  'service.createService page': {
    call: async (page) =>
      service.createService({ decoder: await decoderOf(), page: page as never }),
    names: ['network', 'l1', 'proofs', 'node', 'data', 'fork'],
  },
  'service.createService limits': {
    call: async (limits) => service.createService({ decoder: await decoderOf(), limits }),
    names: limitNames,
    strengthening: limitNames,
  },
  'service.checkIndex': {
    call: (options) => service.checkIndex(options),
    names: ['store', 'l2', 'contracts', 'name', 'onProgress', 'signal'],
    strengthening: ['l2'],
  },
  'service.fixedFinality': null,
  'service.fixedPrices': null,
  'service.openIndex': {
    call: (options) => service.openIndex(options),
    names: ['store', 'chainId'],
    strengthening: ['chainId'],
  },
  'service.poolPrices': {
    call: (options) => service.poolPrices({ file: {}, chains: [], ...(options as object) }),
    names: ['file', 'chains'],
  },
  'service.poolPrices chains': {
    call: (chain) => service.poolPrices({ file: {}, chains: [chain] as never }),
    names: ['name', 'url', 'fetch', 'headers', 'timeout'],
  },
  'service.readIndexStatus': null,
  'service.shareLimits': {
    call: (options) => service.shareLimits(2, options),
    names: ['limits', 'server'],
  },
  'service.shareLimits limits': {
    call: (limits) => service.shareLimits(2, { limits, server: {} }),
    names: limitNames,
    strengthening: limitNames,
  },
  'service.shareLimits server': {
    call: (server) => service.shareLimits(2, { limits: {}, server }),
    names: serverNames,
    strengthening: serverBounds,
  },
  'service.startServer': {
    call: (options) => service.startServer(served as never, options),
    names: serverNames,
    strengthening: serverBounds,
  },
  'service.storeFinality': null,
  'service.sumMetrics': null,
  'trace.verifyTransition': {
    call: (options) => trace.verifyTransition([], options),
    names: ['parentRoot', 'endRoot', 'hash', 'engine'],
    strengthening: ['endRoot'],
  },
  'tree.createAccumulator': {
    call: (options) => tree.createAccumulator(options),
    names: ['hash', 'engine'],
  },
  'tree.exportSnapshot': {
    call: (options) => tree.exportSnapshot(options).next(),
    names: ['store', 'hash', 'block', 'chainId', 'onProgress', 'signal'],
  },
  'tree.importSnapshot': {
    call: (options) => tree.importSnapshot(noBytes, options),
    names: [...snapshotNames, 'store'],
    strengthening: snapshotExpected,
  },
  'tree.memoryStore': null,
  'tree.migrateStore': {
    call: (options) => tree.migrateStore(tree.memoryStore(), options),
    names: ['keepState', 'onProgress', 'signal'],
  },
  'tree.openStateTree': {
    call: (options) => tree.openStateTree(options),
    names: ['hash', 'store', 'keepFinal', 'engine', 'keepState'],
  },
  'tree.readSnapshotClaim': null,
  'tree.readStateStatus': null,
  'tree.openStateTree applyBlock': {
    call: (options) => opened((state) => state.applyBlock(options)),
    names: ['number', 'changes', 'hash', 'headerRoot', 'finalBlock'],
  },
  'tree.openStateTree changes': {
    call: apply,
    names: ['address', 'account', 'recreated', 'storage', 'before'],
    given: { address, account: null },
  },
  'tree.openStateTree account': {
    call: (change) => apply({ address, account: change }),
    names: ['nonce', 'balance', 'code'],
  },
  'tree.openStateTree before': {
    call: (before) => apply({ address, account, before }),
    names: ['nonce', 'balance', 'codeHash'],
    given: account,
  },
  'tree.openStateTree storage': {
    call: (slot) => apply({ address, account, storage: [slot] }),
    names: ['key', 'value', 'before'],
  },
  'tree.openStateTree getProof': {
    call: (work) => opened((state) => state.getProof(address, [], undefined, work)),
    names: ['maxReads', 'pause', 'asText', 'inPieces', 'memory'],
    strengthening: ['maxReads'],
  },
  'tree.storeLaws': null,
  'tree.verifySnapshot': {
    call: (options) => tree.verifySnapshot(noBytes, options),
    names: [...snapshotNames, 'scratch'],
    strengthening: snapshotExpected,
  },
  'viem.verifiedActions': null,
  'viem.verifiedTransport': {
    call: (options) => viem.verifiedTransport(options),
    names: providerNames,
    strengthening: providerStrengthening,
  },
};

test('every public function has a row', () => {
  const functions = Object.entries(entries).flatMap(([entry, names]) =>
    Object.entries(names)
      .filter(([name, value]) => typeof value === 'function' && !name.endsWith('Error'))
      .map(([name]) => `${entry}.${name}`),
  );
  const known = new Set(Object.keys(rows).map((name) => name.split(' ')[0] as string));
  expect([...known].sort()).toEqual(functions.sort());
});

/** What a call says to options, whichever way; undefined if it takes them. */
async function refusal(call: Row['call'], options: object): Promise<unknown> {
  try {
    await call(options as never);
    return undefined;
  } catch (error) {
    return error;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof TypeError ? error.message : `no TypeError: ${String(error)}`;

/** A name with the case of a letter changed, a letter left out, one doubled, and two swapped. */
function misspellings(name: string): string[] {
  const [first = '', second = ''] = name;
  const changed = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  const all = [
    first.toUpperCase() + name.slice(1),
    changed,
    ...(name.length > 2 ? [name.slice(0, -1), first + name.slice(2)] : []),
    first + name,
    ...(name.length > 3 ? [second + first + name.slice(2)] : []),
  ];
  return all.filter((one) => one !== name);
}

const checked = Object.entries(rows).filter((row): row is [string, Row] => row[1] !== null);

describe.each(checked)('%s', (_, { call, names, strengthening = [], given: base = {} }) => {
  test('refuses what it does not know, and names what is near', async () => {
    for (const name of names) {
      for (const wrong of misspellings(name)) {
        if (names.includes(wrong)) continue;
        const text = messageOf(await refusal(call, { ...base, [wrong]: 1 }));
        expect(text).toContain(`.${wrong}" is unknown; did you mean "`);
        if (wrong.toLowerCase() === name.toLowerCase()) expect(text).toContain(`mean "${name}"?`);
      }
    }
    for (const value of [undefined, null, 1]) {
      const text = messageOf(await refusal(call, { ...base, zqzqzqzqzqzqzqzq: value }));
      expect(text).toContain('.zqzqzqzqzqzqzqzq" is unknown; known: ');
    }
  });

  test('refuses what strengthens it if that has no value, and nothing else for that', async () => {
    for (const name of names) {
      for (const value of [undefined, null]) {
        const error = await refusal(call, { ...base, [name]: value });
        const text = `"${name}" is ${value}; leave it out, or pass a value`;
        if (strengthening.includes(name)) expect(messageOf(error)).toBe(text);
        else expect(String(error)).not.toContain('leave it out, or pass');
      }
    }
  });

  test('knows each of its names', async () => {
    for (const name of names) {
      expect(String(await refusal(call, { ...base, [name]: 1 }))).not.toContain('is unknown');
    }
  });
});

describe('options that contradict one another', () => {
  const held = anchor.givenAnchor(given);
  const state = { address, l2: transport, network, anchor: held } as const;
  const node = { tree: {} as never, finality: never };
  const cases: [string, () => unknown, RegExp][] = [
    [
      'a provider with an age of L1 blocks',
      () => provider.createProvider({ l2: transport, network, l1: transport, maxAge: 1 } as never),
      /^"maxAge" is for fetchAnchor; in place of "l1" pass anchor: \(wish\) => fetchAnchor\(\{ \.\.\.wish, l1, network, maxAge \}\)$/,
    ],
    [
      'a provider with a trusted block and an anchor',
      () =>
        provider.createProvider({
          ...{ l2: transport, network, anchor: held },
          trusted: { blockHash: stateRoot },
        }),
      /^"trusted" needs "l1"$/,
    ],
    [
      'a hash and a light client',
      () =>
        anchor.fetchAnchor({
          ...{ l1: transport, network },
          trusted: { blockHash: stateRoot, finalized: never } as never,
        }),
      /^"trusted" expected a hash or a light client, not both$/,
    ],
    [
      'a light client and an L1 block',
      () =>
        anchor.fetchAnchor({
          ...{ l1: transport, network, l1Block: 7 },
          trusted: { finalized: never },
        }),
      /^"l1Block" or "trusted" expected, not both$/,
    ],
    [
      'a provider with a bound of age',
      () => provider.createProvider({ l2: transport, network, anchor: held, maxAge: 1 } as never),
      /^"maxAge" is for fetchAnchor/,
    ],
    ...(['trusted', 'l1', 'l1Block', 'maxAge', 'maxSteps', 'after', 'l2BlockNumber'] as const).map(
      (name): [string, () => unknown, RegExp] => [
        `an anchor and ${name}`,
        () => anchor.fetchState({ ...state, [name]: 1 } as never),
        new RegExp(`^"anchor" or "${name}" expected, not both$`),
      ],
    ),
    [
      'a verifier and a claim under another root',
      () =>
        root
          .createVerifier({ stateRoot: claim.stateRoot })
          .verify(result, { ...claim, stateRoot: `0x${'01'.repeat(32)}` } as never),
      /^"stateRoot" expected the root of this verifier, or none$/,
    ],
    [
      'a verifier and a claim of another family',
      () =>
        root
          .createVerifier({ stateRoot: claim.stateRoot })
          .verify(result, { ...claim, hash: 'mimc' } as never),
      /^"hash" expected the family of this verifier, or none$/,
    ],
    [
      'a fork of balances without an anchor',
      () => client().balances({ address, fork: 'prague' }).next(),
      /^"fork" expected an "anchor" beside it/,
    ],
    [
      'a network of balances without an anchor',
      () => client().balances({ address, network }).next(),
      /^"network" expected an "anchor" beside it/,
    ],
    [
      'balances with an anchor that is none',
      () =>
        client()
          .balances({ address, anchor: false } as never)
          .next(),
      /./,
    ],
    [
      'a root of the genesis that nobody compares',
      () => opened((to) => follow.loadStateFile(to, [], { genesisRoot: stateRoot })),
      /^"genesisRoot" expected "l2" beside it/,
    ],
    [
      'an L1 that is none',
      () => follow.createFollower({ ...following, l1: false } as never),
      /"l1"/,
    ],
    [
      'no try at all',
      () => follow.createFollower({ ...following, patience: { tries: 0, delay: 1 } }),
      /^"patience.tries" expected a number from 1$/,
    ],
    [
      'a negative pause',
      () => follow.createFollower({ ...following, patience: { tries: 1, delay: -1 } }),
      /^"patience.delay" expected ms from 0$/,
    ],
    [
      'no pause of a load',
      () => opened((to) => follow.loadStateFile(to, [], { patience: { tries: 1, delay: -1 } })),
      /^"patience.delay"/,
    ],
    [
      'no time to trace',
      () => follow.createFollower({ ...following, traceTimeout: 0 }),
      /^"traceTimeout" expected a whole number from 1/,
    ],
    [
      'a chain that mints by a word',
      () => follow.createFollower({ ...following, mints: 'no' as never }),
      /^"mints" expected true or false$/,
    ],
    [
      'no try of an indexer',
      () => service.createIndexer({ ...loop, patience: { tries: 0, delay: 1 } }),
      /^"patience.tries"/,
    ],
    [
      'an anchor of another chain',
      () => anchor.givenAnchor({ ...held, ...given, l2ChainId: 5 } as never),
      /^"l2ChainId" expected 59144, as the network has it$/,
    ],
    [
      'an anchor of another family',
      () => anchor.givenAnchor({ ...held, ...given, hash: 'mimc' } as never),
      /^"hash" expected poseidon2/,
    ],
    [
      'an anchor of another L1',
      () => anchor.givenAnchor({ ...given, l1: { ...l1, chainId: 5 } } as never),
      /^"l1.chainId" expected 1,/,
    ],
    ...['silent', null, { info: never, warn: never }].flatMap(
      (log): [string, () => unknown, RegExp][] => [
        [
          'a log that is none',
          () => service.createService({ ...node, log } as never),
          /"log"|"tree"/,
        ],
        [
          'a log of a proxy that is none',
          () => service.createProxy({ provider: { request: never }, log } as never),
          /^"log" expected an object with functions info, warn, error$/,
        ],
        [
          'a log of a decoder that is none',
          () => service.createDecoder({ ...nodes, log } as never),
          /^"log" expected/,
        ],
        [
          'a log of a data interface that is none',
          () => service.createDataInterface({ log } as never),
          /^"log" expected/,
        ],
      ],
    ),
    [
      'a level that is none',
      () => service.createLog('trace' as never),
      /^"level" expected info, warn/,
    ],
  ];
  test.each(cases)('%s', async (_, call, message) => {
    const error = await refusal(call, {});
    expect(error).toBeInstanceOf(Error);
    expect(['TypeError', 'RangeError']).toContain((error as Error).name);
    expect((error as Error).message).toMatch(message);
  });

  const whole = {
    tree: { newestBlock: never, getProof: never },
    finality: never,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    metrics: { answered: () => {}, running: () => {}, newestBlock: () => {}, read: never },
  };
  test.each<[string, unknown, RegExp]>([
    ['tree', {}, /^"tree" expected an object with functions newestBlock, getProof$/],
    ['tree', null, /^"tree" expected/],
    ['finality', 5, /^"options" expected an object with functions finality$/],
    ['log', 'silent', /^"log" expected an object with functions info, warn, error$/],
    ['log', { info: () => {} }, /^"log" expected/],
    ['metrics', { read: never }, /^"metrics" expected an object with functions answered/],
    ['aliases', 'linea_getProof', /^"aliases" expected an array$/],
    ['cors', '*', /^"cors" expected an array$/],
    ['keys', 'a-secret-key', /^"keys" expected an array$/],
  ])('of a service: %s %s', async (name, value, message) => {
    await expect(service.createService(whole as never)).resolves.toBeDefined();
    const error = await refusal(service.createService as never, { ...whole, [name]: value });
    expect(messageOf(error)).toMatch(message);
  });
});

describe('what may stand beside options', () => {
  test('an anchor with a question is a claim', () => {
    const held = anchor.givenAnchor({ ...given, stateRoot: claim.stateRoot });
    const { storageKeys = [] } = claim;
    const own = { ...held, address: claim.address, storageKeys };
    expect(root.verifyProof(result, own)).toEqual(root.verifyProof(result, claim));
    expect(anchor.givenAnchor({ ...held, network })).toEqual(held);
  });

  test('a network may be spread, and pinned', () => {
    const pins = [address];
    expect(anchor.defineNetwork({ ...network, implementations: pins }).implementations).toEqual(
      pins,
    );
    expect(anchor.defineNetwork({ ...network }).implementations).toBeUndefined();
    expect(Object.hasOwn(anchor.defineNetwork(network), 'implementations')).toBe(true);
  });

  test('an item of a batch has members of its own', () => {
    expect(root.verifyProofs([{ id: 5, result, claim } as never])).toMatchObject([{ ok: true }]);
  });

  test('inherited members are none', () => {
    const own = Object.create({ anything: 1 });
    expect(root.verifyProof(result, Object.assign(own, claim))).toMatchObject({
      address: claim.address,
    });
  });
});

test('a name from elsewhere is cut and escaped', async () => {
  const name = `\u001b[31m\u009b"\u202e${'x'.repeat(100)}`;
  const text = messageOf(await refusal((options) => root.hashKey(address, options), { [name]: 1 }));
  expect(text).toBe(
    `"options.\\u001b[31m\\u009b\\u0022\\u202e${'x'.repeat(32)}" is unknown; known: hash`,
  );
});
