/** The kinds of keys that the configuration has. */
import * as z from 'zod';

/** A section of keys, all of which may be left out. */
export const section = <Keys extends z.ZodRawShape>(description: string, keys: Keys) =>
  z
    .strictObject(keys)
    .meta({ description })
    .prefault({} as never);

export const flag = (isOn: boolean, description: string) => z.boolean().default(isOn).meta({ description });

export const whole = (least: number, most: number, usual: number, description: string) =>
  z.number().int().min(least).max(most).default(usual).meta({ description });

/** A text that has no default. */
export const text = (description: string, example: string) =>
  z.string().min(1).exactOptional().meta({ description, example });

/** A file or a folder. A shell expands `~` and variables, hostnode does not. */
export const path = (description: string, example: string) =>
  z
    .string()
    .regex(/^[^~$]/)
    .exactOptional()
    .meta({ description, example, allowed: 'a path without ~ or $ at its beginning' });

/** A text of a form that `allowed` says in words. */
export const shaped = (pattern: RegExp, allowed: string) => z.string().regex(pattern).meta({ allowed });

/** A file of certificates, for a server of the lab's own. */
export const authorities = path(
  'CA certificates (PEM) to trust instead of those that Node.js brings with it.',
  '/etc/hostnode/ca.pem',
);

/** An address to send to. */
export const address = (description: string, example: string) =>
  text(description, example).meta({ allowed: 'an https:// address without user, query or fragment' });
