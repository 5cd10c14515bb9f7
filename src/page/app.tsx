/** The page: search, the view that its URL names, and whom all of it believes. */
import { useEffect, useState } from 'preact/hooks';
import { OpenedProof } from './anatomy/Opened.js';
import { Paste } from './anatomy/Paste.js';
import { parseRoute, type Route, routeHref } from './format/route.js';
import { completeSettings, type GivenSettings } from './settings/settings.js';
import { fetchSettings, readStored, writeStored } from './settings/stored.js';
import { TrustForm } from './trust/form.js';
import { TrustPanel } from './trust/panel.js';
import { Address } from './views/address.js';
import { Block } from './views/block.js';
import { Call } from './views/call.js';
import { Home } from './views/home.js';
import { Message } from './views/message.js';
import { Search } from './views/search.js';
import { Transaction } from './views/transaction.js';
import { openSession } from './worker/client.js';

function useRoute(): Route | undefined {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => {
      setHash(location.hash);
      // Who cannot see the page is led to what is new on it.
      document.querySelector<HTMLElement>('main')?.focus();
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(hash);
}

function View({ route }: { route: Route | undefined }) {
  switch (route?.view) {
    case 'home':
      return <Home />;
    case 'address':
      return <Address subject={route.subject} />;
    case 'proof':
      return route.address === undefined ? (
        <Paste />
      ) : (
        <OpenedProof address={route.address} slot={route.slot} />
      );
    case 'transaction':
      return <Transaction subject={route.subject} />;
    case 'call':
      return <Call subject={route.subject} />;
    case 'message':
      return <Message subject={route.subject} />;
    case 'block':
      return <Block subject={route.subject} />;
    default:
      return <p role="alert">This page has no such place. Search for something above.</p>;
  }
}

/** Whether a view asks nobody. */
const isLone = (route: Route | undefined): boolean =>
  route?.view === 'home' || (route?.view === 'proof' && route.address === undefined);

interface Found {
  readonly given: GivenSettings;
  readonly problem: string;
}

export function App() {
  const route = useRoute();
  const [own, setOwn] = useState(() => readStored(location.href));
  const [found, setFound] = useState<Found>();
  // Views are made anew with each session: their questions are asked again.
  const [round, setRound] = useState(0);
  useEffect(() => {
    fetchSettings(location.href).then(
      (given) => setFound({ given, problem: '' }),
      (error: Error) => setFound({ given: {}, problem: error.message }),
    );
  }, []);
  if (found === undefined) return <p role="status">Loading…</p>;
  // What the reader has left out stays out: nobody else is asked.
  const given = own ?? found.given;
  const settings = completeSettings(given);
  function save(next: GivenSettings | undefined) {
    writeStored(next);
    setOwn(next);
    setRound(round + 1);
  }
  return (
    <>
      <header>
        <a class="brand" href="#/">
          l2proof
        </a>
        <Search />
        <nav aria-label="Pages">
          <a href="#/proof">Anatomy of a proof</a> <a href="#/trust">Trust</a>
        </nav>
      </header>
      <main tabIndex={-1}>
        {found.problem !== '' && (
          <p class="failure" role="alert">
            The settings of this server are wrong. {found.problem}
          </p>
        )}
        {settings && <Opened key={round} settings={settings} route={route} />}
        {settings === undefined && isLone(route) && <View route={route} />}
        {settings === undefined && !isLone(route) && <h1>Name the endpoints first</h1>}
        {(route?.view === 'trust' || (settings === undefined && !isLone(route))) && (
          <TrustForm key={`form ${round}`} settings={given} onSave={save} />
        )}
      </main>
    </>
  );
}

function Opened({
  settings,
  route,
}: {
  settings: NonNullable<ReturnType<typeof completeSettings>>;
  route: Route | undefined;
}) {
  // Before any view asks: a session is opened once, with the first render.
  useState(() => openSession(settings));
  if (route?.view === 'trust') return <TrustPanel />;
  // Another subject is another view: nothing of the one before stays.
  return <View key={route && routeHref(route)} route={route} />;
}
