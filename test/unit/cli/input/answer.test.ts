/** A saved answer in each form that people have it in. */
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/cli/exit/exit.js';
import { answerOf } from '../../../../src/cli/input/answer.js';
import { compactProof, verifyAnswer } from '../../../../src/compact/index.js';
import { honest } from '../../../support/runs.js';

const { result, claim } = honest('poseidon2');
const bytes = Buffer.from(compactProof(result, claim));
const hex = bytes.toString('hex');
const json = JSON.stringify(result);
const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-empty:\r\n\r\n';
const heads = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nlocation: /v3\r\n\r\nHTTP/2 200 \r\ndate: now\r\n\r\n`;

describe('is verified', () => {
  test.each<[string, string | Buffer]>([
    ['a result', json],
    ['a result in lines', JSON.stringify(result, null, 2)],
    ['a JSON-RPC answer', rpc],
    ['with the head of HTTP', head + rpc],
    ['with several heads', heads + rpc],
    ['with a head whose lines end like those of Unix', `${head.replaceAll('\r', '')}${rpc}\n`],
    ['a compact proof', bytes],
    ['a compact proof behind heads', Buffer.concat([Buffer.from(heads), bytes])],
    ['hex', `0x${hex}`],
    ['hex in upper case, with a newline', `0x${hex.toUpperCase()}\n`],
    ['hex as xxd -p writes it', (hex.match(/.{1,60}/g) ?? []).join('\n')],
    ['hex with a mark in front', `\ufeff0x${hex}`],
    ['hex behind a head', `${head}0x${hex}`],
    ['hex as JSON', JSON.stringify(`0x${hex}`)],
    ['hex in a JSON-RPC answer', JSON.stringify({ id: 1, result: `0x${hex}` })],
  ])('%s', (_, given) => {
    const answer = answerOf(Buffer.from(given as string), 'FILE');
    expect(verifyAnswer(answer, claim).account?.balance).toBe(10n ** 18n);
  });
});

/** What an answer is refused with. */
function refusal(given: string | Buffer): string {
  try {
    return `taken: ${JSON.stringify(answerOf(Buffer.from(given as string), 'FILE'))}`;
  } catch (error) {
    if (error instanceof CliError && error.exitCode === 2) return error.message;
    throw error;
  }
}

describe('is malformed', () => {
  test.each<[string, string, RegExp]>([
    ['nothing', '', /^FILE is empty/],
    ['a head alone', head, /^FILE is empty/],
    ['half a head', 'HTTP/1.1 200 OK\r\ndate: now\r\n', /^FILE holds no JSON/],
    ['a page', `${head}<html>`, /^FILE holds no JSON/],
    ['hex with a digit too few', `0x${hex.slice(0, -1)}`, /^FILE holds no JSON/],
    ['hex with something in it', `0x${hex.slice(0, 20)}_${hex}`, /^FILE holds no JSON/],
    [
      'an error of the server',
      `${head}{"error":{"code":1,"message":"no"}}`,
      /^the server answered an error: 1 "no"/,
    ],
    ['an error in a batch', `${head}[{}]`, /^expected one answer, got an array/],
  ])('%s', (_, given, message) => {
    expect(refusal(given)).toMatch(message);
  });

  test('heads without end are not gone through', () => {
    const many = Buffer.from('HTTP/1.1 200\r\n\r\n'.repeat(2_000_000));
    expect(refusal(many)).toMatch(/^FILE holds no JSON/);
    expect(refusal(`HTTP/1.1 200\r\n${'x: y\r\n'.repeat(20_000)}\r\n{}`)).toMatch(
      /^FILE holds no JSON/,
    );
  });
});

test('other values are left to the verifier, as they are', () => {
  expect(answerOf(Buffer.from('1'), 'FILE')).toBe(1);
  expect(answerOf(Buffer.from('0'), 'FILE')).toBe(0);
  expect(answerOf(Buffer.from('"text"'), 'FILE')).toBe('text');
  expect(answerOf(Buffer.from('{"result":null}'), 'FILE')).toBe(null);
});
