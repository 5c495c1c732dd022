/** The thread that parses what takes long. Bundled as dist/parse-worker.cjs. */
import { sections } from '../facts/index.ts';
import { serveParsers } from './parse-service.ts';

serveParsers(sections);
