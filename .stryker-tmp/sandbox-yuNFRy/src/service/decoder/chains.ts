/** Chains by the names that requests have for them. What is known of a chain stands in `decode/chain.ts`, by its id. */
// @ts-nocheck


/** Names that mean one chain, in the hosted data interface too: a node of another chain is refused under them. */
export const chainIds: ReadonlyMap<string, number> = new Map([
  ['linea-mainnet', 59144],
  ['linea-sepolia-testnet', 59141],
]);

/** What a name may look like. */
export const chainNameForm = /^[a-z0-9][a-z0-9-]{0,63}$/;
