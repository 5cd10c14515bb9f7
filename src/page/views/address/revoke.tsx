/** How an approval is taken back, as data: the page sends nothing. */
import { Copy, Hex } from '../../figure/parts.js';
import type { RevokeCall } from '../../format/revoke.js';

export function Revoke({ calls }: { calls: readonly RevokeCall[] }) {
  return (
    <details class="revoke">
      <summary>How to revoke</summary>
      {calls.map(({ to, data, text }) => (
        <dl key={data}>
          <dt>Send from this address, without any value: {text}</dt>
          <dd>
            To <Hex value={to} />
          </dd>
          <dd>
            Data <code>{data}</code> <Copy text={data} title="call data" />
          </dd>
        </dl>
      ))}
    </details>
  );
}
