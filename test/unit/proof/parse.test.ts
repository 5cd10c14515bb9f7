/** What the shape of an answer shows, refused by its place and reason before anything is hashed. */
import { describe, expect, test } from 'vitest';
import { specOf } from '../../../src/codec/spec.js';
import { parseProof, ShapeError, verifyProof } from '../../../src/index.js';
import { parseProofOfKey, parseResult } from '../../../src/proof/parse.js';
import { parseDigest } from '../../../src/proof/read.js';
import { fromHex } from '../../support/hex.js';
import { digits, moduli } from '../../support/reference.js';
import { absent, families, honest, type Wire } from '../../support/runs.js';

const notAll =
  'expected leafIndex, proof, or leftLeafIndex, leftProof, rightLeafIndex, rightProof; not all are there';

describe.each(families)('%s', (family) => {
  const options = { hash: family };
  const spec = specOf(family);
  const { result, claim } = honest(family);
  const other = family === 'mimc' ? 'poseidon2' : 'mimc';
  const width = family === 'mimc' ? 32 : 4;
  const openingWidth = family === 'mimc' ? 128 : 192;
  const topWidth = family === 'mimc' ? 64 : 96;
  /** Parses the honest answer after an edit. */
  const edited = (edit: (copy: Wire) => void) => () => {
    const copy = structuredClone(result);
    edit(copy);
    return parseProof(copy, options);
  };
  const editedNodes = (edit: (nodes: string[]) => void) =>
    edited(({ accountProof }) => edit(accountProof.proof.proofRelatedNodes));
  const nodesAt = 'accountProof.proof.proofRelatedNodes';

  test('both kinds of proof, or half of one, are refused', () => {
    const left = { leftLeafIndex: 0, leftProof: {} };
    const both = edited(({ accountProof }) => Object.assign(accountProof, left));
    expect(both).toThrow('"accountProof" expected a proof of one kind, got members of both');
    const one = edited(({ accountProof }) => Object.assign(accountProof, { leftProof: {} }));
    expect(one).toThrow('"accountProof" expected a proof of one kind, got members of both');
    expect(edited(({ accountProof }) => delete accountProof.leafIndex)).toThrow(
      `"accountProof" ${notAll}`,
    );
    expect(edited(({ storageProofs }) => delete storageProofs[1].leftProof)).toThrow(
      `"storageProofs[1]" ${notAll}`,
    );
  });

  test('what is no result, but around it, is told by its name', () => {
    const whole =
      'expected a result of l2_getProof, got a whole JSON-RPC answer; pass its `result`';
    const error = 'expected a result of l2_getProof, got an error that the server answered; ask it';
    expect(() => parseProof({ result }, options)).toThrow(whole);
    expect(() => parseProof({ error: {} }, options)).toThrow(error);
    for (const [answer, text] of [
      [{ result }, whole],
      [{ error: {} }, error],
    ] as const) {
      expect(() => parseProof(answer, options)).toThrow(expect.objectContaining({ path: '' }));
      // With one of the two members it is a result, and says what it lacks.
      expect(() => parseProof({ ...answer, accountProof: {} }, options)).not.toThrow(text);
      expect(() => parseProof({ ...answer, storageProofs: [] }, options)).not.toThrow(text);
    }
    expect(() => parseProof({}, options)).toThrow(/^"storageProofs" expected an array/);
  });

  test('slots are counted', () => {
    const { storageProofs, ...rest } = result;
    const count = (claim.storageKeys ?? []).length;
    expect(() => parseResult(result, spec, count + 1)).toThrow(
      `"storageProofs" expected ${count + 1} entries as asked, got ${count}`,
    );
    expect(() => parseResult(result, spec, count + 1)).toThrow(
      expect.objectContaining({ name: 'VerificationError', code: 'SLOT_COUNT' }),
    );
    expect(parseResult({ ...rest, storageProofs: [] }, spec, 5).storageProofs).toEqual([]);
    const nulls = (length: number) => ({ ...rest, storageProofs: Array(length).fill(null) });
    expect(parseResult(nulls(3), spec, 3).storageProofs).toEqual([null, null, null]);
    expect(parseResult(nulls(16_384), spec).storageProofs.length).toBe(16_384);
    expect(() => parseResult(nulls(16_385), spec)).toThrow(
      '"storageProofs" expected at most 16384 entries, got 16385',
    );
  });

  test('only head and tail may hold a word in the place of an account', () => {
    const { result: none } = absent(family);
    const word = `0x${'00'.repeat(32)}`;
    for (const index of [0, 1, 2]) {
      const copy = structuredClone(none);
      copy.accountProof.leftLeafIndex = index;
      copy.accountProof.leftProof.value = word;
      const parse = () => parseProof(copy, options);
      if (index < 2) expect(parse).not.toThrow();
      else expect(parse).toThrow(/^"accountProof\.leftProof\.value" expected /);
    }
  });

  test('nodes are counted, and have their widths', () => {
    expect(editedNodes((nodes) => nodes.pop())).toThrow(`"${nodesAt}" expected 42 nodes, got 41`);
    const widths = [topWidth, 64, openingWidth, openingWidth];
    for (const [i, at] of [0, 1, 40, 41].entries()) {
      const longer = editedNodes((nodes) => {
        nodes[at] = `${nodes[at]}00`;
      });
      expect(longer).toThrow(`"${nodesAt}[${at}]" expected 0x and ${2 * widths[i]!} hex digits`);
      expect(longer).toThrow(ShapeError);
    }
    const foreign = editedNodes((nodes) => {
      nodes[0] = `0x${'00'.repeat(specOf(other).widths.topNode)}`;
    });
    expect(foreign).toThrow(
      `"${nodesAt}[0]" expected a proof hashed with ${family}, got one of ${other}; pass hash: '${other}' if`,
    );
  });

  test('nodes are hex of canonical elements', () => {
    const message = `hex digits of canonical elements of ${spec.hasher.title}, each below the modulus`;
    const alias = digits(moduli[family], width);
    for (const at of [1, 39, 41]) {
      for (const begin of ['zz', alias]) {
        const wrong = editedNodes((nodes) => {
          const node = nodes[at] as string;
          nodes[at] = `0x${begin}${node.slice(2 + begin.length)}`;
        });
        expect(wrong).toThrow(`"${nodesAt}[${at}]" expected ${message}`);
      }
    }
  });

  test('leaf openings say where they are wrong: the own one and the one beside it', () => {
    const beyond = digits(1n << 40n, 32);
    const pointer =
      family === 'mimc'
        ? beyond
        : (beyond.match(/.{4}/g) as string[]).map((two) => `0000${two}`).join('');
    for (const [at, name] of [
      [40, 'prev'],
      [41, 'prev'],
    ] as const) {
      const wrong = editedNodes((nodes) => {
        const honestOpening = (nodes[41] as string).slice(2);
        nodes[at] = `0x${pointer}${honestOpening.slice(pointer.length)}`;
      });
      expect(wrong).toThrow(`"${nodesAt}[${at}].${name}" expected an index below`);
    }
    const empty = editedNodes((nodes) => {
      nodes[40] = `0x${'00'.repeat(31)}01`;
    });
    expect(empty).toThrow(`"${nodesAt}[40]" expected a leaf opening, or an empty leaf of exactly`);
    const zeros = editedNodes((nodes) => {
      nodes[40] = `0x${'00'.repeat(openingWidth)}`;
    });
    expect(zeros).toThrow(`"${nodesAt}[40]" expected a leaf opening, or an empty leaf of exactly`);
  });

  test('texts, widths and indices say what came in their place', () => {
    const refusals: [(copy: Wire) => void, string][] = [
      [
        ({ accountProof }) => (accountProof.key = 7),
        '"accountProof.key" expected hex, got number 7',
      ],
      [
        ({ accountProof }) => (accountProof.key = '0x1'),
        '"accountProof.key" expected 0x and 40 hex',
      ],
      [
        ({ accountProof }) => (accountProof.proof.proofRelatedNodes[3] = null),
        `"${nodesAt}[3]" expected hex, got null`,
      ],
      [
        ({ accountProof }) => (accountProof.leafIndex = -0),
        '"accountProof.leafIndex" expected a whole number, got -0',
      ],
      [
        ({ accountProof }) => (accountProof.leafIndex = '1'),
        '"accountProof.leafIndex" expected a whole number, got string',
      ],
      [
        ({ accountProof }) => (accountProof.leafIndex = 2 ** 40),
        `"accountProof.leafIndex" expected a leaf index below 2^40, got ${2 ** 40}`,
      ],
    ];
    for (const [edit, message] of refusals) {
      const wrong = edited((copy) => void edit(copy));
      expect(wrong).toThrow(message);
      expect(wrong).toThrow(ShapeError);
    }
    const { result: none } = absent(family);
    const copy = structuredClone(none);
    copy.accountProof.leftLeafIndex = 0;
    copy.accountProof.leftProof.value = '0x';
    expect(() => parseProof(copy, options)).toThrow('expected 0x and 384 or 64 hex digits');
  });

  test('account values say which of their words is wrong', () => {
    const wrong = edited(({ accountProof: { proof } }) => {
      proof.value = `0x${'ff'.repeat(32)}${proof.value.slice(66)}`;
    });
    expect(wrong).toThrow('"accountProof.proof.value.nonce" expected below 2^64');
  });

  test('a digest is canonical, and of its width', () => {
    const one = `0x${digits(1n)}`;
    expect(parseDigest(spec, one, 'hKey')).toEqual(fromHex(one));
    const alias = `0x${digits(moduli[family], width).repeat(32 / width)}`;
    expect(() => parseDigest(spec, alias, 'hKey')).toThrow(
      `"hKey" expected canonical elements of ${spec.hasher.title}`,
    );
    expect(() => parseDigest(spec, '0x01', 'hKey')).toThrow(/^"hKey" expected/);
  });

  test('a proof of a key stands alone', () => {
    const { accountProof } = result;
    expect(parseProofOfKey(accountProof, spec)).toMatchObject({ kind: 'existence' });
    expect(() => parseProofOfKey({}, spec)).toThrow(expect.objectContaining({ path: '' }));
    expect(() => parseProofOfKey(null, spec)).toThrow(/^expected an object/);
  });
});

test('options are named', () => {
  expect(() => parseProof({}, null as never)).toThrow(/"options" expected/);
  expect(() => verifyProof({}, null as never)).toThrow(TypeError);
});
