/** Servers that answer whatever they are asked with nothing of use. */
// @ts-nocheck

import type { RequestListener, ServerResponse } from 'node:http';
import { replay } from './recorded.js';

/** One byte after the other. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

/** Spaces without end. */
function flood(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

/** What a server does, and the code of the RpcError that it ends in. */
export const broken: [string, RequestListener, string][] = [
  [
    'a body that is cut off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 20);
    },
    'NETWORK',
  ],
  ['half of an answer', (_, response) => void response.end('{"jsonrpc":"2.0",'), 'NOT_JSON'],
  ['a slow drip', (_, response) => drip(response), 'TIMEOUT'],
  ['silence', () => {}, 'TIMEOUT'],
  ['a body without end', (_, response) => flood(response), 'TOO_LARGE'],
  [
    '200 with an error page',
    (_, response) => void response.end('<html><h1>502 Bad Gateway</h1></html>'),
    'NOT_JSON',
  ],
  [
    'a redirect',
    ({ headers }, response) =>
      void response.writeHead(307, { location: `http://${headers.host}/elsewhere` }).end(),
    'HTTP_STATUS',
  ],
  ['401', (_, response) => void response.writeHead(401).end(), 'UNAUTHORIZED'],
  ['429', (_, response) => void response.writeHead(429).end(), 'RATE_LIMITED'],
  ['an answer to another request', replay('rpc-id-float'), 'WRONG_ID'],
];
