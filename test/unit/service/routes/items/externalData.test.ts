/** What a document says, as answers have it. */
import { expect, test } from 'vitest';
import { parseDocument } from '../../../../../src/service/documents/document.js';
import { readNftMetadata } from '../../../../../src/service/documents/nftMetadata.js';
import {
  externalData,
  toExternalData,
} from '../../../../../src/service/routes/items/externalData.js';

const plain = readNftMetadata(undefined);
const rich = readNftMetadata({
  ipfs: 'https://ipfs.example/ipfs/',
  imageProxy: 'https://images.example/{size}/?of={url}&w={size}',
});

const external = (json: object, loading = plain) => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const read = toExternalData(
    parseDocument(bytes, (text) => text),
    loading,
  );
  // As the description has it.
  expect(externalData.parse(read)).toEqual(read);
  return read;
};

test('nothing is invented', () => {
  expect(toExternalData(undefined, plain)).toBeNull();
  expect(external({})).toEqual({
    ...{ name: null, description: null, asset_url: null, asset_file_extension: null },
    ...{ asset_mime_type: null, asset_size_bytes: null, image: null, image_256: null },
    ...{ image_512: null, image_1024: null, animation_url: null, external_url: null },
    attributes: [],
    thumbnails: {
      ...{ image256: null, image512: null, image1024: null },
      ...{ image_opengraph_url: null, thumbhash: null },
    },
  });
});

test('links without a server lead by the gateway, and smaller pictures by the proxy', () => {
  const json = { image: 'ipfs://bafy/a$&b.PNG?x=1', animation_url: 'ipfs://bafy/1.mp4' };
  expect(external(json)).toMatchObject({
    ...{ asset_url: json.image, image: json.image, image_256: null },
    ...{ animation_url: json.animation_url, asset_file_extension: 'PNG' },
  });
  const image = 'https://ipfs.example/ipfs/bafy/a$&b.PNG?x=1';
  const proxied = (size: number) =>
    `https://images.example/${size}/?of=${encodeURIComponent(image)}&w=${size}`;
  expect(external(json, rich)).toMatchObject({
    ...{ asset_url: json.image, image, image_256: proxied(256), image_1024: proxied(1024) },
    animation_url: 'https://ipfs.example/ipfs/bafy/1.mp4',
    thumbnails: { image256: proxied(256), image512: proxied(512), image1024: proxied(1024) },
  });
});

test('a picture in its own URL has a type, and no smaller ones', () => {
  const image = 'data:image/svg+xml;base64,AAAA';
  expect(external({ image }, rich)).toMatchObject({
    ...{ asset_url: image, image, asset_mime_type: 'image/svg+xml' },
    ...{ asset_file_extension: null, image_256: null },
  });
});

test.each([
  ['https://a.example', null],
  ['https://a.example/1', null],
  ['https://a.example/b.c/1', null],
  ['https://a.example/1.tar.gz#x.y', 'gz'],
])('the extension of %s is %s', (image, extension) => {
  expect(external({ image })).toMatchObject({ asset_file_extension: extension });
});

test('attributes keep their order', () => {
  const attributes = [{ trait_type: 'b', value: 1 }, { value: 'c' }];
  expect(external({ attributes })).toMatchObject({
    attributes: [
      { trait_type: 'b', value: '1' },
      { trait_type: null, value: 'c' },
    ],
  });
});
