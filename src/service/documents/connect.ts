/** Where a name leads, and the connection to one address. Tests of the library have their own. */
import type { Duplex } from 'node:stream';

/** The addresses of a name, IPv4 and IPv6. @throws any error if there are none */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** One end of a connection. */
export interface ConnectionTarget {
  /** It was checked, so it is the one to connect to: the name may lead elsewhere a moment later. */
  readonly address: string;
  /** 80 or 443. */
  readonly port: number;
  /** The name that the certificate has to be of; undefined: without TLS. */
  readonly servername: string | undefined;
}

/** Connects. @throws any error if that fails, or the signal is aborted */
export type ConnectTo = (target: ConnectionTarget, signal: AbortSignal) => Promise<Duplex>;

/** Asks the servers of names of the system; neither its table of hosts nor its list of search domains. */
export const resolveHost: ResolveHost = async (hostname, signal) => {
  const { Resolver } = await import('node:dns/promises');
  signal.throwIfAborted();
  // Not by `lookup`: that keeps a thread of the process' few for as long as a server of names is silent.
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const none = (): string[] => [];
    const both = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    return (await Promise.all(both.map((one) => one.catch(none)))).flat();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

export const connectTo: ConnectTo = async ({ address, port, servername }, signal) => {
  const [net, tls] = await Promise.all([import('node:net'), import('node:tls')]);
  signal.throwIfAborted();
  const socket =
    servername === undefined
      ? net.connect({ host: address, port })
      : // An address has no name to send, and is what the certificate has to be of.
        tls.connect({ host: address, port, ...(net.isIP(servername) === 0 && { servername }) });
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(signal.reason);
    signal.addEventListener('abort', abort);
    socket.once(servername === undefined ? 'connect' : 'secureConnect', () => resolve(socket));
    socket.on('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', abort));
  });
};
