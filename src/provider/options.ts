/** What a provider is made of. */

import { fetchAnchor } from '../anchor/fetchAnchor.js';
import { type AnchoredRoot, defineNetwork, type Network } from '../anchor/index.js';
import { checkAnchorOptions } from '../anchor/options.js';
import { ownMembers } from '../foreign/argument.js';
import type { Transport } from '../rpc/index.js';
import { type AnchorSource, checkAnchor } from './anchors.js';
import { createProvenMethods, type ProvenMethods } from './methods.js';
import { createPassthrough, type Passthrough } from './passthrough.js';

/** What {@link createProvider} takes. */
export interface ProviderOptions {
  /** The L2 endpoint, which needs no trust. It answers proofs, code, and what is passed on. */
  readonly l2: Transport;
  /** The rollup network. */
  readonly network: Network;
  /** The L1 endpoint, or several that must agree: the provider fetches its anchors there. */
  readonly l1?: Transport | readonly Transport[] | undefined;
  /**
   * In the place of `l1`: an anchor, or a function that fetches one. The function is called as `fetchAnchor` may be,
   * `(wish) => fetchAnchor({ ...wish, l1, network, trusted })`; it may disregard what it is asked for.
   */
  readonly anchor?: AnchoredRoot | AnchorSource | undefined;
  /** What is let through unproven; default nothing. */
  readonly passthrough?: readonly Passthrough[] | undefined;
  /** Ms after which the next read looks for a newer block; default 60,000; `Infinity` for never. */
  readonly refresh?: number | undefined;
}

/** The same, checked. */
export interface ProviderParts {
  readonly l2: Transport;
  readonly network: Network;
  readonly source: AnchorSource;
  readonly methods: ProvenMethods;
  readonly isPassed: (method: string, params: unknown) => boolean;
  readonly refresh: number;
}

/** Methods that are answered without a proof of state. */
export const ownMethods = ['eth_chainId', 'eth_sendRawTransaction'];

const names = ['l2', 'network', 'l1', 'anchor', 'passthrough', 'refresh'] as const;

type Given = Pick<ProviderOptions, 'l1' | 'anchor'>;

/** @throws TypeError or RangeError */
function sourceOf({ l1, anchor }: Given, network: Network): AnchorSource {
  if ((l1 === undefined) === (anchor === undefined)) {
    throw new TypeError('"l1" or "anchor" is needed, and not both');
  }
  if (l1 !== undefined) {
    checkAnchorOptions({ l1, network });
    return (wish) => fetchAnchor({ ...wish, l1, network });
  }
  if (typeof anchor === 'function') return anchor;
  const given = checkAnchor(anchor, network);
  return async () => given;
}

/** @throws TypeError or RangeError that names the option */
export function checkProviderOptions(options: ProviderOptions): ProviderParts {
  // Not taken apart with a rest, which would give it a prototype again.
  const given = ownMembers(options, names, 'options');
  const { l2, passthrough = [], refresh = 60_000 } = given;
  const network = defineNetwork(given.network);
  if (typeof l2?.call !== 'function') throw new TypeError('"l2" expected a transport');
  if (typeof refresh !== 'number' || !(refresh >= 0)) {
    throw new RangeError('"refresh" expected ms from 0, or Infinity');
  }
  const methods = createProvenMethods(network.method);
  const answered = (method: string) => methods.has(method) || ownMethods.includes(method);
  return {
    l2,
    network,
    source: sourceOf(given, network),
    methods,
    isPassed: createPassthrough(passthrough, answered),
    refresh,
  };
}
