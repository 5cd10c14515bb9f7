/** Any static web server: it knows files, their types and nothing else. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startHttp, type TestServer } from '../support/http.js';
import { mediaTypeOf } from '../support/page.js';

/** @param base path of the site on its host, with a slash at both ends */
export const serveFolder = (folder: string, base: string): Promise<TestServer> =>
  startHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site');
    const isBelow = pathname.startsWith(base) && !pathname.includes('..');
    const path = join(folder, decodeURIComponent(isBelow ? pathname.slice(base.length) : ''));
    const file = pathname.endsWith('/') ? join(path, 'index.html') : path;
    if (!isBelow || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404, { 'content-type': mediaTypeOf('404.html') });
      response.end(readFileSync(join(folder, '404.html')));
      return;
    }
    response.writeHead(200, { 'content-type': mediaTypeOf(file) });
    response.end(readFileSync(file));
  });
