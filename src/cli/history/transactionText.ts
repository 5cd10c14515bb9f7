/** A transaction and its receipt, for people. All of it was proven. */
import type { BlockTransaction, Log, Receipt } from '../../history/index.js';
import { columns } from '../print/print.js';
import { countText } from '../print/result.js';
import { checksummed, etherText, gweiText, secondsText } from '../print/units.js';

type Row = readonly [string, string];

/** Bytes of data, and logs of a transaction, that are shown. */
const most = { bytes: 96, logs: 20 };

/** Data in hex, cut, with its length. */
function shortData(data: string): string {
  const length = (data.length - 2) / 2;
  if (length === 0) return 'none';
  const shown = data.slice(0, 2 + 2 * most.bytes);
  return `${shown}${length > most.bytes ? '...' : ''} (${countText(length, 'byte')})`;
}

/** A log. @param name of its first row, which has its contract */
export function logRows(name: string, { address, topics, data }: Log): Row[] {
  return [
    [name, checksummed(address)],
    ...topics.map((topic, i): Row => [i === 0 ? '  topics' : '', topic]),
    ['  data', shortData(data)],
  ];
}

function statusText({ status }: Receipt): string {
  if (status === undefined) return 'not in receipts of before Byzantium';
  return BigInt(status) === 1n ? 'successful' : 'reverted';
}

function toText({ to, contractAddress, status }: Receipt): string {
  if (to !== null) return checksummed(to);
  const address = checksummed(contractAddress as string);
  return status === '0x0' ? `none: would have created ${address}` : `none: creates ${address}`;
}

/** The fee, and how it comes about. Gas of blobs is paid apart: its price is not proven. */
function feeText({ gasUsed, effectiveGasPrice, blobGasUsed }: Receipt): string {
  const fee = etherText(BigInt(gasUsed) * BigInt(effectiveGasPrice));
  const blobs = blobGasUsed === undefined ? '' : `, and ${BigInt(blobGasUsed)} gas of blobs`;
  return `${fee} (${BigInt(gasUsed)} gas at ${gweiText(effectiveGasPrice)}${blobs})`;
}

export function transactionText(transaction: BlockTransaction, receipt: Receipt): string {
  const { hash, type, nonce, value, input, blockTimestamp, from } = transaction;
  const { blockNumber, blockHash, transactionIndex, logs } = receipt;
  const rows: Row[] = [
    ['transaction', hash],
    ['status', statusText(receipt)],
    ['block', `${BigInt(blockNumber)}, ${secondsText(blockTimestamp)}`],
    ['', blockHash],
    ['position', `${BigInt(transactionIndex)} in the block`],
    ['from', `${checksummed(from)}, nonce ${BigInt(nonce)}`],
    ['to', toText(receipt)],
    ['value', etherText(value)],
    ['fee', feeText(receipt)],
    ['type', String(BigInt(type))],
    ['input', shortData(input)],
    ['logs', logs.length === 0 ? 'none' : String(logs.length)],
    ...logs.slice(0, most.logs).flatMap((log) => logRows(`log ${BigInt(log.logIndex)}`, log)),
  ];
  const more = logs.length - most.logs;
  if (more > 0) rows.push(['', `and ${countText(more, 'more log')}, which --json has`]);
  return columns(rows);
}
