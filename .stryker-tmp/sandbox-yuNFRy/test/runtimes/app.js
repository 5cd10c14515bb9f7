/** The answers, as a program prints them. */
// @ts-nocheck

import { answers } from './answers.js';

console.log(await answers());
