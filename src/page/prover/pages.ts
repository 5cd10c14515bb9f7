/** Lists, a page at a time. The pages of one are verified in one walk under one root: an item that comes twice is refused. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { DataClient, ListPage } from '../../data/index.js';
import type { CallFork } from '../../forks.js';
import { findRoot } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** What a list is asked for beside its own members. */
interface Trusted {
  readonly anchor: AnchoredRoot;
  readonly network: Network;
  readonly fork?: CallFork;
  readonly signal: AbortSignal;
}

/** A list that has more pages. */
interface Walk<Page> {
  readonly session: Session;
  /** What was asked. */
  readonly key: string;
  readonly anchor: AnchoredRoot;
  readonly control: AbortController;
  readonly pages: AsyncGenerator<Page, void, undefined>;
  /** Number of the page that comes next. */
  next: number;
}

/** Most items of a page: a server could fill the reader's with those that nothing proves. */
const mostItems = 1000;

class TooManyItems extends Error {
  readonly code = 'BAD_ANSWER';
}

/** The pages before were asked in another walk, which is over. */
class ListClosed extends Error {
  readonly code = 'LIST_CLOSED';
}

/**
 * The answers to a question about a list.
 *
 * @param subject of what is proven, such as `the transactions`
 */
export function answerPages<Asked extends object, Page extends ListPage<unknown>>(
  subject: string,
  ask: (data: DataClient, asked: Asked & Trusted) => AsyncGenerator<Page, void, undefined>,
) {
  // Whoever goes on takes it away: two readers of one walk would get every other page.
  let left: Walk<Page> | undefined;

  async function begin(session: Session, asked: Asked, means: Means): Promise<Walk<Page>> {
    const data = await session.data();
    const anchor = await findRoot(session, means);
    const { network, settings } = session;
    const fork = settings.fork as CallFork | undefined;
    const control = new AbortController();
    const trusted = { anchor, network, ...(fork && { fork }), signal: control.signal };
    const pages = ask(data, { ...asked, ...trusted });
    return { session, key: JSON.stringify(asked), anchor, control, pages, next: 0 };
  }

  function goOn(session: Session, asked: Asked, page: number): Walk<Page> {
    const walk = left;
    left = undefined;
    const isSame = walk?.session === session && walk.key === JSON.stringify(asked);
    if (isSame && walk.next === page) return walk;
    throw new ListClosed('the list has changed meanwhile: load it anew');
  }

  return async (
    session: Session,
    { page: number, ...given }: Asked & { readonly page: number },
    means: Means,
  ) => {
    const asked = given as unknown as Asked;
    const walk = number === 0 ? await begin(session, asked, means) : goOn(session, asked, number);
    const { anchor, control, pages } = walk;
    means.say(`Proving ${subject} under L2 block ${anchor.l2BlockNumber}`);
    const stop = () => control.abort(means.signal.reason);
    means.signal.addEventListener('abort', stop);
    try {
      means.signal.throwIfAborted();
      const { value } = await pages.next();
      if (!value) throw new ListClosed('the list has no more pages: load it anew');
      if (value.items.length + value.unproven.length > mostItems) {
        throw new TooManyItems(`the server has sent more than ${mostItems} items in a page`);
      }
      walk.next++;
      if (value.hasMore) left = walk;
      // What else the server says is shown nowhere.
      const { more: _, ...page } = value;
      return { ...page, anchor };
    } finally {
      means.signal.removeEventListener('abort', stop);
    }
  };
}
