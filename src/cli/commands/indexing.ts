/** `l2proof index`: feeds the index of a chain, from which `l2proof serve --data` answers. */
import type { Transport } from '../../rpc/index.js';
import { checkIndex, createIndexer, type Index, openIndex } from '../../service/index.js';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { readArgs } from '../flags/args.js';
import { openTransport } from '../flags/endpoints.js';
import { indexFlags } from '../flags/feedFlags.js';
import { startFollowMetrics } from '../listen/followMetrics.js';
import { onSignal } from '../listen/listen.js';
import { indexCheck } from '../print/indexCheck.js';
import { printWarning, showBlocks, startProgress } from '../print/progress.js';
import { blockLines, countText, printLine, printResult, type Result } from '../print/result.js';
import { printError } from '../print/statusLine.js';
import { checkStoreName, indexName, withStore } from '../store/openStore.js';

/** Longest answer with logs or receipts, in bytes; a node is asked for fewer blocks if it is longer. */
const logBytes = 64 * 1024 * 1024;

/** Ms in which a node must have found them. */
const logTime = 60_000;

/** Flags that say how an index is fed. */
const feeding = ['only', 'metrics', 'once'] as const;

function parseRequest(args: readonly string[]) {
  const { values, given } = readArgs(args, indexFlags, 0);
  const { store, l2, only, metrics, once, check, json } = values;
  checkStoreName(store);
  const other = feeding.find((name) => given.has(name));
  if (check && other) throw new UsageError(`--${other} goes with feeding; leave out it or --check`);
  if (!check && l2 === undefined) {
    throw new UsageError('--l2 or L2PROOF_L2 is required: the URL of an L2 node');
  }
  return { store, l2, only, once, metrics, check, json };
}

/** Which chain the node is of. @throws CliError */
async function chainIdOf(l2: Transport): Promise<number> {
  const answer = await l2.call('eth_chainId', []);
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,12}$/i.test(answer)) return Number(answer);
  const text = 'the L2 node answered eth_chainId with something else';
  throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
}

type Request = ReturnType<typeof parseRequest>;

/** Feeds the index until a signal ends it. @returns what it then holds */
async function feed(index: Index, l2: Transport, request: Request): Promise<Result> {
  const { signal } = onSignal({
    reason: new Error('stopped by a signal'),
    code: exitCodes.verified,
  });
  const { once } = request;
  const metrics =
    request.metrics === undefined ? undefined : await startFollowMetrics(request.metrics);
  if (metrics) printError(`metrics on http://127.0.0.1:${metrics.port}/metrics`);
  const progress = startProgress({ isRun: true });
  const onBlock = showBlocks(progress, 'indexing');
  const print = blockLines(request.json);
  const indexer = createIndexer({
    index,
    l2,
    onWarning: printWarning,
    onProgress(now) {
      // Of a new index it is -1 until the first blocks are in.
      if (now.block >= 0) {
        onBlock(now.block, now.head);
        print(now);
      }
      metrics?.update(now);
    },
  });
  try {
    await indexer.run({ once, signal });
  } catch (error) {
    if (error !== signal.reason) throw error;
  } finally {
    progress.stop();
    await metrics?.close();
  }
  const { chainId, only = null } = index;
  const [block = null, final = null] = [await index.newestBlock(), await index.finalBlock()];
  return {
    text: `chain ${chainId}, block ${block ?? 'none'}, final ${final ?? 'none'}${only === null ? '' : `, ${only} only`}`,
    value: { chainId, block, final, only },
    isLast: true,
  };
}

/** Looks at an index that was fed. @returns what was found @throws CliError if a sum is not what a contract says */
async function check({ store: path, l2: url, json }: Request): Promise<Result> {
  const code = exitCodes.usage;
  const reason = new CliError(code, 'stopped by a signal', { code: 'STOPPED' });
  const ending = onSignal({ reason, code });
  const progress = startProgress();
  const found = await withStore(path, { readOnly: true }, (store) =>
    checkIndex({
      ...{ store, name: indexName(path), signal: ending.signal },
      ...(url !== undefined && { l2: openTransport('--l2', { url }) }),
      onProgress({ done, total }) {
        const figures = `${done} of ${countText(total, 'contract')}`;
        progress.update({ phase: 'checking', share: done / total, figures, done });
      },
    }),
  ).finally(() => {
    progress.stop();
    ending.stop();
  });
  const result = indexCheck(found);
  const different = found.tokens?.different.length ?? 0;
  if (different === 0) return result;
  if (json) printLine(result.value);
  else printResult(result, false);
  const text = `the sums of ${countText(different, 'token')} are not what the contracts say: unless these give or take without events, feed a new index`;
  throw new CliError(exitCodes.notVerified, text, { code: 'NOT_VERIFIED' });
}

/** Runs the command. @returns what the index holds, or what was found in it @throws CliError, and the library's errors */
export async function runIndex(args: readonly string[]): Promise<Result> {
  const request = parseRequest(args);
  if (request.check) return check(request);
  const url = request.l2 as string;
  const l2 = openTransport('--l2', { url, maxBytes: logBytes, timeout: logTime });
  const chainId = await chainIdOf(l2);
  const { only } = request;
  const options = { chainId, name: indexName(request.store), ...(only && { only }) };
  return withStore(request.store, {}, async (store) =>
    feed(await openIndex({ store, ...options }), l2, request),
  );
}
