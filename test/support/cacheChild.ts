/** Replaces a text in the cache folder again and again, until it is killed. Its argument: the number of its first text. */
import { cachedText } from '../../src/cli/cache/userCache.js';
import { textOf } from './cacheText.js';

const cached = cachedText('state.txt', (error) => {
  throw error;
});
for (let i = Number(process.argv[2]); ; i++) {
  await cached.set(textOf(i));
  if (i === Number(process.argv[2])) console.log('wrote');
}
