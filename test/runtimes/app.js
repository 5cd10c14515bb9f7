/** The answers, as a program prints them. */
import { answers } from './answers.js';

console.log(await answers());
