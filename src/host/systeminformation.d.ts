/** The package declares its types for all of it together. */
declare module 'systeminformation/lib/memory.js' {
  export { mem } from 'systeminformation';
}
