/** Locations of a result, as the verifier's errors name them. */
import { expect, test } from 'vitest';
import { placeOf } from '../../../src/explain/place.js';

test.each<[at: string, ...place: unknown[]]>([
  ['', null, null, null, null],
  ['storageProofs', null, null, null, 'storageProofs'],
  ['accountProof', 0, null, null, null],
  ['accountProof.key', 0, null, null, 'key'],
  ['accountProof.leafIndex', 0, 'own', 0, 'leafIndex'],
  ['accountProof.proof', 0, 'own', null, null],
  ['accountProof.proof.value', 0, 'own', null, 'value'],
  ['accountProof.proof.value.nonce', 0, 'own', null, 'value.nonce'],
  ['accountProof.proof.proofRelatedNodes', 0, 'own', null, null],
  ['storageProofs[12]', 13, null, null, null],
  ['storageProofs[0].rightLeafIndex', 1, 'right', 0, 'leafIndex'],
  ['storageProofs[1].leftProof.proofRelatedNodes[0]', 2, 'left', null, 'root'],
  ['storageProofs[1].leftProof.proofRelatedNodes[0].nextFreeNode', 2, 'left', null, 'nextFreeNode'],
  ['storageProofs[1].leftProof.proofRelatedNodes[1]', 2, 'left', 39, null],
  ['storageProofs[1].leftProof.proofRelatedNodes[40]', 2, 'left', 0, null],
  ['storageProofs[1].leftProof.proofRelatedNodes[41].prev', 2, 'left', 0, 'prev'],
  ['accountTree.leaves[3].place', null, null, null, 'accountTree.leaves[3].place'],
])('%s', (at, proof, path, level, field) => {
  expect(placeOf(at)).toEqual({ proof, path, level, field });
});
