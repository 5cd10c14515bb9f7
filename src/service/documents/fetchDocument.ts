/** Fetches a document from wherever a contract says it is. */
import { startDeadline } from '../../deadline.js';
import { createPace } from '../limits/pace.js';
import { DocumentError } from './errors.js';
import { askServer, checkTarget, type Reaching } from './hop.js';
import { createSlots } from './slots.js';

/** Ms from the first question to the end of the document. */
const patience = 5000;

const mostRedirects = 3;

/** Documents that are fetched at once, and questions to one host in a second. */
const mostAtOnce = 4;
const perSecond = 10;

/** @returns the bytes, of which nothing is known but their number @throws any error; a DocumentError is final */
export type FetchDocument = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

/** All that use one of these share its bounds. */
export function createFetchDocument(reaching: Reaching): FetchDocument {
  const pace = createPace(perSecond);
  const enter = createSlots(mostAtOnce);

  async function follow(text: string, signal: AbortSignal): Promise<Uint8Array> {
    let link = text;
    let from: URL | undefined;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const url = checkTarget(link, from, reaching.allowsHttp);
      await pace(url.hostname, signal);
      const answer = await askServer(url, reaching, signal);
      if (answer.body !== undefined) return answer.body;
      [link, from] = [answer.location, url];
    }
    throw new DocumentError('too many redirects');
  }

  return async (url, signal) => {
    const leave = await enter(signal);
    const clock = startDeadline(patience, signal);
    try {
      const late = () => new DocumentError(`no document in ${patience} ms`);
      return await clock.race(follow(url, clock.signal), late);
    } finally {
      clock.stop();
      leave();
    }
  };
}
