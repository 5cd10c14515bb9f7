/** What `serve --page` tells the explorer. */
import type { WrongArgument } from '../../../errors.js';
import type { CallFork } from '../../../forks.js';
import type { PageSettings } from '../../../service/index.js';
import { CliError, exitCodes, UsageError } from '../../exit/exit.js';
import { readShort } from '../../input/input.js';
import { quote } from '../../print/print.js';
import { refuseUrl } from '../args.js';
import type { Values } from '../flag.js';
import type { DataChain } from './dataChains.js';
import type { serveFlags } from './serveFlags.js';

/** Most bytes of a file of settings. */
const mostBytes = 65_536;

/** What the explorer may be told of. */
interface PageRequest {
  /** Undefined if there is no explorer. */
  readonly page: { readonly file: string | undefined } | undefined;
  readonly store: string | undefined;
  readonly keys: readonly string[];
  readonly data: readonly DataChain[];
  readonly fork: CallFork | undefined;
}

/** The explorer, if it is served, and the file of its settings, if there is one. @throws UsageError */
export function readPage(
  flags: Pick<Values<typeof serveFlags>, 'page' | 'page-settings'>,
): PageRequest['page'] {
  const { page, 'page-settings': file } = flags;
  if (file === undefined) return page ? { file } : undefined;
  if (!page) throw new UsageError('--page-settings needs --page');
  refuseUrl(file, '--page-settings');
  return { file };
}

const wrongFile = (file: string, reason: string, cause: unknown): CliError =>
  new CliError(exitCodes.usage, `--page-settings ${quote(file)}: ${reason}`, {
    code: 'FILE',
    cause,
  });

/** @throws CliError */
async function readSettings(file: string): Promise<PageSettings> {
  const text = await readShort(file, mostBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongFile(file, (cause as Error).message, cause);
  }
}

/** What a server knows of itself and everyone may know: no key, and no URL of a node. */
const ownSettings = ({ store, keys, data: [first], fork }: PageRequest): PageSettings => ({
  ...(store !== undefined && keys.length === 0 && { proofs: '/v3/' }),
  ...(first && { data: { url: '/', chain: first.name } }),
  ...(fork && { fork }),
});

/** What the explorer is told; undefined if it is not served. @throws CliError */
export async function pageSettings(request: PageRequest): Promise<PageSettings | undefined> {
  const { page } = request;
  if (page === undefined) return undefined;
  return page.file === undefined ? ownSettings(request) : readSettings(page.file);
}

/** The error of the service, by the file that it is about, if it is about one. */
export function pageFailure({ page }: PageRequest, cause: unknown): unknown {
  const { argument = '', message } = Object(cause) as Partial<WrongArgument & Error>;
  if (page?.file === undefined || !/^page\b/.test(argument)) return cause;
  // The settings are the whole of the file, and not a member of it.
  return wrongFile(
    page.file,
    String(message)
      .replace(/^"page\.?/, '"')
      .replace(/^"" /, ''),
    cause,
  );
}
