import { describeFaults } from './describe-faults.ts';
import { faults } from './faults.ts';

describeFaults('the cloud', faults.cloud);
