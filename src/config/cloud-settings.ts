/** The schema of `cloud`, and of `clouds`: further clouds for the command line. */
import * as z from 'zod';
import '../base/schema.ts';
import { text, whole } from './values.ts';

/** How to reach a cloud, and who we are there. */
const account = {
  baseUrl: text().exactOptional().meta({
    description: "The v1 root of the cloud's API; hostnode appends /devices.",
    allowed: 'an https:// address without user, query or fragment',
    example: 'https://cloud.example.com/v1',
  }),
  v2BaseUrl: text().exactOptional().meta({
    description:
      "The v2 root of the cloud's API, for hostnode cloud. When unset: baseUrl with v2 in place of v1 at its end.",
    allowed: 'an https:// address without user, query or fragment',
    example: 'https://cloud.example.com/v2',
  }),
  username: z
    .string()
    .regex(/^[^:\p{Cc}]+$/u)
    .exactOptional()
    .meta({
      description: "The account's user name or email address.",
      allowed: 'text without ":" (HTTP Basic authentication ends the name at a colon)',
      example: 'lab@example.com',
      secret: true, // a rejected value may have the key after its colon
    }),
  apiKey: z
    .string()
    .regex(/^\P{Cc}+$/u)
    .exactOptional()
    .meta({
      description: "The account's API key. We recommend apiKeyFile instead.",
      allowed: 'one line of text',
      example: 'your-api-key',
      secret: true,
    }),
  apiKeyFile: text().exactOptional().meta({
    description:
      'The file with the API key; only its owner may read it (chmod 600). Under systemd use the credential "cloud-api-key" instead.',
    example: '/etc/hostnode/cloud-api-key',
  }),
  allowInsecure: z.boolean().default(false).meta({
    description:
      'Allow a plain http:// address other than this host. The API key then crosses the network unencrypted.',
  }),
  caFile: text().exactOptional().meta({
    description: 'CA certificates (PEM) to trust instead of the system CAs.',
    example: '/etc/hostnode/ca.pem',
  }),
  untagMethod: z.enum(['DEL', 'DELETE']).default('DEL').meta({
    description:
      'The HTTP method with which hostnode cloud removes a tag: DEL, as the API writes it, or DELETE.',
  }),
  storageVendor: z
    .string()
    .regex(/^[A-Za-z\d]{1,40}$/)
    .exactOptional()
    .meta({
      description:
        "The vendor's part of the storage's header x-VENDOR-tagging, for an upload whose URL does not show it.",
      allowed: 'up to 40 letters and digits',
      example: 'amz',
    }),
  connectTimeoutSeconds: whole(1, 300).default(5).meta({ description: 'Seconds to wait for a connection.' }),
  requestTimeoutSeconds: whole(1, 600)
    .default(20)
    .meta({ description: 'Seconds to wait for a whole request, including the answer.' }),
};

export const cloud = z
  .strictObject({
    ...account,
    refusedRetries: whole(0, 100).default(5).meta({
      description:
        'How often to send a rejected device again on its own. After that hostnode logs it once and sends it with each ordinary report.',
    }),
  })
  .meta({ description: 'The device cloud. Without baseUrl hostnode reports nothing.' });

const profile = z.strictObject(account);
/** How to reach a cloud of `clouds`, as it is written. */
export type ProfileSettings = z.infer<typeof profile>;

/** The name of a profile. */
export const profileName = z
  .string()
  .regex(/^[A-Za-z\d][\w.-]{0,63}$/)
  .meta({ allowed: 'up to 64 letters, digits and . _ -, starting with a letter or digit' });

export const clouds = z.record(profileName, profile).default({}).meta({
  description:
    'Further clouds by name, for `hostnode cloud --profile NAME`; each has the keys of cloud but refusedRetries. The agent does not use them.',
  allowed: 'a section of names, each with the keys of cloud (in the environment: as JSON)',
  secret: true, // the keys in it
});
