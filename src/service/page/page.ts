/** The explorer: a page that verifies in the reader's browser what it shows. All of it is in memory; no path of a request leads to a disk. */
import { findPolicy, hashOf, readPageFiles } from './files.js';
import { type SentFile, toFileResponse, toSentFile } from './replies.js';
import { type PageSettings, toSettingsText } from './settings.js';

/** Answers what the explorer is made of. */
export interface Page {
  /** @param path of the request @returns undefined if the explorer has no such file */
  answer(path: string, request: Request): Response | undefined;
}

/**
 * @param folder of the files; default: the package's own
 * @throws TypeError or RangeError for wrong settings
 * @throws ServiceError `WRONG_PAGE`
 */
export async function openPage(settings: PageSettings, folder?: URL): Promise<Page> {
  const bytes = new TextEncoder().encode(toSettingsText(settings));
  const files = await readPageFiles(folder);
  const headers = {
    // A page cannot say by itself who may show it in a frame.
    'content-security-policy': `${findPolicy(files)}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  const own = { name: 'page.json', bytes, hash: hashOf(bytes) };
  const sent = new Map<string, SentFile>();
  for (const file of [...files, own]) {
    sent.set(`/${file.name}`, await toSentFile(file, headers));
  }
  sent.set('/', sent.get('/index.html') as SentFile);
  return {
    answer(path, request) {
      const file = sent.get(path);
      return file && toFileResponse(file, request);
    },
  };
}
