/** The field that everything is found by. */
import { useState } from 'preact/hooks';
import { type Route, routeHref, searchRoutes } from '../format/route.js';

const names: Partial<Record<Route['view'], string>> = {
  address: 'Address',
  transaction: 'Transaction',
  block: 'Block',
  message: 'Message',
};

export function Search() {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Route[]>();
  function search(event: Event) {
    event.preventDefault();
    const routes = searchRoutes(text);
    const [only] = routes;
    if (routes.length === 1 && only) {
      setFound(undefined);
      location.hash = routeHref(only);
    } else setFound(routes);
  }
  return (
    <search>
      <form onSubmit={search}>
        <label class="hidden" for="search">
          Address, token, transaction or block
        </label>
        <input
          id="search"
          type="search"
          placeholder="Address, token, transaction or block"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit">Search</button>
      </form>
      <div role="status">
        {found?.length === 0 && (
          <p class="note">
            That is no address, hash or block number: 0x and 40 or 64 hex digits, or digits alone.
          </p>
        )}
        {found && found.length > 0 && (
          <p class="note">
            The hash of what?{' '}
            {found.map((route) => (
              <a key={route.view} href={routeHref(route)} onClick={() => setFound(undefined)}>
                {names[route.view]}
              </a>
            ))}
          </p>
        )}
      </div>
    </search>
  );
}
