/** Turns of the event loop while calls run, which by themselves take none. */
export { createTurns, type Turns } from '../../turns.js';
