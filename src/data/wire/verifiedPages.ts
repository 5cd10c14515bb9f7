/** Answers that are checked, and verified if a root is trusted: one way for all lists. */
import { type ListData, type ListPage, toListPage, toLoneItems, walkPages } from './pages.js';
import type { RouteQuestion, Routes } from './routes.js';

type ItemOf<Data extends ListData<unknown>> = Data['items'][number];

/** A question, and what its answers must be. */
interface VerifiedQuestion<Data extends ListData<unknown>> extends RouteQuestion<Data> {
  /** @throws DataError `BAD_ANSWER` if an answer is about something else */
  check(data: Data): void;
  /** Undefined: nothing is trusted, and the answers are claims. */
  readonly verifier:
    | { verified(page: ListPage<ItemOf<Data>>): Promise<ListPage<ItemOf<Data>>> }
    | undefined;
}

/** The pages of a list. @throws DataError, and the signal's reason */
export async function* verifiedPages<Data extends ListData<unknown>>(
  ask: Routes['ask'],
  {
    pageSize,
    query,
    check,
    verifier,
    ...question
  }: VerifiedQuestion<Data> & { readonly pageSize: number | undefined },
): AsyncGenerator<ListPage<ItemOf<Data>>, void, undefined> {
  const pages = walkPages(pageSize, (place) => ask({ ...question, query: { ...query, ...place } }));
  for await (const data of pages) {
    check(data);
    const page: ListPage<ItemOf<Data>> = toListPage(data);
    yield verifier ? await verifier.verified(page) : page;
  }
}

/** The items of an answer that is no list. @throws DataError, and the signal's reason */
export async function verifiedItems<Data extends ListData<object>>(
  ask: Routes['ask'],
  { check, verifier, ...question }: VerifiedQuestion<Data>,
): Promise<readonly ItemOf<Data>[]> {
  const data = await ask(question);
  check(data);
  return verifier ? toLoneItems(await verifier.verified(toListPage(data))) : data.items;
}
