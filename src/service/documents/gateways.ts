/** The URL by which a link of a document can be loaded: `ipfs:` and `ar:` have servers only by gateways. */
import { wrongType } from '../../errors.js';

/** What stands for the schemes that no server has. */
export interface Gateways {
  /** Undefined: `ipfs:` is not loaded. */
  readonly ipfs: URL | undefined;
  readonly arweave: URL | undefined;
}

/**
 * Reads the URL that a path is put behind: `https://ipfs.example/ipfs/`. It is fetched from like all others.
 *
 * @throws TypeError, which does not hold the text: there may be a key in it
 */
export function parseGateway(
  text: string | undefined,
  { name, allowsHttp }: { name: string; allowsHttp: boolean },
): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && [url.search, url.hash, url.username, url.password].every((one) => !one);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && allowsHttp);
  if (!isPlain || !isAllowed || !['', '80', '443'].includes(url.port)) {
    const scheme = allowsHttp ? 'http: or https:' : 'https:';
    const form = `expected an ${scheme} URL at port 80 or 443, without a query, a fragment or credentials`;
    throw wrongType(name, form);
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

const forms = [
  // Some write the path of a gateway behind the scheme.
  { gateway: 'ipfs', form: /^ipfs:\/\/(?:ipfs\/)?([a-z0-9]+(?:[/?].*)?)$/i },
  { gateway: 'arweave', form: /^ar:\/\/([a-z0-9_-]+(?:[/?].*)?)$/i },
] as const;

/** @returns undefined for a scheme without a gateway, and for a path that leads out of it */
export function toLoadable(link: string, gateways: Gateways): string | undefined {
  for (const { gateway, form } of forms) {
    const path = form.exec(link)?.[1];
    if (path === undefined) continue;
    const base = gateways[gateway];
    if (base === undefined || !URL.canParse(path, base)) return undefined;
    const { href } = new URL(path, base);
    return href.startsWith(base.href) ? href : undefined;
  }
  return /^https?:/i.test(link) ? link : undefined;
}
