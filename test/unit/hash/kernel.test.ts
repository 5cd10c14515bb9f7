/** The kernels against the reference, the portable form, and the bounds they rest on. */
import { spawnSync } from 'node:child_process';
import vm from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specOf } from '../../../src/codec/spec.js';
import { type Engine, openHasher } from '../../../src/hash/engine.js';
import type { PathRoots } from '../../../src/hash/family.js';
import { nodeWidths } from '../../../src/hash/geometry.js';
import { emitMimcProducts, mimcProducts, R } from '../../../src/hash/kernel/generator/emitMimc.js';
import { checkLanesBounds } from '../../../src/hash/kernel/generator/lanesBounds.js';
import { checkPoseidon2Bounds } from '../../../src/hash/kernel/generator/poseidon2Bounds.js';
import { mimcWasm } from '../../../src/hash/kernel/mimc.wasm.js';
import { poseidon2Wasm } from '../../../src/hash/kernel/poseidon2.wasm.js';
import { verifyProofs } from '../../../src/index.js';
import { toHex } from '../../support/hex.js';
import { bytesOf, digits, digitsOf, hash, moduli } from '../../support/reference.js';
import {
  absent,
  families,
  honest,
  patience,
  runsOf,
  saved,
  type Wire,
} from '../../support/runs.js';

const engines: readonly Engine[] = ['wasm', 'portable'];
const modules = { mimc: mimcWasm, poseidon2: poseidon2Wasm };

/** Every path of a result, with its leaf index. */
function pathsOf({ result }: { result: Wire }): { texts: string[]; leafIndex: bigint }[] {
  return [result.accountProof, ...result.storageProofs].filter(Boolean).flatMap((entry) =>
    [
      [entry.proof, entry.leafIndex],
      [entry.leftProof, entry.leftLeafIndex],
      [entry.rightProof, entry.rightLeafIndex],
    ]
      .filter(([proof]) => proof)
      .map(([proof, index]) => ({ texts: proof.proofRelatedNodes, leafIndex: BigInt(index) })),
  );
}
const siblingWidth = ({ texts }: { texts: string[] }) => ((texts[40] as string).length - 2) / 2;

describe.each(families)('%s kernel', (family) => {
  const element = family === 'mimc' ? 32 : 4;
  const p = moduli[family];
  const kernel = openHasher(family, 'wasm');
  const portable = openHasher(family, 'portable');
  const edges = [0n, 1n, 2n, p - 1n, p - 2n, (p - 1n) / 2n, (p + 1n) / 2n, 1n << 24n, 1n << 30n];
  const wide = [(1n << 47n) - 1n, 1n << 232n, (1n << 252n) - 1n, R % p];
  const value = fc.oneof(
    fc.constantFrom(...edges, ...(family === 'mimc' ? wide : [])),
    fc.bigInt({ min: 0n, max: p - 1n }),
  );
  const blocksOf = (max: number) =>
    fc
      .integer({ min: 1, max })
      .chain((n) =>
        fc.array(value, { minLength: (32 * n) / element, maxLength: (32 * n) / element }),
      )
      .map((values) => bytesOf(values.map((x) => digits(x, element)).join('')));

  test('hashes as the portable form and the reference do', () => {
    fc.assert(
      fc.property(blocksOf(6), (data) => {
        const digest = kernel.hash(data);
        expect(digest).toEqual(portable.hash(data));
        expect(digitsOf(digest)).toBe(hash(family, digitsOf(data)));
      }),
      runsOf(family),
    );
  });

  test('each pair of edge values hashes as in the reference', () => {
    const all = family === 'mimc' ? [...edges, ...wide] : edges;
    const block = (x: bigint) => digits(x, element).repeat(32 / element);
    for (const a of all) {
      for (const b of all) {
        const data = block(a) + block(b);
        expect(digitsOf(kernel.hash(bytesOf(data)))).toBe(hash(family, data));
      }
    }
  });

  test('hashes more than its memory holds', () => {
    const data = new Uint8Array(65536 + 32).fill(1);
    expect(kernel.hash(data)).toEqual(portable.hash(data));
    expect(kernel.isCanonical(data)).toBe(true);
    data.fill(0xff, 65536);
    expect(kernel.isCanonical(data)).toBe(false);
    expect(kernel.hash(new Uint8Array(65536))).toEqual(portable.hash(new Uint8Array(65536)));
  });

  test(
    'hashes many inputs of one width as it hashes each',
    () => {
      for (const width of [32, 64, 96, 192, 320]) {
        // The narrowest and the widest go beyond the kernel's memory.
        const beyond = width === 32 || width === 320 ? [Math.ceil(65536 / width) + 1] : [];
        for (const count of [0, 1, 3, ...beyond]) {
          const data = new Uint8Array(width * count).map((_, i) => (i % 4 === 0 ? 0 : i % 251));
          const each = Array.from({ length: count }, (_, i) =>
            toHex(portable.hash(data.subarray(width * i, width * (i + 1)))).slice(2),
          );
          for (const hasher of [kernel, portable]) {
            expect(digitsOf(hasher.hashEach(data, width))).toBe(each.join(''));
          }
        }
        const high = new Uint8Array(2 * width).fill(0xff, width);
        for (const hasher of [kernel, portable]) {
          expect(() => hasher.hashEach(high, width)).toThrow(RangeError);
        }
      }
    },
    patience,
  );

  test(
    'hashes many inputs wider than its memory, and no part of one',
    () => {
      const width = (1 << 16) + 32;
      const data = bytesOf('01020304'.repeat(width / 2));
      const digest = portable.hash(data.subarray(width));
      for (const hasher of [kernel, portable]) {
        const digests = hasher.hashEach(data, width);
        expect(digests.subarray(32)).toEqual(digest);
        expect(digests).toHaveLength(64);
        for (const [bytes, bad] of [
          [96, 64],
          [96, 48],
          [48, 48],
          [64, 1.5],
          [64, -32],
          [0, 0],
          [32, 0],
        ] as const) {
          expect(() => hasher.hashEach(new Uint8Array(bytes), bad)).toThrow(/inputs of/);
        }
      }
    },
    patience,
  );

  test('side by side, any four inputs and each pair of edge values hash as in the reference', () => {
    const all = family === 'mimc' ? [...edges, ...wide] : edges;
    const block = (x: bigint) => digits(x, element).repeat(32 / element);
    // One edge value in every lane and element at a time, then another beside it in every place.
    for (const a of all) {
      const inputs = all.map((b) => block(a) + block(b));
      expect(digitsOf(kernel.hashEach(bytesOf(inputs.join('')), 64))).toBe(
        inputs.map((input) => hash(family, input)).join(''),
      );
    }
    for (const a of all) {
      const inputs = Array.from({ length: 64 / element }, (_, i) =>
        bytesOf(
          Array.from({ length: 64 / element }, (_, j) =>
            digits(i === j ? a : (all[(i + j) % all.length] as bigint), element),
          ).join(''),
        ),
      );
      const bytes = Uint8Array.from(inputs.flatMap((input) => [...input]));
      expect(kernel.hashEach(bytes, 64)).toEqual(portable.hashEach(bytes, 64));
    }
  });

  test(
    `lanes, kernel and portable form are equal on ${process.env.DEEP ? 'a million' : 'some thousand'} random inputs`,
    () => {
      const rounds = (process.env.DEEP ? 250 : 1) * (family === 'mimc' ? 1 : 4);
      const batch = family === 'mimc' && !process.env.DEEP ? 40 : 1000;
      for (const [width, seed] of [
        [64, 3],
        [32, 5],
        [192, 7],
      ] as const) {
        const count = width === 64 ? batch : batch / 10;
        const inputBlocks = (count * width) / 32;
        // Digests of a counter: random elements of the field.
        const counters = new Uint8Array(32 * inputBlocks);
        const view = new DataView(counters.buffer);
        for (let round = 0; round < rounds; round++) {
          for (let i = 0; i < inputBlocks; i++) {
            view.setUint32(32 * i + 28, round * inputBlocks + i);
            view.setUint32(32 * i + 12, seed);
          }
          const inputs = kernel.hashEach(counters, 32);
          const digests = kernel.hashEach(inputs, width);
          expect(Buffer.compare(digests, portable.hashEach(inputs, width))).toBe(0);
          for (let i = 0; i < count; i++) {
            const one = kernel.hash(inputs.subarray(width * i, width * (i + 1)));
            expect(Buffer.compare(one, digests.subarray(32 * i, 32 * (i + 1)))).toBe(0);
          }
        }
      }
    },
    patience,
  );

  // In `test:deep`: chains of digests, each the input of the next, are random inputs of the field.
  test(
    `equals the portable form on ${process.env.DEEP ? 'a million' : 'a thousand'} random inputs`,
    () => {
      let rounds = (process.env.DEEP ? 1_000_000 : 1000) / (family === 'mimc' ? 10 : 1);
      if (process.env.DEEP && family === 'mimc') rounds = 1_000_000;
      let data = portable.hash(new Uint8Array(32).fill(5));
      for (let i = 0; i < rounds; i++) {
        const digest = kernel.hash(data);
        const expected = portable.hash(data);
        if (!expected.every((byte, at) => byte === digest[at])) expect(digest).toEqual(expected);
        data = expected;
      }
      expect(data).toHaveLength(32);
    },
    patience,
  );

  test('reads every path and recovers its roots as the portable form does, whatever is remembered', () => {
    const paths = [
      honest(family),
      absent(family),
      saved('vectors', `getproof-${family}-synthetic-slots.json`),
    ].flatMap(pathsOf);
    for (const nodes of [0, 1, 8, 1024]) {
      for (const hasher of [openHasher(family, 'wasm'), openHasher(family, 'portable')]) {
        hasher.remember(nodes);
        for (const path of [...paths, ...paths]) {
          const width = siblingWidth(path);
          const bytes = hasher.decodePath(path.texts, width) as Uint8Array;
          expect(digitsOf(bytes)).toBe(
            path.texts
              .map((text) => text.slice(2))
              .join('')
              .toLowerCase(),
          );
          const [roots] = hasher.recoverRoots([
            { nodes: bytes, siblingLeafWidth: width, leafIndex: path.leafIndex },
          ]);
          const { root, subTreeRoot } = roots as PathRoots;
          expect(digitsOf(subTreeRoot)).toBe((path.texts[0] as string).slice(-64));
          expect(digitsOf(root)).toBe(hash(family, (path.texts[0] as string).slice(2)));
        }
      }
    }
  });

  test('paths that climb together lead to the roots that each leads to alone', () => {
    const paths = [
      honest(family),
      absent(family),
      saved('vectors', `getproof-${family}-synthetic-slots.json`),
    ]
      .flatMap(pathsOf)
      .map((path) => {
        const siblingLeafWidth = siblingWidth(path);
        const nodes = kernel.decodePath(path.texts, siblingLeafWidth) as Uint8Array;
        return { nodes, siblingLeafWidth, leafIndex: path.leafIndex };
      });
    expect(paths.length).toBeGreaterThan(8);
    // The same path twice, and some that differ from it in one thing alone: topmost sibling, leaf, topmost side.
    const [first] = paths as [(typeof paths)[number]];
    const changed = first.nodes.slice();
    const { topNode } = specOf(family).widths;
    changed.set(first.nodes.subarray(topNode + 64 * 38, topNode + 64 * 38 + 32), topNode + 32);
    const otherLeaf = first.nodes.slice();
    otherLeaf[otherLeaf.length - 1] = (otherLeaf.at(-1) as number) ^ 1;
    const near = [
      { ...first, nodes: changed },
      { ...first, nodes: otherLeaf },
      { ...first, leafIndex: first.leafIndex ^ (1n << 39n) },
    ];
    const all = [first, ...near, first, first, ...paths, first];
    for (const nodes of [0, 8, 1024]) {
      kernel.remember(nodes);
      const alone = all.map((path) => portable.recoverRoots([path])[0]);
      expect(kernel.recoverRoots(all)).toEqual(alone);
      expect(kernel.recoverRoots([...all].reverse())).toEqual([...alone].reverse());
      for (const count of [0, 1, 2, 3, 5]) {
        expect(kernel.recoverRoots(all.slice(0, count))).toEqual(alone.slice(0, count));
      }
    }
  });

  test('a path read after another has its own nodes, whatever they share', () => {
    const [path] = pathsOf(honest(family)) as [ReturnType<typeof pathsOf>[number]];
    const width = siblingWidth(path);
    const whole = portable.decodePath(path.texts, width);
    for (let node = 0; node < 42; node++) {
      const text = path.texts[node] as string;
      const zeros = path.texts.map((other, i) =>
        i === node ? `0x${'0'.repeat(text.length - 2)}` : other,
      );
      const bad = path.texts.map((other, i) => (i === node ? `${text.slice(0, -1)}g` : other));
      expect(kernel.decodePath(path.texts, width)).toEqual(whole);
      expect(kernel.decodePath(zeros, width)).toEqual(portable.decodePath(zeros, width));
      expect(kernel.decodePath(bad, width)).toBeUndefined();
      expect(kernel.decodePath(bad, width)).toBeUndefined();
      expect(kernel.decodePath(path.texts, width)).toEqual(whole);
    }
  });

  test('text that is no hex of canonical elements is refused, at every node', () => {
    const [path] = pathsOf(honest(family)) as [ReturnType<typeof pathsOf>[number]];
    const width = siblingWidth(path);
    const fullWidth = String.fromCharCode(0xff10);
    const tails = [
      'g',
      'G',
      ' ',
      '/',
      ':',
      '@',
      '`',
      '\u00e9',
      fullWidth,
      '\ud800',
      '\udc00',
      '\0',
    ];
    for (let node = 0; node < 42; node++) {
      const text = path.texts[node] as string;
      const edits = [
        ...tails.map((tail) => text.slice(0, -1) + tail),
        ...tails.map((tail) => `0x${tail}${text.slice(3)}`),
        `0X${text.slice(2)}`,
        // Two characters of four bytes in the place of digits: right in characters, wrong in bytes.
        `${text.slice(0, -2)}\u{1f600}`,
        text.slice(0, -64) + 'f'.repeat(64),
      ];
      for (const edit of edits) {
        const texts = path.texts.map((other, i) => (i === node ? edit : other));
        expect(kernel.decodePath(texts, width)).toBeUndefined();
        expect(portable.decodePath(texts, width)).toBeUndefined();
      }
    }
    expect(kernel.decodePath(path.texts, width)).toBeDefined();
  });

  test(
    'a path of any bytes leads to the same roots in both forms',
    () => {
      const widths = nodeWidths(specOf(family).widths, 32);
      const size = widths.reduce((sum, width) => sum + width, 0);
      const path = fc.array(value, { minLength: size / element, maxLength: size / element });
      const index = fc.bigInt({ min: 0n, max: (1n << 40n) - 1n });
      fc.assert(
        fc.property(path, index, (values, leafIndex) => {
          const nodes = bytesOf(values.map((x) => digits(x, element)).join(''));
          const paths = [{ nodes, siblingLeafWidth: 32, leafIndex }];
          expect(kernel.recoverRoots(paths)).toEqual(portable.recoverRoots(paths));
        }),
        { numRuns: Math.ceil(runsOf(family).numRuns / 5) },
      );
    },
    patience,
  );

  test(
    'paths together, of empty nodes, shared ones and their own, lead to the same roots in both forms',
    () => {
      const spec = specOf(family);
      const emptyPairs: Uint8Array[] = [];
      for (let below = new Uint8Array(32); emptyPairs.length < 39; ) {
        const pair = Uint8Array.of(...below, ...below);
        emptyPairs.push(pair);
        below = new Uint8Array(portable.hash(pair));
      }
      const own = (seed: number) =>
        bytesOf(
          Array.from({ length: 64 / element }, (_, i) =>
            digits((BigInt(seed) * 0x9e3779b97f4a7c15n + BigInt(i)) % p, element),
          ).join(''),
        );
      const kind = fc.constantFrom('own', 'own', 'empty', 'first', 'below');
      const one = fc.record({
        kinds: fc.array(kind, { minLength: 39, maxLength: 39 }),
        index: fc.oneof(
          fc.bigInt({ min: 0n, max: 7n }),
          fc.bigInt({ min: 0n, max: (1n << 40n) - 1n }),
        ),
        leaf: fc.integer({ min: 0, max: 1 }),
      });
      /** Bytes of a path: top node, siblings from height 39 down to 1, an empty sibling leaf, the leaf. */
      const nodesOf = ({ kinds, leaf }: { kinds: readonly string[]; leaf: number }, at: number) => {
        const { topNode, leafOpening } = spec.widths;
        const nodes = new Uint8Array(topNode + 39 * 64 + 32 + leafOpening);
        let below = own(1);
        for (const [i, chosen] of kinds.entries()) {
          const node = {
            own: own(100 * at + i),
            first: own(i),
            empty: emptyPairs[i] as Uint8Array,
            below,
          }[chosen] as Uint8Array;
          nodes.set(node, topNode + 64 * (38 - i));
          below = node;
        }
        nodes[nodes.length - 1] = leaf;
        return nodes;
      };
      fc.assert(
        fc.property(
          fc.array(one, { minLength: 1, maxLength: 6 }),
          fc.constantFrom(0, 4, 1024),
          (some, remembered) => {
            const paths = some.map((path, at) => ({
              nodes: nodesOf(path, at),
              siblingLeafWidth: 32,
              leafIndex: path.index,
            }));
            kernel.remember(remembered);
            portable.remember(1024);
            const expected = paths.map((path) => portable.recoverRoots([path])[0]);
            // What the kernel has remembered by the second time changes nothing.
            expect(kernel.recoverRoots(paths)).toEqual(expected);
            expect(kernel.recoverRoots(paths)).toEqual(expected);
          },
        ),
        { numRuns: Math.ceil(runsOf(family).numRuns / 5) },
      );
      kernel.remember(0);
      portable.remember(0);
    },
    patience,
  );

  test('both engines give the same states and errors', () => {
    const { result, claim } = honest(family);
    const broken = structuredClone(result);
    broken.storageProofs[0].proof.value = `0x${'07'.repeat(32)}`;
    const outcomes = engines.map((engine) =>
      verifyProofs(
        [result, broken, {}].map((item) => ({ result: item, claim: { ...claim, engine } })),
      ),
    );
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[0]?.map(({ ok }) => ok)).toEqual([true, false, false]);
  });
});

describe.each(families)('%s savings, in blocks really hashed', (family) => {
  interface Kernel {
    readonly memory: WebAssembly.Memory;
    readonly PATH: WebAssembly.Global;
    setShape(path: number, siblingBlocks: number, leafIndex: bigint): void;
    recoverRoots(count: number): void;
    resize(log2Slots: number): number;
    forget(): void;
    hashed(): number;
  }

  test('empty sub-trees and nodes hashed before cost nothing', () => {
    const { exports } = new WebAssembly.Instance(
      new WebAssembly.Module(Buffer.from(modules[family], 'hex')),
    );
    const kernel = exports as unknown as Kernel;
    const [path] = pathsOf(honest(family)) as [ReturnType<typeof pathsOf>[number]];
    const bytes = bytesOf(path.texts.map((text) => text.slice(2)).join(''));
    const cost = () => {
      const before = kernel.hashed();
      new Uint8Array(kernel.memory.buffer).set(bytes, Number(kernel.PATH.value));
      kernel.setShape(0, siblingWidth(path) / 32, path.leafIndex);
      kernel.recoverRoots(1);
      return kernel.hashed() - before;
    };
    // 40 inner nodes on the path and 39 beside it, two blocks each; two leaf openings; the top node.
    const { topNode, leafOpening } = specOf(family).widths;
    const all = 2 * 79 + (2 * leafOpening + topNode) / 32;
    // Seven leaves: all siblings above them are empty, and have two equal halves.
    const empty = path.texts
      .slice(1, 40)
      .filter((text) => text.slice(2, 66) === text.slice(66)).length;
    expect(empty).toBeGreaterThan(30);
    cost();
    expect(cost()).toBe(all - 2 * empty);
    // So large that none of these nodes takes another's place.
    expect(kernel.resize(16)).toBe(1);
    cost();
    expect(cost()).toBe(0);
    kernel.forget();
    expect(cost()).toBe(all - 2 * empty);
    expect(kernel.resize(-1)).toBe(1);
    expect(cost()).toBe(all - 2 * empty);
    expect(kernel.resize(21)).toBe(0);
  });
});

describe('the code that the generator emits', () => {
  test('MiMC products keep every variable in range at the extremes, and compute the product', () => {
    const { square, product } = mimcProducts();
    const extreme = (input: { min: bigint; max: bigint }, pick: number) =>
      pick === 0
        ? input.min
        : pick === 1
          ? input.max
          : input.min + (BigInt(pick) * (input.max - input.min)) / 1000n;
    for (const { code } of [square, product]) {
      const picks = fc.array(fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 2, max: 1000 })), {
        minLength: code.inputs.length,
        maxLength: code.inputs.length,
      });
      fc.assert(
        fc.property(picks, (choice) => {
          const inputs = new Map(
            code.inputs.map((input, i) => [input.name, extreme(input, choice[i] as number)]),
          );
          // Throws if a variable leaves the range that the generator promised for it.
          const values = code.run(inputs);
          const number = (prefix: string) =>
            Array.from(
              { length: 9 },
              (_, i) => (values.get(`${prefix}${i}`) ?? 0n) << BigInt(29 * i),
            ).reduce((a, b) => a + b);
          const b = values.has('b0') ? number('b') : number('a');
          expect(((number('r') - number('s')) * R - number('a') * b) % moduli.mimc).toBe(0n);
        }),
        runsOf(),
      );
      for (const pick of [0, 1])
        code.run(new Map(code.inputs.map((input) => [input.name, extreme(input, pick)])));
    }
    expect(emitMimcProducts()).toContain('export function product');
  });

  test('Poseidon2 lanes keep their ranges at the ends', () => {
    expect(checkPoseidon2Bounds()).toBeUndefined();
    expect(checkLanesBounds()).toBeUndefined();
  });

  test('modules import nothing', () => {
    for (const wasm of Object.values(modules)) {
      expect(WebAssembly.Module.imports(new WebAssembly.Module(Buffer.from(wasm, 'hex')))).toEqual(
        [],
      );
    }
  });
});

describe('if WebAssembly is not available, the portable form takes over', () => {
  const { result, claim } = honest('poseidon2');
  const mimc = honest('mimc');
  const job = JSON.stringify({ items: [{ result, claim }, mimc] });
  const script = `
    import { readFileSync } from 'node:fs';
    import { verifyProof, verifyProofs } from 'l2proof';
    const { items } = JSON.parse(readFileSync(0, 'utf8'));
    const tried = items.map(({ result, claim }) => {
      try { verifyProof(result, { ...claim, engine: 'wasm' }); return 'wasm'; } catch (error) { return error.name; }
    });
    console.log(JSON.stringify([typeof WebAssembly, ...tried, ...verifyProofs(items).map(({ ok }) => ok)]));
  `;
  /** What a Node with these flags says. */
  function run(...flags: string[]): unknown {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...flags, '--input-type=module', '-e', script],
      {
        input: job,
        encoding: 'utf8',
      },
    );
    return JSON.parse(stdout || JSON.stringify(stderr));
  }

  test('as it is', () => expect(run()).toEqual(['object', 'wasm', 'wasm', true, true]));
  test('absent', () =>
    expect(run('--jitless')).toEqual(['undefined', 'RangeError', 'RangeError', true, true]));
  // V8 has SIMD only if the processor has SSE4.1.
  test('without SIMD: MiMC keeps its kernel', () =>
    expect(run('--no-enable-sse4-1')).toEqual(['object', 'RangeError', 'wasm', true, true]));

  test('forbidden', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from './dist/index.js'", resolveDir: '.' },
      bundle: true,
      format: 'iife',
      globalName: 'l2proof',
      write: false,
    });
    const sandbox = { TextEncoder, TextDecoder, answer: result, claim };
    const context = vm.createContext(sandbox, { codeGeneration: { strings: true, wasm: false } });
    const code = outputFiles?.[0]?.text as string;
    const nonce = vm.runInContext(
      `${code}; String(l2proof.verifyProof(JSON.parse(${JSON.stringify(JSON.stringify(result))}), claim).account.nonce)`,
      context,
    );
    expect(nonce).toBe('3');
    expect(
      vm.runInContext(
        "try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); 'allowed' } catch { 'forbidden' }",
        context,
      ),
    ).toBe('forbidden');
  });
});
