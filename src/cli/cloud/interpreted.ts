/** zod compiles a schema at its first use, which takes longer than the few values of one command. Import this first. */
import * as z from 'zod';

z.config({ jitless: true });
