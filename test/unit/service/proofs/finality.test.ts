/** Finality as the rollup contract on L1 tells it, from real JSON-RPC servers. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterEach, describe, expect, test } from 'vitest';
import { contractFinality, fixedFinality } from '../../../../src/service/index.js';
import { toHex } from '../../../support/hex.js';
import { startHttp, type TestServer } from '../../../support/http.js';

const contract = `0x${'d1'.repeat(20)}` as const;
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;

let l1: TestServer | undefined;
afterEach(async () => {
  await l1?.close();
});

/** An L1 endpoint that answers one thing after the other, and the last one from then on. */
async function startL1(...answers: unknown[]) {
  const asked: { method: string; params: unknown[] }[] = [];
  l1 = await startHttp(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, method, params } = JSON.parse(text);
    asked.push({ method, params });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) response.writeHead(500).end();
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
  });
  return { url: `${l1.url}/v3/l1-key-that-must-not-leak`, asked };
}

describe('contractFinality', () => {
  test('calls currentL2BlockNumber() of the contract at the finalized L1 block', async () => {
    const { url, asked } = await startL1(word(32_197_714));
    expect(await contractFinality({ url, contract })()).toBe(32_197_714);
    const selector = keccak_256(new TextEncoder().encode('currentL2BlockNumber()')).slice(0, 4);
    expect(asked).toEqual([
      { method: 'eth_call', params: [{ to: contract, data: toHex(selector) }, 'finalized'] },
    ]);
  });

  test('asks at another L1 block if it is told to', async () => {
    const { url, asked } = await startL1(word(1));
    await contractFinality({ url, contract, l1Block: 'latest' })();
    expect(asked[0]?.params[1]).toBe('latest');
  });

  test('asks once for all that wait, and again when the answer is old', async () => {
    const { url, asked } = await startL1(word(5), word(6));
    const finality = contractFinality({ url, contract, maxAge: 50 });
    const many = await Promise.all(Array.from({ length: 20 }, () => finality()));
    expect(new Set(many)).toEqual(new Set([5]));
    expect(asked).toHaveLength(1);
    await new Promise((resolve) => {
      setTimeout(resolve, 60);
    });
    expect(await finality()).toBe(6);
    expect(asked).toHaveLength(2);
  });

  test('never goes down, and stands while the endpoint fails', async () => {
    const { url, asked } = await startL1(word(9), word(7), undefined, word(10));
    const errors: unknown[] = [];
    const finality = contractFinality({
      url,
      contract,
      maxAge: 0,
      onError: (error) => errors.push(error),
    });
    expect([await finality(), await finality(), await finality(), await finality()]).toEqual([
      9, 9, 9, 10,
    ]);
    expect(asked).toHaveLength(4);
    expect(errors).toMatchObject([{ name: 'RpcError', code: 'HTTP_STATUS' }]);
  });

  test('fails as long as no answer ever came, and then no more', async () => {
    const { url } = await startL1(undefined, word(3));
    const finality = contractFinality({ url, contract });
    const error = await finality().catch((reason) => reason);
    expect(error).toMatchObject({ name: 'RpcError', code: 'HTTP_STATUS', status: 500 });
    expect(error.message).not.toContain('l1-key');
    expect(await finality()).toBe(3);
  });

  test.each<[string, unknown]>([
    ['nothing, as an address without code does', '0x'],
    ['null', null],
    ['a number', 5],
    ['two words', `${word(1)}${word(1).slice(2)}`],
    ['a short number', '0x5'],
    ['more than a number holds', word(2n ** 53n)],
  ])('takes no word for it that is %s', async (_, answer) => {
    const { url } = await startL1(answer);
    await expect(contractFinality({ url, contract })()).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'FINALITY_UNKNOWN',
    });
  });

  test('wants an address and a URL', () => {
    const url = 'https://l1.example';
    expect(() => contractFinality({ url, contract: '0x12' })).toThrow(TypeError);
    expect(() => contractFinality({ url: 'l1', contract })).toThrow(TypeError);
  });
});

describe('fixedFinality', () => {
  test('stays where it is', async () => {
    expect(await fixedFinality(7)()).toBe(7);
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('%d is no height', (height) => {
    expect(() => fixedFinality(height)).toThrow(RangeError);
  });
});
