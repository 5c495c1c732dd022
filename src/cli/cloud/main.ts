/** The program for `hostnode cloud`: a bundle of its own, so that it loads nothing of the agent, and the agent nothing of it. */
import * as z from 'zod';
import { newProgram, runProgram } from '../program.ts';
import { cloudFailure } from './refusals.ts';

// zod would compile each schema at its first use, which takes longer than the few values of one command; it must be said
// before the contract makes its schemas
z.config({ jitless: true });

void import('./commands.ts').then(({ addCloudCommands }) => {
  const program = newProgram();
  addCloudCommands(program.command('cloud').description('use the API of the device cloud'));
  runProgram(program, cloudFailure);
});
