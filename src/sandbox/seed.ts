/** What a sandbox has at its start. */
import * as z from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import { DocumentedDevice } from '../cloud/contract/report.ts';
import { roles, type State, type StoredDevice } from './state.ts';

const name = z.string().min(1);

const SeedUser = z.strictObject({
  username: name,
  email: z.exactOptional(name),
  apiKey: name,
  role: z._default(z.enum(roles), 'MEMBER'),
  firstName: z.exactOptional(z.string()),
  lastName: z.exactOptional(z.string()),
});

/** `members` are user names. */
const SeedTeam = z.strictObject({
  name,
  description: z._default(z.string(), ''),
  members: z._default(z.array(name), []),
});

/** What is left out is as for an ordinary phone that is plugged in. */
const SeedDevice = z.strictObject({
  ...DocumentedDevice.shape,
  nodeId: z._default(name, 'rack-1'),
  browserVersions: z.exactOptional(z.record(name, z.string())),
});

/** Its data sets are assigned to the device with this udid. */
const SeedSession = z.strictObject({
  name,
  udid: z.exactOptional(name),
  commands: z.array(
    z.strictObject({
      actionType: z._default(name, 'TYPE_KEYBOARD'),
      text: z._default(z.string(), ''),
      maxLength: z.exactOptional(z.int().positive()),
      element: z._default(z.record(name, z.string()), {}),
    }),
  ),
});

/** The first organization is the one that the sandbox names at its start. */
export const Seed = z.strictObject({
  organizations: z
    .array(
      z.strictObject({
        name,
        users: z.array(SeedUser).min(1),
        teams: z._default(z.array(SeedTeam), []),
        devices: z._default(z.array(SeedDevice), []),
        sessions: z._default(z.array(SeedSession), []),
      }),
    )
    .min(1),
  /** The cloud's own devices, for all organizations. */
  cloudDevices: z._default(z.array(SeedDevice), []),
});
export type Seed = z.input<typeof Seed>;

const input = (id: string, text: string, maxLength?: number) => ({
  text,
  element: { class: 'android.widget.EditText', 'resource-id': id },
  ...(maxLength !== undefined && { maxLength }),
});

export const standardSeed: Seed = {
  organizations: [
    {
      name: 'Device Lab',
      users: [
        { username: 'admin', email: 'admin@lab.example', apiKey: 'admin-key', role: 'ADMIN' },
        { username: 'member', email: 'member@lab.example', apiKey: 'member-key', firstName: 'Max' },
      ],
      teams: [
        { name: 'Payments', description: 'The checkout and its tests', members: ['member'] },
        { name: 'Search', description: 'Nobody is in it yet' },
      ],
      devices: [
        {
          udid: '9B281FFAZ00AB1',
          modelName: 'Pixel 7',
          deviceName: 'Pixel 7',
          platformVersion: '14',
          browserVersions: { chrome: '131.0.6778.39' },
        },
        { udid: 'R5CT40TB77X', modelName: 'SM-S911B', deviceName: 'Galaxy S23', platformVersion: '15' },
        {
          udid: 'f12ab8c9',
          nodeId: 'rack-2',
          modelName: '2201123G',
          deviceName: 'Xiaomi 12',
          platformVersion: '13',
          status: 'UNPLUGGED',
          state: 'disconnected',
        },
      ],
      sessions: [
        {
          name: 'Buy a ticket',
          udid: '9B281FFAZ00AB1',
          commands: [
            { actionType: 'CLICK', element: { class: 'android.widget.Button', 'resource-id': 'search' } },
            input('city', 'Bengaluru'),
            input('name', 'Asha'),
            input('coupon', 'WELCOME', 12),
          ],
        },
      ],
    },
    {
      name: 'Another Lab',
      users: [{ username: 'other', email: 'other@another.example', apiKey: 'other-key', role: 'ADMIN' }],
      teams: [{ name: 'Everybody', members: ['other'] }],
    },
  ],
  cloudDevices: [
    {
      udid: 'CLOUD00PIXEL8',
      nodeId: 'cloud',
      modelName: 'Pixel 8',
      deviceName: 'Pixel 8',
      platformVersion: '15',
      browserVersions: { chrome: '131.0.6778.39' },
    },
  ],
};

/** One organization, with one user who is its admin. */
export const seedOfOneUser = (user: { username: string; apiKey: string; email?: string }): Seed => ({
  organizations: [
    { name: 'Lab', users: [{ ...user, role: 'ADMIN' }], teams: [{ name: 'Lab', members: [user.username] }] },
  ],
});

function storedDevice(
  { nodeId, browserVersions, ...info }: z.infer<typeof SeedDevice>,
  owner: { organizationId: number; isCloud: boolean },
): Omit<StoredDevice, 'id'> {
  return { ...owner, nodeId, browserVersions, info: { ...ordinary, ...omitUndefined(info) } };
}

const ordinary = {
  status: 'PLUGGED',
  state: 'device',
  platformName: 'ANDROID',
  installedBrowsers: [{ name: 'chrome' }],
  resolution: { width: 1080, height: 2400 },
};

export function seedDatabase(state: State, seed: Seed): void {
  const { organizations, cloudDevices } = Seed.parse(seed);
  for (const { name: organization, users, teams, devices, sessions } of organizations) {
    const { id: organizationId } = state.organizations.add({ name: organization });
    const added = users.map(({ firstName, lastName = '', email: given, ...user }) => {
      const email = given ?? `${user.username}@sandbox.example`;
      return state.users.add({
        ...user,
        organizationId,
        email,
        firstName: firstName ?? email,
        lastName,
        isActive: true,
        isSso: false,
        favoriteDeviceIds: [],
      });
    });
    for (const { members, ...team } of teams) {
      const userIds = added.filter(({ username }) => members.includes(username)).map(({ id }) => id);
      state.teams.add({ ...team, organizationId, userIds });
    }
    for (const device of devices) state.devices.add(storedDevice(device, { organizationId, isCloud: false }));
    for (const session of sessions)
      state.sessions.add({
        ...session,
        organizationId,
        commands: session.commands.map((command) => ({ id: state.nextPartId(), ...command })),
      });
  }
  for (const device of cloudDevices)
    state.devices.add(storedDevice(device, { organizationId: 0, isCloud: true }));
}
