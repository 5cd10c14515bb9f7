/** Pieces of views: addresses, amounts, texts of others, rows. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../visible.js';
import { checksummed, shortened } from '../format/hex.js';
import { agoText, amountText, timeText, wholeText } from '../format/numbers.js';
import { type Route, routeHref } from '../format/route.js';

/** Puts a text on the clipboard. */
export function Copy({ text, title }: { text: string; title: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }
  return (
    <button type="button" class="copy" aria-label={`Copy ${title}`} onClick={copy}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {isCopied ? <path d="m2 8 4 4 8-9" /> : <path d="M5 5h9v9H5zM11 5V2H2v9h3" />}
      </svg>
      <span class="hidden" role="status">
        {isCopied ? 'copied' : ''}
      </span>
    </button>
  );
}

type About = Extract<Route, { subject: string }>['view'];

/** A hash or an address, with all of its digits for those who copy it. */
export function Hex({ value, to }: { value: string; to?: About }) {
  const whole = value.length === 42 ? checksummed(value) : value;
  const digits = <code title={whole}>{shortened(whole)}</code>;
  return (
    <span class="hex">
      {to === undefined ? digits : <a href={routeHref({ view: to, subject: value })}>{digits}</a>}
      <Copy text={whole} title={whole.length === 42 ? 'address' : 'digits'} />
    </span>
  );
}

/** An amount. @param decimals undefined: nobody has proven any, and it is shown in smallest units @param unit its name, if it has one */
export function Amount({
  value,
  decimals,
  unit,
}: {
  value: bigint;
  decimals: number | undefined;
  unit?: ComponentChildren;
}) {
  const { whole, short } = amountText(value, decimals ?? 0);
  const named = decimals === undefined ? 'smallest units' : unit;
  return (
    <span class="amount" title={whole}>
      {short}
      {named !== undefined && <> {named}</>}
    </span>
  );
}

/** Longest text of others that is shown. */
const mostText = 60;

/** A text that somebody chose who may be no friend: short, and with nothing in it that turns or hides what stands beside it. */
export function Told({ text, most = mostText }: { text: string; most?: number }) {
  const shown = visible(text.slice(0, most));
  return <bdi class="told">{text.length > most ? `${shown}…` : shown}</bdi>;
}

export function Time({ seconds }: { seconds: bigint | number }) {
  // No date has more, and a server may say anything.
  if (Number(seconds) > 8_640_000_000_000) return <>{wholeText(seconds)} seconds after 1970</>;
  const date = new Date(1000 * Number(seconds)).toISOString();
  return (
    <time dateTime={date}>
      {timeText(seconds)} ({agoText(seconds, Date.now())})
    </time>
  );
}

/** A list of names and figures. */
export function Rows({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="rows">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
