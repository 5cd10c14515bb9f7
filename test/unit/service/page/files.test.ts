/** The explorer starts with the files that it was built with, or not at all. */
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readPageFiles } from '../../../../src/service/page/files.js';
import { openPage } from '../../../../src/service/page/page.js';
import { newFolder } from '../../../support/folder.js';
import { pageNames, sha256, writePage } from '../../../support/page.js';

const script = 'assets/a-1234.js';

/** Why a page does not open after a change of its folder. */
async function refusalOf(change: (folder: string) => void): Promise<string> {
  const { folder, url } = writePage();
  await expect(openPage({}, url)).resolves.toBeDefined();
  change(folder);
  const error = await openPage({}, url).then(
    () => undefined,
    (cause) => cause,
  );
  expect(error).toMatchObject({ name: 'ServiceError', code: 'WRONG_PAGE' });
  const text =
    /^the explorer of this package cannot be served: (.*); install the package again, or build its clone \(WRONG_PAGE\)$/;
  return text.exec(error.message)?.[1] as string;
}

/** Writes another list of files. */
const listing = (files: unknown) => (folder: string) =>
  writeFileSync(
    join(folder, 'files.json'),
    typeof files === 'string' ? files : JSON.stringify(files),
  );

test('they are those of the package, wherever this process runs', async () => {
  const files = await readPageFiles();
  expect(files.map(({ name }) => name).sort()).toEqual(pageNames().sort());
  for (const { name, bytes, hash } of files) {
    const file = readFileSync(join('dist/page', name));
    expect([name, file.equals(bytes), hash]).toEqual([name, true, sha256(file)]);
  }
});

test.each(['index.html', script])(
  'a changed byte in %s is named, and so is a missing file',
  async (name) => {
    const other = `${name} is another file than the one that files.json names`;
    const flip = (folder: string) => {
      const bytes = readFileSync(join(folder, name));
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
      writeFileSync(join(folder, name), bytes);
    };
    expect(await refusalOf(flip)).toBe(other);
    expect(await refusalOf((folder) => truncateSync(join(folder, name), 0))).toBe(other);
    expect(await refusalOf((folder) => rmSync(join(folder, name)))).toMatch(
      new RegExp(`^${name} cannot be read: ENOENT`),
    );
    const toFolder = (folder: string) => {
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
    };
    expect(await refusalOf(toFolder)).toBe(`${name} cannot be read: it is no file`);
  },
);

test('without the folder, or its list of files, that list is named', async () => {
  const [all, list] = [
    await refusalOf((folder) => rmSync(folder, { recursive: true })),
    await refusalOf((folder) => rmSync(join(folder, 'files.json'))),
  ];
  for (const reason of [all, list]) expect(reason).toMatch(/^files\.json cannot be read: ENOENT/);
});

test('a list of another form is refused', async () => {
  const hash = '0'.repeat(64);
  for (const text of ['', '{', '\u0000'])
    expect(await refusalOf(listing(text))).toBe('files.json is no JSON');
  for (const text of ['null', '1', '"x"']) {
    expect(await refusalOf(listing(text))).toBe('files.json is no object of hashes');
  }
  for (const wrong of [
    null,
    1,
    '',
    hash.slice(1),
    `${hash}0`,
    hash.replace('0', 'g'),
    `${hash}\n`,
    [hash],
  ]) {
    expect([wrong, await refusalOf(listing({ 'index.html': wrong }))]).toEqual([
      wrong,
      'files.json has no SHA-256 of index.html',
    ]);
  }
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`assets/${i}.js`, hash]));
  expect(await refusalOf(listing(many))).toBe('files.json names more than 500 files');
});

test('a list leads to no file outside of its folder', async () => {
  const outside = newFolder();
  writeFileSync(join(outside, 'secret'), 'secret');
  const hash = sha256('secret');
  const names = [
    ...[
      '../secret',
      '..',
      '.',
      '',
      '/',
      '/etc/passwd',
      join(outside, 'secret'),
      '//x/y',
      'a//b',
      'a/../b',
    ],
    ...[
      `${pathToFileURL(outside)}/secret`,
      'https://x/y',
      '%2e%2e/secret',
      'a\\b',
      'a/',
      'x?y',
      'x#y',
      'a\n',
    ],
    ...['.git/config', 'assets/.hidden', 'assets/..', 'C:x'],
  ];
  for (const name of names) {
    expect([name, await refusalOf(listing({ [name]: hash }))]).toEqual([
      name,
      'files.json names a file that cannot be one of its folder',
    ]);
  }
  // What it does not name is not read, and not served.
  const { folder, url } = writePage();
  writeFileSync(join(folder, 'assets', 'more.js'), 'more');
  const page = await openPage({}, url);
  const asked = (path: string) => page.answer(path, new Request('http://localhost/'));
  expect(asked('/assets/more.js')).toBeUndefined();
  expect(asked('/index.html')?.status).toBe(200);
});

test('more bytes than any page has are not read', async () => {
  const grow = (own: string) => {
    // A file of holes: it takes no room.
    writeFileSync(join(own, script), '');
    truncateSync(join(own, script), 40 * 1024 * 1024);
  };
  expect(await refusalOf(grow)).toBe(
    `${script} cannot be read: the files have more than 33554432 bytes`,
  );
});

test('an index without a Content-Security-Policy is not served', async () => {
  const text = '<!doctype html><meta http-equiv="refresh" content="0">';
  const change = (folder: string) => {
    writeFileSync(join(folder, 'index.html'), text);
    listing({ 'index.html': sha256(text) })(folder);
  };
  expect(await refusalOf(change)).toBe('index.html sets no Content-Security-Policy');
  expect(await refusalOf(listing({}))).toBe('index.html sets no Content-Security-Policy');
});
