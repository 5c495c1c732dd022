/** The program for `hostnode cloud`: a bundle of its own, so that it loads nothing of the agent, and the agent nothing of it. */
import './interpreted.ts';
import { newProgram, runProgram } from '../program.ts';
import { addCloudCommands } from './commands.ts';

const program = newProgram();
addCloudCommands(program.command('cloud').description('use the API of the device cloud'));
runProgram(program);
