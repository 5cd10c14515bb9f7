/** Other things that 64 digits may be the hash of. */
import { routeHref } from '../format/route.js';

type Hashed = 'transaction' | 'block' | 'message';

export function OtherHashes({
  subject,
  views: [first, second],
}: {
  subject: string;
  views: readonly [Hashed, Hashed];
}) {
  return (
    <>
      Is it the hash of <a href={routeHref({ view: first, subject })}>a {first}</a> or{' '}
      <a href={routeHref({ view: second, subject })}>a {second}</a>?
    </>
  );
}
