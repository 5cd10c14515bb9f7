/** One question to one server: a check of where the URL leads, and a bounded answer. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { joinBytes } from '../../bytes.js';
import type { ConnectTo, ResolveHost } from './connect.js';
import { DocumentError } from './errors.js';
import { isPublicAddress } from './publicAddress.js';

/** Longest document, in bytes: as it comes, and decompressed. */
export const maxDocumentBytes = 256 * 1024;

/** Bytes of the lines before a body. */
const maxHeaderSize = 8192;

/** Addresses of one name that are tried. */
const mostTried = 3;

/** How servers are reached. */
export interface Reaching {
  readonly allowsHttp: boolean;
  readonly resolve: ResolveHost;
  readonly connect: ConnectTo;
}

/** The answer of one server. */
export type HopAnswer =
  | { readonly body: Uint8Array; readonly location?: undefined }
  | { readonly body?: undefined; readonly location: string };

/** A URL that may be asked. @throws DocumentError */
export function checkTarget(text: string, base: URL | undefined, allowsHttp: boolean): URL {
  if (text.length > 2000 || !URL.canParse(text, base)) throw new DocumentError('no URL');
  const url = new URL(text, base);
  const isHttp = url.protocol === 'http:' && allowsHttp;
  if (url.protocol !== 'https:' && !isHttp) throw new DocumentError('no https: URL');
  if (url.username !== '' || url.password !== '') throw new DocumentError('credentials in the URL');
  if (!['', '80', '443'].includes(url.port))
    throw new DocumentError('a port other than 80 and 443');
  return url;
}

/** The name of a URL, or its address without brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The public addresses of a host; others are as good as not there. @throws DocumentError */
async function findAddresses(host: string, { resolve }: Reaching, signal: AbortSignal) {
  const found = isIP(host) === 0 ? await resolve(host, signal) : [host];
  const open = found.filter(isPublicAddress);
  if (open.length > 0) return open.slice(0, mostTried);
  throw new DocumentError(found.length > 0 ? 'no public address' : 'no address');
}

async function openConnection(url: URL, reaching: Reaching, signal: AbortSignal): Promise<Duplex> {
  const host = hostOf(url);
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  let failure: unknown;
  for (const address of await findAddresses(host, reaching, signal)) {
    try {
      return await reaching.connect(
        { address, port, servername: isSecure ? host : undefined },
        signal,
      );
    } catch (cause) {
      signal.throwIfAborted();
      failure = cause;
    }
  }
  throw new DocumentError('no connection', { cause: failure });
}

async function ask(url: URL, socket: Duplex, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      path: `${url.pathname}${url.search}`,
      // Nothing that says who asks, or whom it has asked before.
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'gzip, br' },
      ...{ maxHeaderSize, signal },
    });
    asked.once('response', resolve);
    asked.on('error', reject);
    asked.end();
  });
}

/** @throws DocumentError if it is longer than a document may be */
async function readBytes(answer: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer) {
    length += part.length;
    if (length > maxDocumentBytes) throw new DocumentError('the answer is too long');
    parts.push(part);
  }
  return joinBytes(parts);
}

/** @throws DocumentError, and what decompression throws */
async function decompress(bytes: Uint8Array, encoding: string): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  const zlib = await import('node:zlib');
  const methods = { gzip: zlib.gunzip, 'x-gzip': zlib.gunzip, br: zlib.brotliDecompress } as const;
  if (!Object.hasOwn(methods, encoding))
    throw new DocumentError('an encoding that was not asked for');
  const method = promisify<Uint8Array, object, Uint8Array>(
    methods[encoding as keyof typeof methods],
  );
  // A few kB can become gigabytes: it ends at the bound.
  return method(bytes, { maxOutputLength: maxDocumentBytes });
}

const redirects = [301, 302, 303, 307, 308];

/** @throws DocumentError, the signal's reason, and errors of the network */
export async function askServer(
  url: URL,
  reaching: Reaching,
  signal: AbortSignal,
): Promise<HopAnswer> {
  const socket = await openConnection(url, reaching, signal);
  try {
    const answer = await ask(url, socket, signal);
    const { statusCode = 0, headers } = answer;
    if (redirects.includes(statusCode) && headers.location !== undefined) {
      return { location: headers.location };
    }
    if (statusCode !== 200) throw new DocumentError(`status ${statusCode}`);
    const bytes = await readBytes(answer);
    return {
      body: await decompress(bytes, (headers['content-encoding'] ?? 'identity').toLowerCase()),
    };
  } finally {
    // Whatever the server still sends is not read.
    socket.destroy();
  }
}
