/** Any static web server: it knows files, their types and nothing else. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { startHttp, type TestServer } from '../support/http.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** @param base path of the site on its host, with a slash at both ends */
export const serveFolder = (folder: string, base: string): Promise<TestServer> =>
  startHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site');
    const isBelow = pathname.startsWith(base) && !pathname.includes('..');
    const path = join(folder, decodeURIComponent(isBelow ? pathname.slice(base.length) : ''));
    const file = pathname.endsWith('/') ? join(path, 'index.html') : path;
    if (!isBelow || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404, { 'content-type': types['.html'] });
      response.end(readFileSync(join(folder, '404.html')));
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
