/** Runs before each test file. The files of a run share their modules, so a module's own hooks would serve the first file alone. */
import { afterAll } from 'vitest';
import { removeFolders } from './folder.js';

afterAll(removeFolders);
