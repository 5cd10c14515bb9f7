/** How an approval is taken back, as data: the page sends nothing. */
import { Copy, Hex, Rows } from '../../figure/parts.js';
import type { RevokeCall } from '../../format/revoke.js';

export function Revoke({ calls }: { calls: readonly RevokeCall[] }) {
  return (
    <details class="revoke">
      <summary>How to revoke</summary>
      <p>
        Let the wallet of this address send {calls.length === 1 ? 'this call' : 'these calls'},
        without any value. This page sends nothing.
      </p>
      {calls.map(({ to, data, text }) => (
        <Rows
          key={data}
          rows={[
            ['Call', text],
            ['To', <Hex value={to} />],
            [
              'Data',
              <>
                <code>{data}</code>
                <Copy text={data} title="call data" />
              </>,
            ],
          ]}
        />
      ))}
    </details>
  );
}
