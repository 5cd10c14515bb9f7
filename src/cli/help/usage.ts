/** How the commands are used. */
import { answerPages } from './answerPages.js';
import { helpText } from './page.js';
import { storePages } from './storePages.js';

const { verify, compact, fetch, decode, balances, proxy } = answerPages;
const { load, snapshot, migrate, follow, serve, index } = storePages;

/** The help of each command, in the order of the whole. */
export const usages = {
  verify: helpText(verify),
  compact: helpText(compact),
  load: helpText(load),
  snapshot: helpText(snapshot),
  migrate: helpText(migrate),
  follow: helpText(follow),
  serve: helpText(serve),
  fetch: helpText(fetch),
  decode: helpText(decode),
  index: helpText(index),
  balances: helpText(balances),
  proxy: helpText(proxy),
};

export const mainUsage = `l2proof help [COMMAND]
l2proof --version`;
