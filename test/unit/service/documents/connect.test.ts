/** The connections and names that fetching uses unless a program has its own. */
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import { connectTo, resolveHost } from '../../../../src/service/documents/connect.js';

/** Of a server for this test alone; it is its own authority, so nobody trusts it. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUI5AHDALdnLFExnC8gewCndR3MswwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLbmZ0LmV4YW1wbGUwIBcNMjYxMTI2MjIzODEyWhgPMjEyNjEx
MDIyMjM4MTJaMBYxFDASBgNVBAMMC25mdC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEV7UdWPxSmaLpfKw3B4yy3ANGpvkxX0bvZ6zT+/M8ntmmezfq
u+m+bJ7R7R6JSxe6+CIApxOEBMOr/o/uV0f9dqNrMGkwHQYDVR0OBBYEFJ37TpOL
tg14q/+OCO5c5BQMVHTVMB8GA1UdIwQYMBaAFJ37TpOLtg14q/+OCO5c5BQMVHTV
MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILbmZ0LmV4YW1wbGUwCgYIKoZI
zj0EAwIDRwAwRAIgPpAEWM79W8YbnpjQGqM6ldUHxGL7dOxE7kxF6mNsCqsCIE0K
8bgrkC5GqkIhhX8ZyNLICEHtqI0lvKOtBFbKKZc+
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ95IL9Cn4YI2qk7i
K/TH2PuTqDYarHjEn/aEHXUEmZehRANCAARXtR1Y/FKZoul8rDcHjLLcA0am+TFf
Ru9nrNP78zye2aZ7N+q76b5sntHtHolLF7r4IgCnE4QEw6v+j+5XR/12
-----END PRIVATE KEY-----
`;

const never = new AbortController().signal;

test('with TLS, the server hears the name, and is refused if nobody vouches for it', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    ...{ cert, key },
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target = { address: '127.0.0.1', port, servername: 'nft.example' };
  await expect(connectTo(target, never)).rejects.toThrow(/self-signed/);
  // An address is no name that a server could be told.
  const byAddress = connectTo({ ...target, servername: '127.0.0.1' }, never);
  await expect(byAddress).rejects.toThrow(/self-signed/);
  expect(names).toEqual(['nft.example']);
  await new Promise((resolve) => server.close(resolve));
});

test('without TLS, what is sent arrives', async () => {
  const server = createServer((socket) => socket.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = await connectTo({ address: '127.0.0.1', port, servername: undefined }, never);
  let text = '';
  for await (const part of socket) text += part;
  expect(text).toBe('hello');
  await new Promise((resolve) => server.close(resolve));
  const target = { address: '127.0.0.1', port, servername: undefined };
  await expect(connectTo(target, never)).rejects.toThrow('ECONNREFUSED');
});

test('a signal ends connecting and resolving', async () => {
  const server = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // The server says nothing, so there is no TLS to wait for.
  const controller = new AbortController();
  const target = { address: '127.0.0.1', port, servername: 'nft.example' };
  const connecting = connectTo(target, controller.signal);
  setTimeout(() => controller.abort(new Error('gone')), 50);
  await expect(connecting).rejects.toThrow('gone');
  await expect(connectTo(target, controller.signal)).rejects.toThrow('gone');
  await expect(resolveHost('nft.example', controller.signal)).rejects.toThrow('gone');
  await new Promise((resolve) => server.close(resolve));
});

test('a name that leads nowhere has no addresses', async () => {
  const controller = new AbortController();
  // Some machines have a server of names that does not answer.
  setTimeout(() => controller.abort(new Error('gone')), 200);
  expect(await resolveHost('nothing.invalid', controller.signal)).toEqual([]);
});
