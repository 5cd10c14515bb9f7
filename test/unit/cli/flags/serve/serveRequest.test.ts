/** What `serve` is asked for: the flags of documents of NFTs, and what they need. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRequest } from '../../../../../src/cli/flags/serve/serveRequest.js';
import { openData } from '../../../../../src/cli/store/openData.js';
import { openIndex } from '../../../../../src/indexer/openIndex.js';
import { lmdbStore } from '../../../../../src/lmdb/index.js';
import { createDecoder, type NftMetadataOptions } from '../../../../../src/service/index.js';
import { newFolder } from '../../../../support/folder.js';

const data = ['--decode', 'a=http://127.0.0.1:1', '--data', 'a=./index'];

describe('documents of NFTs', () => {
  test('are not fetched by default', () => {
    expect(parseRequest(data).nftMetadata).toBeUndefined();
  });

  test('are fetched by https: alone, unless more is said', () => {
    expect(parseRequest([...data, '--nft-metadata']).nftMetadata).toEqual({ http: false });
    const all = [
      ...['--nft-metadata', '--nft-http', '--ipfs', 'https://i.example/ipfs/'],
      ...['--arweave', 'https://a.example/', '--image-proxy', 'https://p.example/{url}'],
    ];
    expect(parseRequest([...data, ...all]).nftMetadata).toEqual({
      ...{ http: true, ipfs: 'https://i.example/ipfs/', arweave: 'https://a.example/' },
      imageProxy: 'https://p.example/{url}',
    });
  });

  test.each([
    ['--nft-http'],
    ['--ipfs', 'https://i.example/'],
    ['--arweave', 'https://a.example/'],
    ['--image-proxy', 'https://p.example/{url}'],
  ])('%s alone says nothing', (...args) => {
    expect(() => parseRequest([...data, ...args])).toThrow('need --nft-metadata');
  });

  test('need an index', () => {
    const args = ['--decode', 'a=http://127.0.0.1:1', '--nft-metadata'];
    expect(() => parseRequest(args)).toThrow('--nft-metadata needs --data');
  });

  test.each<[string, NftMetadataOptions]>([
    ['--ipfs', { ipfs: 'https://user:secret@i.example/' }],
    ['--arweave', { arweave: 'https://a.example:8080/?secret' }],
    ['--image-proxy', { imageProxy: 'https://p.example/secret' }],
  ])('a wrong URL of %s is named by its flag, and not repeated', async (flag, nftMetadata) => {
    const folder = join(newFolder(), 'index');
    const index = await openIndex({ store: lmdbStore({ path: folder }), chainId: 1 });
    await index.close();
    const decoder = await createDecoder({ chains: [{ name: 'a', url: 'http://127.0.0.1:1' }] });
    const log = { info() {}, warn() {}, error() {} };
    const parts = { decoder, log, state: undefined, publicUrl: undefined, trace: false };
    const opening = openData([{ name: 'a', store: folder }], { ...parts, nftMetadata });
    const error = await opening.catch((cause) => cause);
    expect(error.message).toMatch(new RegExp(`^${flag} expected`));
    expect(error.message).not.toContain('secret');
    await decoder.close();
  });
});
