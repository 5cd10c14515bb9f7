/** A chain as the lists of chains have it. What no configuration says is null. */
import { z } from '@hono/zod-openapi';
import type { ChainData } from '../../data/chainData.js';
import { count } from '../common/schemas.js';

/** Public networks -> whether they are testnets. Of others nothing is known. */
const testnets: ReadonlyMap<number, boolean> = new Map([
  [59144, false],
  [59141, true],
]);

export const chainMembers = {
  name: z.string(),
  chain_id: count,
  is_testnet: z.boolean().nullable().openapi({ description: 'Null for a chain that is not known' }),
  logo_url: z.null(),
  black_logo_url: z.null(),
  white_logo_url: z.null(),
  is_appchain: z.null(),
};

export const toChainMembers = ({ name, chainId }: ChainData) => ({
  name,
  chain_id: chainId,
  is_testnet: testnets.get(chainId) ?? null,
  logo_url: null,
  black_logo_url: null,
  white_logo_url: null,
  is_appchain: null,
});

/** The same with all that lists of chains say. */
export const listedChain = {
  ...chainMembers,
  db_schema_name: z.null(),
  label: z.string(),
  category_label: z.null(),
  color_theme: z.null(),
  appchain_of: z.null(),
  priority_label: z.null(),
};

export const toListedChain = (chain: ChainData) => ({
  ...toChainMembers(chain),
  db_schema_name: null,
  label: chain.name,
  category_label: null,
  color_theme: null,
  appchain_of: null,
  priority_label: null,
});
