import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { sentMessages } from '../../../../src/page/format/sent.js';

const event = 'MessageSent(address,address,uint256,uint256,uint256,bytes,bytes32)';
const topic = `0x${bytesToHex(keccak_256(utf8ToBytes(event)))}` as const;
const [service, other] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;
const [word, hash] = [`0x${'00'.repeat(32)}`, `0x${'ab'.repeat(32)}`] as const;

test('messages are those of the service alone', () => {
  const topics = [topic, word, word, hash];
  expect(sentMessages([{ address: service, topics }], service)).toEqual([hash]);
  expect(sentMessages([{ address: other, topics }], service)).toEqual([]);
  expect(sentMessages([{ address: service, topics: [word, word, word, hash] }], service)).toEqual(
    [],
  );
  expect(sentMessages([{ address: service, topics: [topic] }], service)).toEqual([]);
  expect(sentMessages([{ address: service, topics }], undefined)).toEqual([]);
});
