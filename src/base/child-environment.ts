/** Variables with keys, with passwords in addresses, or with the paths of keys. */
const OURS = /^(?:HOSTNODE_.*|CREDENTIALS_DIRECTORY|(?:https?|all)_proxy)$/i;

/** The environment for programs that we start, without secrets: other processes of the user can read it. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));
