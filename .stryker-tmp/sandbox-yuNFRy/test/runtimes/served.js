/** The answers, as a worker of workerd gives them. */
// @ts-nocheck

import { answers } from './answers.js';

export default { fetch: async () => new Response(await answers()) };
