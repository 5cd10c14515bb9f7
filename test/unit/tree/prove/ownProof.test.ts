/** Proofs that their maker holds as bytes go by the laws of those that come as text. */
import { describe, expect, test } from 'vitest';
import { specOf } from '../../../../src/codec/spec.js';
import { parseProof, ShapeError } from '../../../../src/index.js';
import {
  type OwnLeaf,
  type OwnProof,
  openAccountProof,
  openSlotProof,
} from '../../../../src/tree/prove/ownProof.js';
import { fromHex } from '../../../support/hex.js';
import { moduli } from '../../../support/reference.js';
import { absent, families, honest, type Wire } from '../../../support/runs.js';

/** A path of an answer, as bytes. */
function heldLeaf(leafIndex: number, { value, proofRelatedNodes }: Wire): OwnLeaf {
  return {
    leafIndex: BigInt(leafIndex),
    value: fromHex(value),
    nodes: fromHex(`0x${proofRelatedNodes.map((node: string) => node.slice(2)).join('')}`),
    siblingLeafWidth: proofRelatedNodes[40].length / 2 - 1,
  };
}

const held = (entry: Wire): OwnProof =>
  entry.proof
    ? { own: heldLeaf(entry.leafIndex, entry.proof) }
    : {
        left: heldLeaf(entry.leftLeafIndex, entry.leftProof),
        right: heldLeaf(entry.rightLeafIndex, entry.rightProof),
      };

describe.each(families)('%s', (family) => {
  const spec = specOf(family);
  const { result } = honest(family);
  const key = fromHex(result.accountProof.key);

  test('what is held is the proof that its text is', () => {
    for (const { result } of [honest(family), absent(family)]) {
      const { accountProof, storageProofs } = parseProof(result, { hash: family });
      const address = fromHex(result.accountProof.key);
      expect(openAccountProof(spec, address, held(result.accountProof))).toEqual(accountProof);
      const slots = (result.storageProofs as Wire[]).map((entry, i) =>
        openSlotProof(spec, fromHex(entry.key), held(entry), `storageProofs[${i}]`),
      );
      expect(slots).toEqual(storageProofs);
    }
  });

  test('a value of another width is refused, with its place', () => {
    const { own } = held(result.accountProof) as { own: OwnLeaf };
    const refusing = () =>
      openAccountProof(spec, key, { own: { ...own, value: own.value.slice(1) } });
    expect(refusing).toThrow(ShapeError);
    expect(refusing).toThrow(/^"accountProof\.proof\.value" expected 192 bytes$/);
  });

  test('nodes that are too short, or of an element that is not canonical, are refused', () => {
    const { own } = held(result.accountProof) as { own: OwnLeaf };
    const width = family === 'mimc' ? 32 : 4;
    const alias = moduli[family].toString(16).padStart(2 * width, '0');
    const aliased = own.nodes.slice();
    aliased.set(fromHex(`0x${alias}`));
    for (const nodes of [own.nodes.slice(0, -1), aliased]) {
      expect(() => openAccountProof(spec, key, { own: { ...own, nodes } })).toThrow(
        /^"accountProof\.proof\.proofRelatedNodes" expected nodes of canonical elements of /,
      );
    }
  });
});
