import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('the public names are these', () => {
  expect(Object.keys(root).sort()).toEqual([
    'ProofError',
    'ShapeError',
    'VerificationError',
    'createVerifier',
    'hashKey',
    'mappingSlot',
    'parseProof',
    'slotKey',
    'stateToJson',
    'verifyExistence',
    'verifyNonExistence',
    'verifyProof',
    'verifyProofs',
  ]);
  expect(Object.keys(anchor).sort()).toEqual([
    'AnchorError',
    'anchorStorageKeys',
    'defineNetwork',
    'fetchAnchor',
    'fetchState',
    'givenAnchor',
    'networks',
    'verifyAccountProof',
    'verifyAnchorProof',
    'verifyBlockHashProof',
    'verifyL1Header',
    'verifyL2Header',
  ]);
  expect(Object.keys(compact).sort()).toEqual([
    'compactProof',
    'toCalldata',
    'verifyAnswer',
    'verifyCompactProof',
  ]);
  expect(Object.keys(explain).sort()).toEqual(['explainProof']);
  expect(Object.keys(consensus).sort()).toEqual([
    'ConsensusError',
    'applyUpdate',
    'beaconNetworks',
    'createLightClient',
    'defineBeaconNetwork',
    'verifyBootstrap',
  ]);
  expect(Object.keys(data).sort()).toEqual(['DataError', 'createDataClient']);
  expect(Object.keys(decode).sort()).toEqual([
    'DecodeError',
    'decodeInPieces',
    'decodeTransaction',
    'describeChain',
    'missingInPieces',
    'missingMetadata',
    'nativeAddress',
    'parseAbis',
  ]);
  expect(Object.keys(follow).sort()).toEqual([
    'FollowError',
    'blockLine',
    'configForks',
    'createFollower',
    'forks',
    'genesisLines',
    'loadStateFile',
    'parseStateFile',
  ]);
  expect(Object.keys(hash).sort()).toEqual(['mimc', 'poseidon2']);
  expect(Object.keys(messages).sort()).toEqual([
    'MessageError',
    'createMessages',
    'messageHash',
    'messageTrees',
    'verifyMessageProof',
  ]);
  expect(Object.keys(history).sort()).toEqual([
    'HistoryError',
    'createHistory',
    'matchLogs',
    'verifyHeaders',
    'verifyReceipts',
    'verifyTransactions',
  ]);
  expect(Object.keys(lmdb).sort()).toEqual(['folderScratch', 'lmdbStore']);
  expect(Object.keys(postgres)).toEqual(['postgresStore']);
  expect(Object.keys(pool).sort()).toEqual(['PoolError', 'createPool']);
  expect(Object.keys(provider).sort()).toEqual(['ProviderError', 'createProvider']);
  expect(Object.keys(viem).sort()).toEqual(['verifiedActions', 'verifiedTransport']);
  expect(Object.keys(rpc).sort()).toEqual(['RpcError', 'createProofClient', 'createTransport']);
  expect(Object.keys(service).sort()).toEqual([
    'IndexError',
    'NodeError',
    'ServiceError',
    'checkIndex',
    'contractFinality',
    'createDataInterface',
    'createDecoder',
    'createIndexer',
    'createLog',
    'createMetrics',
    'createProxy',
    'createService',
    'fixedFinality',
    'fixedPrices',
    'logLevels',
    'openIndex',
    'poolPrices',
    'readIndexStatus',
    'shareLimits',
    'startServer',
    'storeFinality',
    'sumMetrics',
  ]);
  expect(Object.keys(trace)).toEqual(['verifyTransition']);
  expect(Object.keys(tree).sort()).toEqual([
    'TreeError',
    'createAccumulator',
    'exportSnapshot',
    'importSnapshot',
    'memoryStore',
    'migrateStore',
    'openStateTree',
    'readSnapshotClaim',
    'readStateStatus',
    'storeLaws',
    'verifySnapshot',
  ]);
});

test('the public types are these', () => {
  const text = readFileSync('src/index.ts', 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
  const names = [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, all, list]) =>
    (list as string)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && (all || name.startsWith('type ')))
      .map((name) => name.replace('type ', '')),
  );
  expect(names.sort()).toEqual([
    'Account',
    'AccountJson',
    'AccountProof',
    'AccountValue',
    'Engine',
    'ExistenceProof',
    'HashFamily',
    'Hex',
    'LeafOpening',
    'NonExistenceProof',
    'ParsedProof',
    'Path',
    'ProofClaim',
    'ProofItem',
    'ProofOutcome',
    'SlotProof',
    'StateJson',
    'StateKind',
    'TopNode',
    'VerificationCode',
    'VerifiedSlot',
    'VerifiedState',
    'Verifier',
  ]);
});

test('errors have a common base and keep their names', () => {
  const shape = new root.ShapeError('a.b', 'is wrong');
  const verification = new root.VerificationError('ROOT_MISMATCH', '', 'is wrong');
  for (const error of [shape, verification]) {
    expect(error).toBeInstanceOf(root.ProofError);
    expect(error).toBeInstanceOf(Error);
  }
  expect(shape).toMatchObject({ name: 'ShapeError', path: 'a.b', message: '"a.b" is wrong' });
  expect(verification).toMatchObject({
    code: 'ROOT_MISMATCH',
    message: 'is wrong (ROOT_MISMATCH)',
  });
});
