/** The words that the decoder speaks with contracts, beside viem; and answers that are anything at all. */
import fc from 'fast-check';
import { encodeAbiParameters, encodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem';
import { expect, test } from 'vitest';
import { decodeAddress, decodeDecimals, decodeText, decodeTrue } from '../../src/abi/answers.js';
import { decodeAggregate, encodeAggregate } from '../../src/abi/multicall.js';
import { questions, type TokenQuestion } from '../../src/abi/tokens.js';
import { encodeHex, type Hex } from '../../src/bytes.js';
import { hexBytes } from '../../src/foreign/values.js';

const bytesOf = (hex: Hex) => hexBytes(hex, (hex.length - 2) / 2) as Uint8Array;
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(encodeHex);
const question = fc.constantFrom(...(Object.keys(questions) as TokenQuestion[]));
const inquiry = fc.record({ to: address, question });
const result = fc.record({ success: fc.boolean(), returnData: fc.uint8Array({ maxLength: 100 }) });

test('questions are those that viem would put', () => {
  fc.assert(
    fc.property(fc.array(inquiry, { maxLength: 20 }), (inquiries) => {
      const calls = inquiries.map(({ to, question: name }) => ({
        target: to,
        allowFailure: true,
        callData: questions[name],
      }));
      const data = { abi: multicall3Abi, functionName: 'aggregate3', args: [calls] } as const;
      const asked = inquiries.map(({ to, question: name }) => ({ to, data: questions[name] }));
      expect(encodeAggregate(asked)).toBe(encodeFunctionData(data));
    }),
  );
});

test('answers are those that viem wrote', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 20 }), (results) => {
      const written = results.map(({ success, returnData }) => ({
        success,
        returnData: encodeHex(returnData),
      }));
      const data = bytesOf(
        encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: written }),
      );
      const read = decodeAggregate(data, results.length);
      expect(read?.map((one) => one && encodeHex(one))).toEqual(
        written.map(({ success, returnData }) => (success ? returnData : null)),
      );
      expect(decodeAggregate(data, results.length + 1)).toBeUndefined();
    }),
  );
});

test('what a contract says is read as viem writes it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.nat(255),
      address,
      (text, n, to) => {
        const said = bytesOf(encodeAbiParameters([{ type: 'string' }], [text]));
        expect(decodeText(said)).toBe(text);
        const decimals = bytesOf(encodeAbiParameters([{ type: 'uint8' }], [n]));
        expect(decodeDecimals(decimals)).toBe(n <= 77 ? n : undefined);
        expect(decodeTrue(decimals)).toBe(n === 1);
        expect(decodeAddress(bytesOf(encodeAbiParameters([{ type: 'address' }], [to])))).toBe(to);
      },
    ),
  );
});

test('no bytes make a reader throw, or read beyond them', () => {
  const word = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.nat(200).map((n) => bytesOf(`0x${n.toString(16).padStart(64, '0')}`)),
  );
  const data = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(word, { maxLength: 12 })
      .map((words) => Uint8Array.from(words.flatMap((one) => [...one]))),
  );
  fc.assert(
    fc.property(data, fc.nat(5), (bytes, count) => {
      const read = decodeAggregate(bytes, count);
      for (const one of read ?? []) expect((one ?? []).length).toBeLessThanOrEqual(bytes.length);
      expect((decodeText(bytes) ?? '').length).toBeLessThanOrEqual(bytes.length);
      for (const decode of [decodeDecimals, decodeTrue, decodeAddress]) decode(bytes);
    }),
  );
});
