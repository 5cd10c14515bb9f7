/** Long data, folded away. */
import { byteCount } from '../format/hex.js';
import { wholeText } from '../format/numbers.js';
import { Copy } from './parts.js';

/** Most characters that are shown; all of them are copied. */
const most = 20_000;

/** @param title of what is copied */
export function Data({ value, title }: { value: string; title: string }) {
  const size = byteCount(value);
  if (size === 0) return <>none</>;
  return (
    <details class="data">
      <summary>{size === 1 ? '1 byte' : `${wholeText(size)} bytes`}</summary>
      <code>{value.length > most ? `${value.slice(0, most)}…` : value}</code>
      <Copy text={value} title={title} />
    </details>
  );
}
