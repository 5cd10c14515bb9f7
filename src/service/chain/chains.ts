/** Chains by the names that requests have for them. `decode/chain.ts` has the facts about each chain, by its id. */

/** Names that mean one chain, in the hosted data interface too: a node of another chain is refused under them. */
export const chainIds: ReadonlyMap<string, number> = new Map([
  ['linea-mainnet', 59144],
  ['linea-sepolia-testnet', 59141],
]);

/** The form of a name. */
export const chainNameForm = /^[a-z0-9][a-z0-9-]{0,63}$/;
