/** To be imported before all else by what scripts import: an old Node gets a sentence. */
import { oldNode } from './old-node.ts';

const problem = oldNode();
if (problem !== undefined) throw new Error(problem);
