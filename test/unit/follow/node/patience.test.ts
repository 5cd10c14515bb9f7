/** How long a node is asked, by what it says. */
import { expect, test } from 'vitest';
import { FollowError } from '../../../../src/follow/node/errors.js';
import { createPatientClient, untilAnswered } from '../../../../src/follow/node/patience.js';
import { RpcError } from '../../../../src/rpc/index.js';

/** A client of a node that fails once, and then answers 7. */
function asking(error: unknown, tries = 2) {
  let calls = 0;
  const call = async () => {
    if (calls++ === 0) throw error;
    return 7;
  };
  const client = createPatientClient('the node', { call }, { tries, delay: 0 }, undefined);
  return { answer: () => client.ask('m', [], (value) => value), calls: () => calls };
}

const rpc = (code: string, details: object = {}) =>
  new RpcError(code as never, 'm', 'no', details as never);

test.each<[string, RpcError]>([
  ['a network that fails', rpc('NETWORK')],
  ['status 429', rpc('HTTP_STATUS', { status: 429 })],
  ['status 502', rpc('HTTP_STATUS', { status: 502 })],
  ['a status that is not told', rpc('HTTP_STATUS')],
  ['an error of the server without a code', rpc('SERVER_ERROR')],
  ['an error of the server that passes', rpc('SERVER_ERROR', { serverCode: -32000 })],
])('%s is asked again', async (_, error) => {
  const { answer, calls } = asking(error);
  await expect(answer()).resolves.toBe(7);
  expect(calls()).toBe(2);
});

test.each<[string, RpcError]>([
  ['an answer that is too long', rpc('TOO_LARGE')],
  ['status 404', rpc('HTTP_STATUS', { status: 404 })],
  ['a method that is not there', rpc('SERVER_ERROR', { serverCode: -32601 })],
])('%s is not: the node has failed', async (_, cause) => {
  const { answer, calls } = asking(cause);
  await expect(answer()).rejects.toMatchObject({ code: 'NODE_FAILED', cause });
  expect(calls()).toBe(1);
});

test('the last try fails with how often the node was asked', async () => {
  const error = rpc('NETWORK');
  const call = async () => {
    throw error;
  };
  const client = createPatientClient('the node', { call }, { tries: 3, delay: 0 }, undefined);
  await expect(client.ask('m', [], () => {})).rejects.toThrow(/\(asked 3 times\)/);
});

test("an error that is not the node's stays as it is", async () => {
  const own = new Error('own');
  await expect(asking(own).answer()).rejects.toBe(own);
  const { answer } = asking(rpc('NETWORK'));
  await answer();
  const reading = createPatientClient(
    'n',
    { call: async () => 7 },
    { tries: 1, delay: 0 },
    undefined,
  );
  const fails = () => {
    throw own;
  };
  await expect(reading.ask('m', [], fails)).rejects.toBe(own);
});

test('work waits for a node that is away, and for nothing else', async () => {
  const away = new FollowError('NODE_FAILED', 'away', { cause: rpc('NETWORK') } as never);
  const gone = new FollowError('NODE_FAILED', 'gone', { cause: rpc('TOO_LARGE') } as never);
  const warnings: string[] = [];
  const options = { delay: 1, onWarning: (text: string) => warnings.push(text), signal: undefined };
  const failing = (...errors: unknown[]) => {
    const left = [...errors];
    return async () => {
      if (left.length > 0) throw left.shift();
      return 7;
    };
  };
  await expect(untilAnswered(failing(away, away), options)).resolves.toBe(7);
  expect(warnings).toHaveLength(2);
  await expect(untilAnswered(failing(gone), options)).rejects.toBe(gone);
  const own = new Error('own');
  await expect(untilAnswered(failing(own), options)).rejects.toBe(own);
});
