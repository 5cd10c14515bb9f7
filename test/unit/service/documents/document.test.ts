/** What is taken of a document, whoever wrote it. */
import { describe, expect, test } from 'vitest';
import { readDataUrl } from '../../../../src/service/documents/dataUrl.js';
import { parseDocument } from '../../../../src/service/documents/document.js';

const read = (json: unknown, substitute = (text: string) => text) =>
  parseDocument(
    new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json)),
    substitute,
  );

test('the members that the standards name', () => {
  expect(
    read({
      name: 'Punk 1',
      description: 'First\n\nline',
      image: 'ipfs://bafy/1.png',
      animation_url: 'https://a.example/1.mp4',
      external_url: 'https://a.example/1',
      attributes: [
        { trait_type: 'Eyes', value: 'blue' },
        { trait_type: 'Level', value: 5, display_type: 'number' },
        { trait_type: 'Rare', value: true },
        { value: 'alone' },
        { trait_type: 'Nothing', value: null },
        { trait_type: 'Object', value: { a: 1 } },
        'text',
        null,
      ],
    }),
  ).toEqual({
    name: 'Punk 1',
    description: 'First line',
    image: 'ipfs://bafy/1.png',
    animation: 'https://a.example/1.mp4',
    page: 'https://a.example/1',
    attributes: [
      { trait: 'Eyes', value: 'blue' },
      { trait: 'Level', value: '5' },
      { trait: 'Rare', value: 'true' },
      { trait: undefined, value: 'alone' },
    ],
  });
});

test('an object of attributes, the older name of the list, and of a picture', () => {
  expect(read({ attributes: { Eyes: 'blue', Level: 5, Other: [] } }).attributes).toEqual([
    { trait: 'Eyes', value: 'blue' },
    { trait: 'Level', value: '5' },
  ]);
  expect(read({ traits: [{ trait_type: 'a', value: 'b' }], image_url: 'ar://abc' })).toMatchObject({
    attributes: [{ trait: 'a', value: 'b' }],
    image: 'ar://abc',
  });
});

test('nothing is read of a prototype', () => {
  expect(read('{"__proto__":{"name":"x","attributes":[{"value":"y"}]}}')).toMatchObject({
    name: undefined,
    attributes: [],
  });
});

test('texts are cleaned and cut', () => {
  const document = read({
    name: `Go\u0007ld \u202eevil\u2066 ${'n'.repeat(100_000)}`,
    description: 'd'.repeat(100_000),
    attributes: [{ trait_type: `t\u200b${'t'.repeat(1000)}`, value: `\u202e${'v'.repeat(1000)}` }],
  });
  expect(document.name).toMatch(/^Gold evil n+…$/);
  expect(document.name).toHaveLength(256);
  expect(document.description).toHaveLength(2000);
  expect(document.attributes).toEqual([
    { trait: `${'t'.repeat(255)}…`, value: `${'v'.repeat(255)}…` },
  ]);
});

test('a hundred attributes at most, of either form', () => {
  const list = Array.from({ length: 5000 }, (_, i) => ({ trait_type: `t${i}`, value: i }));
  const ofList = read({ attributes: list }).attributes;
  expect(ofList).toHaveLength(100);
  expect(ofList.at(-1)).toEqual({ trait: 't99', value: '99' });
  const object = Object.fromEntries(list.map(({ value }) => [`t${value}`, value]));
  expect(read({ attributes: object }).attributes).toEqual(ofList);
});

describe('a link is a URL or nothing', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[string, unknown, string | undefined]>([
    ['SVG', svg, undefined],
    ['HTML', '<img src=x onerror=alert(1)>', undefined],
    ['a program', 'javascript:alert(1)', undefined],
    ['a program in capitals', ' JaVaScRiPt:alert(1)', undefined],
    ['HTML in its URL', `data:text/html,${svg}`, undefined],
    ['a file', 'file:///etc/passwd', undefined],
    ['no text', { a: 1 }, undefined],
    ['a path', '/1.png', undefined],
    ['other letters', 'https://a.example/é', undefined],
    ['a long one', `https://a.example/${'a'.repeat(2000)}`, undefined],
    ['a large picture', `data:image/png;base64,${'A'.repeat(64 * 1024)}`, undefined],
    ['a picture', 'data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['a quote', 'https://a.example/"><script>', 'https://a.example/%22%3E%3Cscript%3E'],
    ['a single quote and a slash', "https://a.example/'\\`", 'https://a.example/%27%5C%60'],
    ['spaces', ' ipfs://bafy/my picture.png ', 'ipfs://bafy/my%20picture.png'],
  ])('%s', (_, image, expected) => {
    expect(read({ image }).image).toBe(expected);
  });

  test('SVG in a URL holds no tag', () => {
    const { image } = read({ image: `data:image/svg+xml;utf8,${svg}` });
    expect(image).not.toMatch(/[<>"'\s]/);
    expect(decodeURIComponent(image ?? '')).toBe(`data:image/svg+xml;utf8,${svg}`);
  });

  test('what can be played is no data:, and a page is on the web', () => {
    const links = { animation_url: 'data:text/html,x', external_url: 'ipfs://bafy' };
    expect(read(links)).toMatchObject({ animation: undefined, page: undefined });
  });
});

test('an id is put into texts and links', () => {
  const substitute = (text: string) => text.replaceAll('{id}', '00ff');
  expect(read({ name: '#{id}', image: 'https://a.example/{id}.png' }, substitute)).toMatchObject({
    ...{ name: '#00ff', image: 'https://a.example/00ff.png' },
  });
});

describe('no document is', () => {
  const nested = (depth: number, open: string, close: string) =>
    `${open.repeat(depth)}${close.repeat(depth)}`;
  test.each<[string, string | Uint8Array, string]>([
    ['a list', '[]', 'no object'],
    ['a text', '"a"', 'no object'],
    ['null', 'null', 'no object'],
    ['HTML', '<html></html>', 'not JSON'],
    ['nothing', '', 'not JSON'],
    ['half of JSON', '{"a":', 'not JSON'],
    ['other bytes', Uint8Array.of(0xff, 0xfe), 'not UTF-8'],
    ['seventeen lists', nested(17, '[', ']'), 'too deep'],
    ['a hundred thousand lists', nested(100_000, '[', ']'), 'too deep'],
    ['objects in one another', nested(20_000, '{"a":', '}'), 'too deep'],
    // A scan by a regular expression would take minutes.
    ['quotes without end', `"${'\\"'.repeat(131_000)}`, 'not JSON'],
  ])('%s', (_, given, message) => {
    const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
    expect(() => parseDocument(bytes, (text) => text)).toThrow(message);
  });

  test('but one of sixteen levels, or with brackets in its texts, is', () => {
    const lists = `{"name":"${'['.repeat(50)}\\"{","a":${nested(15, '[', ']')}}`;
    expect(read(lists).name).toBe(`${'['.repeat(50)}"{`);
  });
});

describe('a document in its own URL', () => {
  const text = (url: string) => new TextDecoder().decode(readDataUrl(url));
  test.each([
    ['data:application/json,{"name":"a b#1"}', '{"name":"a b#1"}'],
    ['data:application/json;utf8,{"p":"100%"}', '{"p":"100%"}'],
    ['data:application/json;charset=utf-8,%7B%22n%22:%22%C3%A9%22%7D', '{"n":"é"}'],
    ['data:application/json;base64,eyJuIjoiw6kifQ==', '{"n":"é"}'],
    ['DATA:;BASE64,eyJuIjoiw6kifQ', '{"n":"é"}'],
    ['data:application/json;base64,eyJuIjoiw6kifQ%3D%3D', '{"n":"é"}'],
    ['data:,', ''],
  ])('%s', (url, expected) => {
    expect(text(url)).toBe(expected);
  });

  test.each([
    ['data:application/json', 'cannot be read'],
    [`data:${'a'.repeat(201)},x`, 'cannot be read'],
    [`data:,${'a'.repeat(256 * 1024 + 1)}`, 'too long'],
    [`data:,${'a'.repeat(1 << 20)}`, 'cannot be read'],
    ['data:;base64,####', 'no base64'],
  ])('%s is refused', (url, message) => {
    expect(() => readDataUrl(url)).toThrow(message);
  });
});
