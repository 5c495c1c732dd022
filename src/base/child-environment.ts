/** Keys, passwords in addresses, and where they lie: other programs have no business with them. */
const OURS = /^(?:HOSTNODE_.*|CREDENTIALS_DIRECTORY|(?:https?|all)_proxy)$/i;

/** What a program that we start gets of our environment: one that lives on can be asked for it by others of its user. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));
