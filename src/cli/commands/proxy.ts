/** `l2proof proxy`: the provider as a JSON-RPC endpoint on loopback, until a signal ends it. */
import { loadPeer } from '../../peer.js';
import type { Explained, Provider, ProviderError } from '../../provider/index.js';
import { createProxy, type ProxiedProvider, startServer } from '../../service/index.js';
import { visible } from '../../visible.js';
import { nameBounds } from '../exit/failures.js';
import { namingNeeds, proxyPeers, userOf } from '../exit/needs.js';
import { asUsage, readArgs } from '../flags/args.js';
import { proxyFlags } from '../flags/askFlags.js';
import { readEndpoints, readNetwork, withNode } from '../flags/endpoints.js';
import { openTrust, readTrust } from '../flags/trust.js';
import { listenError, untilSignal } from '../listen/listen.js';
import { quote, timeText } from '../print/print.js';
import { printEvent, type Result } from '../print/result.js';

const title = 'the proxy';

const loadProvider = async () => {
  const user = userOf(title, proxyPeers);
  const anchor = await loadPeer(user, '@ethereumjs/rlp', import('../../anchor/index.js'));
  return { ...anchor, ...(await import('../../provider/index.js')) };
};

function parseRequest(args: readonly string[]) {
  const { values, given } = readArgs(args, proxyFlags, 0);
  const endpoints = readEndpoints(values);
  const { node, port, cors, fork, current, json } = values;
  const { 'max-range': maxRange, 'max-blocks': maxBlocks } = values;
  const passthrough = values.passthrough.flatMap((names) => names.split(','));
  const trust = readTrust(values, given);
  const answers = { passthrough, fork, current, maxRange, maxBlocks };
  return { ...endpoints, ...answers, trust, node, port, cors, json };
}

type Request = ReturnType<typeof parseRequest>;

/** What an answer rests on, in a word or two. */
function mark({ proven, assumed, anchor, restsOn }: Explained): Result {
  const block = anchor?.l2BlockNumber ?? null;
  const value = { proven, block, assumed, ...(restsOn && { restsOn }) };
  if (assumed.includes('absence')) return { text: 'null, on the word of the server', value };
  // What ran here has an anchor, whatever of the block's header it had to assume.
  if (!proven && anchor === undefined) return { text: 'passed through', value };
  const at = anchor ? ` at block ${anchor.l2BlockNumber}` : '';
  const but = assumed.length === 0 ? '' : `, assumed: ${assumed.join(', ')}`;
  const on = restsOn === undefined ? '' : ", by the operator's hashes of blocks";
  return { text: `proven${at}${on}${but}`, value };
}

/** A method's name as it came, quoted if it is not a plain word. */
const named = (method: string): string => (/^\w{1,64}$/.test(method) ? method : quote(method));

/** The same for programs: a client may send any text. */
const cut = (method: string): string => method.slice(0, 64);

/** The provider, with a line for each request. */
function watched(provider: Provider, say: (line: Result) => void): ProxiedProvider {
  return {
    async request(request) {
      const { method } = request;
      try {
        const explained = await provider.explain(request);
        const { text, value } = mark(explained);
        say({
          text: `${named(method)} ${text}`,
          value: { method: cut(method), ok: true, ...value },
        });
        return explained.result;
      } catch (error) {
        const { code, message } = error as ProviderError;
        const value = { method: cut(method), ok: false, code, reason: message };
        say({ text: `${named(method)} refused: ${quote(message)}`, value });
        throw error;
      }
    },
  };
}

/** Names of the library's options -> options of the command. */
const names = {
  passthrough: '--passthrough',
  l1: '--l1',
  maxRange: '--max-range',
  maxBlocks: '--max-blocks',
};

/** @throws UsageError for a wrong option */
function opened<T>(open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw asUsage(names, cause);
  }
}

async function serve({
  l2: proofs,
  trust,
  node,
  port,
  cors,
  json,
  ...request
}: Request): Promise<void> {
  const { networks, defineNetwork, createProvider } = await loadProvider();
  const named = await readNetwork({ networks, defineNetwork }, request.network);
  const { network } = named;
  const ender = new AbortController();
  const trusted = await openTrust(trust, named, ender.signal);
  const l2 = node === undefined ? proofs : withNode(proofs, node, network.method);
  nameBounds();
  // Wallets ask for what is not there yet, and go on when the answer is null.
  const options = { ...request, ...trusted, absence: 'server', l2, network } as const;
  const provider = opened(() => createProvider(options));
  const say = ({ text, value }: Result) => {
    if (json) printEvent(value);
    else if (process.stdout.isTTY) console.log(`${timeText(Date.now())} ${visible(text)}`);
  };
  try {
    const watchedProvider = watched(provider, say);
    const proxy = await createProxy({ provider: watchedProvider, cors }).catch((cause) => {
      throw asUsage(names, cause);
    });
    const server = await startServer(proxy, { port }).catch((cause) => {
      throw listenError(cause, '127.0.0.1', port);
    });
    const ended = untilSignal();
    const [url, chainId] = [`http://127.0.0.1:${server.port}`, network.l2ChainId];
    if (json) printEvent({ listening: url, chainId });
    else console.log(`listening on ${url}, chain ${chainId}`);
    await ended;
    provider.close();
    await server.stop();
  } finally {
    ender.abort();
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
