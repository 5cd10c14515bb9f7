/** Each law with both of its sides, in the order in which the verifier compares. */
import type { Law } from '../../explain/index.js';
import { shortened } from '../format/hex.js';

const signs = { equal: '=', unequal: '≠', below: '<' } as const;

const words = (law: Law): string => {
  if (!law.reached) return 'not reached';
  if (law.holds === null) return 'could not be read';
  return law.holds ? 'holds' : 'broken';
};

const Side = ({ text }: { text: string | null }) =>
  text === null ? null : <code title={text}>{shortened(text)}</code>;

export function Laws({ laws }: { laws: readonly Law[] }) {
  const broken = laws.findIndex(({ holds, reached }) => reached && holds !== true);
  return (
    <table class="laws">
      <caption>What was compared, in order</caption>
      <thead>
        <tr>
          <th scope="col">Law</th>
          <th scope="col">Sides</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {laws.map((law, i) => (
          <tr key={`${law.id} ${law.at}`} class={i === broken ? 'broken' : undefined}>
            <td data-title="Law">
              {law.text} <span class="note">{law.at}</span>
            </td>
            <td data-title="Sides">
              <Side text={law.left} /> {law.relation && signs[law.relation]}{' '}
              <Side text={law.right} />
            </td>
            <td data-title="Verdict">
              {words(law)} {i === broken && law.code && <code>{law.code}</code>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
