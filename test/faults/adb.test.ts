import { describeFaults } from './describe-faults.ts';
import { faults } from './faults.ts';

describeFaults('adb and phones', faults.adb);
