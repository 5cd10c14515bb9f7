/** `l2proof logs`: all logs of a range that a filter asks for, proven, with none left out. */
import { visibleLines } from '../../visible.js';
import { UsageError } from '../exit/exit.js';
import { readArgs } from '../flags/args.js';
import { logsFlags } from '../flags/historyFlags.js';
import { readSources } from '../flags/trust.js';
import { askHistory } from '../history/ask.js';
import { groundText, groundToJson } from '../history/ground.js';
import { logsText, type SearchedBlocks } from '../history/logsText.js';
import { colored } from '../print/color.js';
import { printLine } from '../print/result.js';

function parseRequest(args: readonly string[]) {
  const { values, given } = readArgs(args, logsFlags, 0);
  const { address, topic: topics, to, from = to, json } = values;
  if (topics.length > 4)
    throw new UsageError('--topic is given more than four times; a log has no more');
  if (typeof from === 'number' && typeof to === 'number' && from > to) {
    throw new UsageError(`--from ${from} comes after --to ${to}; give the older block first`);
  }
  const filter = { ...(address.length > 0 && { address }), topics };
  const request = { ...readSources(values, given), maxRange: values['max-range'] };
  return { request, json, question: { ...filter, fromBlock: from, toBlock: to } };
}

/** Runs the command. @throws CliError, errors of the history */
export async function runLogs(args: readonly string[]): Promise<undefined> {
  const { request, question, json } = parseRequest(args);
  const { answer, ...ground } = await askHistory(request, async ({ history, onProgress }) => {
    const logs = await history.logs(question, { onProgress });
    const newest = Number((await history.header('latest')).number);
    const numberOf = (block: number | string): number =>
      typeof block === 'number' ? block : block === 'earliest' ? 0 : newest;
    const range: SearchedBlocks = {
      from: numberOf(question.fromBlock),
      to: numberOf(question.toBlock),
    };
    return { logs, range };
  });
  const { logs, range } = answer;
  if (!json) {
    const text = `verified: ${logsText(logs, range)}\n\n${groundText(ground)}`;
    console.log(colored(visibleLines(text), process.stdout));
    return;
  }
  for (const log of logs) printLine(log);
  const { from: fromBlock, to: toBlock } = range;
  printLine({ complete: true, logs: logs.length, fromBlock, toBlock, ...groundToJson(ground) });
}
