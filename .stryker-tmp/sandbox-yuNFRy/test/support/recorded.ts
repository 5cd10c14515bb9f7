/** Recorded answers of the real proof server, whole. */
// @ts-nocheck

import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { ProofClaim } from '../../src/index.js';

export interface Recorded {
  readonly claim?: ProofClaim;
  readonly request: { readonly body: string };
  readonly response: {
    readonly status: number;
    readonly rawHeaders: string[];
    readonly body?: string;
  };
}

export const recorded = (name: string): Recorded =>
  JSON.parse(readFileSync(`test/recorded/proof-server/${name}.json`, 'utf8'));

/** Answers everything with one of them, byte for byte but for how the connection is kept, and an id of 1. */
export function replay(name: string): RequestListener {
  const { status, rawHeaders, body = '' } = recorded(name).response;
  const headers = rawHeaders.flatMap((header, i) =>
    i % 2 === 0 && !/^(connection|transfer-encoding|content-length)$/i.test(header)
      ? [[header, rawHeaders[i + 1] as string] as const]
      : [],
  );
  return async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id } = JSON.parse(text);
    for (const [header, value] of headers) response.setHeader(header, value);
    response.writeHead(status).end(body.replace(/"id":1(?=[,}])/, `"id":${id}`));
  };
}
