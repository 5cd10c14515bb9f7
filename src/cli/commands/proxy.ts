/** `l2proof proxy`: the provider as a JSON-RPC endpoint on loopback, until a signal ends it. */
import { loadPeer } from '../../peer.js';
import type { Explained, Provider, ProviderError } from '../../provider/index.js';
import { createProxy, type ProxiedProvider, startServer } from '../../service/index.js';
import { visible } from '../../visible.js';
import { namingNeeds, proxyPeers, userOf } from '../exit/needs.js';
import { asUsage, readArgs } from '../flags/args.js';
import { proxyFlags } from '../flags/askFlags.js';
import { readEndpoints, readNetwork, withNode } from '../flags/endpoints.js';
import { listenError, untilSignal } from '../listen/listen.js';
import { quote } from '../print/print.js';

const title = 'the proxy';

const loadProvider = async () => {
  const user = userOf(title, proxyPeers);
  const anchor = await loadPeer(user, '@ethereumjs/rlp', import('../../anchor/index.js'));
  return { ...anchor, ...(await import('../../provider/index.js')) };
};

function parseRequest(args: readonly string[]) {
  const { values } = readArgs(args, proxyFlags, 0);
  const endpoints = readEndpoints(values);
  const { node, port, cors, fork } = values;
  const passthrough = values.passthrough.flatMap((names) => names.split(','));
  return { ...endpoints, node, port, passthrough, cors, fork };
}

type Request = ReturnType<typeof parseRequest>;

/** What an answer rests on, in a word or two. */
function mark({ proven, assumed, anchor }: Explained): string {
  // What ran here has an anchor, whatever of the block's header it had to assume.
  if (!proven && anchor === undefined) return 'passed through';
  const at = anchor ? ` at block ${anchor.l2BlockNumber}` : '';
  return assumed.length === 0 ? `proven${at}` : `proven${at}, assumed: ${assumed.join(', ')}`;
}

/** A method's name as it came, quoted if it is not a plain word. */
const named = (method: string): string => (/^\w{1,64}$/.test(method) ? method : quote(method));

/** The provider, with a line for each request on a terminal. */
function watched(provider: Provider, say: (line: string) => void): ProxiedProvider {
  return {
    async request(request) {
      try {
        const explained = await provider.explain(request);
        say(`${named(request.method)} ${mark(explained)}`);
        return explained.result;
      } catch (error) {
        const { message } = error as ProviderError;
        say(`${named(request.method)} refused: ${quote(message)}`);
        throw error;
      }
    },
  };
}

/** Names of the library's options -> options of the command. */
const names = { passthrough: '--passthrough', l1: '--l1' };

/** @throws UsageError for a wrong option */
function opened<T>(open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw asUsage(names, cause);
  }
}

async function serve({ l2: proofs, node, port, cors, ...request }: Request): Promise<void> {
  const { networks, defineNetwork, createProvider } = await loadProvider();
  const network = await readNetwork({ networks, defineNetwork }, request.network);
  const l2 = node === undefined ? proofs : withNode(proofs, node, network.method);
  const provider = opened(() => createProvider({ ...request, l2, network }));
  const say = (line: string) => {
    if (process.stdout.isTTY) console.log(visible(line));
  };
  try {
    const options = { provider: watched(provider, say), cors };
    const proxy = await createProxy(options).catch((cause) => {
      throw asUsage(names, cause);
    });
    const server = await startServer(proxy, { port }).catch((cause) => {
      throw listenError(cause, '127.0.0.1', port);
    });
    const ended = untilSignal();
    console.log(`listening on http://127.0.0.1:${server.port}, chain ${network.l2ChainId}`);
    await ended;
    provider.close();
    await server.stop();
  } finally {
    provider.close();
  }
}

/**
 * Runs the command.
 *
 * @throws CliError
 */
export async function runProxy(args: readonly string[]): Promise<undefined> {
  const request = parseRequest(args);
  try {
    await serve(request);
  } catch (cause) {
    throw namingNeeds(title, proxyPeers, cause);
  }
}
