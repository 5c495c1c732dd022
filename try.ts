import { fork } from 'node:child_process';
import { once } from 'node:events';
import { requestsPerSecond } from './test/bench/load.ts';
import { weightOf } from './test/bench/measure.ts';
import { machine } from './test/support/cloud-server.ts';
const [,,which='PUT']=process.argv;
const other=fork('test/bench/cloud-process.ts',['100'],{execArgv:process.env.PROF?['--cpu-prof','--cpu-prof-dir=/tmp/judge-prof']:[]}); const [c]=await once(other,'message') as any;
const h={authorization:`Basic ${btoa('bench:bench-key')}`};
const body=JSON.stringify({nodeId:'bench',machine,devices:c.devices.slice(0,50)});
const load=which==='PUT'?{method:'PUT',headers:{...h,'content-type':'application/json'},body}:{method:'GET',headers:h};
for(let i=0;i<4;i++) { const b=weightOf(other.pid!).cpuMs; const r=await requestsPerSecond({...load,url:c.sandboxUrl+'/devices'},1500); const cpu=weightOf(other.pid!).cpuMs-b; console.log(load.method,Math.round(r),'cpu ms/req',(cpu/(r*1.5)).toFixed(2)); }
other.disconnect();
