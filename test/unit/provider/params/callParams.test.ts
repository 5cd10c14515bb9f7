import { expect, test } from 'vitest';
import { readCallParam } from '../../../../src/provider/params/callParams.js';

const to = `0x${'11'.repeat(20)}`;

test.each(['To', 'TO', 'Data', 'callData', 'recipient', 'gasLimit'])(
  'a call refuses %s',
  (name) => {
    expect(() => readCallParam({ [name]: to, data: '0x00' }, 'params[0]', 1)).toThrow(
      `params[0].${name} is unknown`,
    );
  },
);

test('a call takes what libraries send', () => {
  const rest = {
    nonce: '0x0',
    type: '0x2',
    chainId: '0x1',
    maxFeePerBlobGas: '0x1',
    gas: '0x5208',
  };
  const call = { ...rest, to, data: '0x00', input: '0x00', authorizationList: [], from: null };
  expect(readCallParam({ ...call, extra: undefined }, 'params[0]', 1).to).toBe(to);
});

test('an entry of an access list refuses what it does not know', () => {
  const entry = { address: to, storageKeys: [] };
  const call = (more: object) => ({ to, accessList: [{ ...entry, ...more }] });
  const at = 'params[0].accessList[0].StorageKeys is unknown';
  expect(() => readCallParam(call({ StorageKeys: [] }), 'params[0]', 1)).toThrow(at);
  expect(readCallParam(call({ extra: undefined }), 'params[0]', 1).accessList).toEqual([
    { address: to, storageKeys: [] },
  ]);
});
