/**
 * The part of `fetch` that transports use, on Node's own HTTP: to load the platform's takes a third of all that a short
 * command does.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** Servers of others answer no client without a name. */
const userAgent = 'l2proof';

/** Not imported: since Node 22 an import of it reads all that it exports, and so loads what this file is there to avoid. */
function openRequest(url: URL) {
  const isSecure = url.protocol === 'https:';
  return process.getBuiltinModule(isSecure ? 'node:https' : 'node:http').request;
}

/** The bytes behind the encoding that a server has chosen. */
async function decoded(message: IncomingMessage): Promise<Readable> {
  if (message.headers['content-encoding'] !== 'gzip') return message;
  const [{ constants, createGunzip }, { pipeline }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  // Some servers leave out the end of what they compress, and browsers take it.
  const flush = constants.Z_SYNC_FLUSH;
  const bytes = createGunzip({ flush, finishFlush: flush });
  // A failure of either ends both, and whoever reads is told.
  pipeline(message, bytes, () => {});
  return bytes;
}

/** What `Response` has of it. @param body of the answer, decoded */
function toResponse({ statusCode, headers }: IncomingMessage, body: Readable) {
  const chunks = body[Symbol.asyncIterator]();
  return {
    status: statusCode,
    headers: {
      get(name: string): string | null {
        const value = headers[name];
        return (Array.isArray(value) ? value[0] : value) ?? null;
      },
    },
    body: {
      getReader: () => ({
        read: () => chunks.next(),
        async cancel() {
          body.destroy();
        },
      }),
    },
  };
}

interface RequestParts {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends one request, and follows no redirect. @throws what Node's HTTP does, with its `code` */
async function send(
  address: string,
  { method, headers, body, signal }: RequestParts,
): Promise<ReturnType<typeof toResponse>> {
  const url = new URL(address);
  const request = openRequest(url);
  const named = { 'user-agent': userAgent, 'accept-encoding': 'gzip', ...headers };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers: named, signal }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  return toResponse(message, await decoded(message));
}

export const nodeFetch = send as unknown as typeof globalThis.fetch;
