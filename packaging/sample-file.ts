/** The text of `config/hostnode.yaml`: every key with its meaning and default, commented out. `vitest -u test/config` writes it. */
import type * as z from 'zod';
import { metaOf } from '../src/base/schema.ts';
import { wrapped } from '../src/base/wrapped.ts';
import { defaultOf, sectionOf } from '../src/config/keys.ts';
import { settings } from '../src/config/schema.ts';

const width = 100;

const opening = `# yaml-language-server: $schema=./hostnode.schema.json
#
# hostnode reads this file from /etc/hostnode/hostnode.yaml, or from the path in --config. Every key is optional.
# Each line "#key: value" shows the default, or an example if there is no default: remove the # to set it.
# Environment variables override this file: HOSTNODE_ and the key in capitals, e.g. HOSTNODE_CLOUD_BASE_URL for
# cloud.baseUrl. The names of keys give the units.
`;

const listExamples = `# For example, with the defaults of all keys of a rule:
#   slots:
#     - name: rack 2, shelf 3, bay 4
#       paths: [pci-0000:00:14.0-usb-0:4.2]  # or 1-4.2, if the bus numbers do not change
#   inventory:
#     expected:
#       - { serial: 44424FDD7335M7, model: Pixel 5, assetTag: LAB-0042, slot: "rack 2, shelf 3, bay 4", owner: Anna }
#       - { udid: emulator-5554@rack-2 }  # either serial or udid; the others are optional
#   notify:
#     - { urlFile: /etc/hostnode/slack-url, format: slack }  # json, slack, mattermost or teams
#     - { url: https://lab.example.com/hostnode, severity: minor, codes: [HUB_LOST], headersFile: /etc/hostnode/notify-headers }
#   devices:
#     - match: { model: "Pixel *" }     # also udid, serial, brand, slot; * matches any text, ? any character
#       deviceName: Loan phone          # no default: the phone's own name
#       addedToCloud: true
#       isHidden: false
#       ignore: false                   # true: neither collect nor report it
#       support:
#         appiumDisabled: false
#         networkTrafficCapturingDisabled: false
#         unlockPasscodeDisabled: false
#         setTimeZoneDisabled: false
#         networkPayloadCaptureDisabled: false
#       prepare: []                     # as prepare.wants, in its place
`;

/** `text` as comment lines of at most `width` characters. */
function comment(text: string, indent: string): string {
  return wrapped(text, width - indent.length - 2)
    .map((line) => `${indent}# ${line}\n`)
    .join('');
}

const yamlValue = (value: unknown) =>
  typeof value === 'string' && !/^[A-Za-z/][\w./:@-]*$/.test(value) ? JSON.stringify(value) : String(value);

function entry(key: string, schema: z.ZodType, indent: string): string {
  const { description = '', example } = metaOf(schema);
  const section = sectionOf(schema);
  if (section !== undefined)
    return `${comment(description, indent)}${indent}${key}:\n${entries(section, `${indent}  `)}`;
  const preset = defaultOf({ schema });
  const note = preset === undefined && !description.includes('When unset') ? ' No default.' : '';
  const value = typeof preset === 'object' ? JSON.stringify(preset) : yamlValue(preset ?? example);
  return `${comment(description + note, indent)}${indent}#${key}: ${value}\n`;
}

function entries(section: z.ZodObject, indent: string): string {
  return Object.entries(section.shape as Record<string, z.ZodType>)
    .map(([key, schema]) => entry(key, schema, indent))
    .join(indent === '' ? '\n' : '');
}

/** The text of the file. */
export const sampleFile = (): string => `${opening}\n${entries(settings, '')}${listExamples}`;
