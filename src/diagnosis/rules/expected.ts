/** The inventory: phones that are missing, new, in another slot, cloned, or attached twice. */
import { beginsAnew, type HistoryEvent } from '../../history/events/event.ts';
import type { ByConnection } from '../../report/message.ts';
import { differences, type ExpectedPhone, findExpected, placeOf } from '../../roster/expected-phones.ts';
import { isPlaceholderSerial } from '../../roster/udid.ts';
import { listedForMs, longAgo, once } from '../context.ts';
import type { Found, Rule, RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';

/** A person swaps two phones; a new phone answers. */
const SETTLES_MS = 60_000;

/** Between the list and the phones here, while adb has listed them for long enough. */
const differencesNow = once((context) => {
  const { isAdbListed, phones, setting } = context.now;
  if (!isAdbListed || listedForMs(context) < SETTLES_MS) return differences<PhoneInput>([], [], new Set());
  const slots = new Set(setting?.slots.map(({ name }) => name));
  return differences(setting?.expected ?? [], phones, slots);
});

const lastMoves = once(({ events }) => {
  const last = { attached: new Map<string, HistoryEvent>(), detached: new Map<string, HistoryEvent>() };
  for (const event of events)
    if (event.kind === 'attached' || event.kind === 'detached') last[event.kind].set(event.udid, event);
  return last;
});

function lastMove(
  kind: 'attached' | 'detached',
  udids: readonly (string | undefined)[],
  context: RuleContext,
): HistoryEvent | undefined {
  const found = udids.flatMap((udid) => lastMoves(context)[kind].get(udid ?? '') ?? []);
  return found.sort((one, other) => one.id - other.id).at(-1);
}

/** What each finding about phones that are here has: since the last of them came. */
function attached(phones: readonly PhoneInput[], context: RuleContext) {
  const udids = phones.map(({ udid }) => udid);
  const event = lastMove('attached', udids, context);
  return {
    subject: { kind: 'phone' as const, key: udids[0] ?? '' },
    udids,
    since: event?.at ?? longAgo(context),
    evidence: event === undefined ? [] : [event.id],
  };
}

/** `LAB-0042 (44424FDD7335M7)`. */
const entryName = ({ assetTag, model, serial, udid }: ExpectedPhone): string => {
  const id = serial ?? udid ?? '';
  const name = [assetTag, model].filter((each) => each !== undefined).join(', ');
  return name === '' ? id : `${name} (${id})`;
};

const withOwner = ({ owner }: ExpectedPhone): string => (owner === undefined ? '' : ` (ask ${owner})`);

export const expectedMissing: Rule = {
  code: 'EXPECTED_MISSING',
  severity: 'major',
  sign: 'missing',
  plural: 'are missing',
  explains: ['unplugged'],
  /** A reboot takes three minutes, one with an update ten. */
  settleMs: 10 * 60_000,
  evaluate: (context) => differencesNow(context).missing.map((entry) => missing(entry, context)),
};

/** It may be anywhere: who finds it most often need do no more. */
const FIND: ByConnection = {
  usb: 'Find it and plug it in',
  tcp: 'Find it, wake it and its Wi-Fi, and connect it again, after a restart by wireless debugging or `adb tcpip` over USB',
  emulator: 'Start it again, without its snapshot, on the network connect it too: its log says why it ended',
};

function missing(entry: ExpectedPhone, context: RuleContext): Found | undefined {
  const known = findExpected(context.now.phones)(entry);
  const names = [entry.udid, entry.serial, ...known.map(({ udid }) => udid)];
  const [came, went] = [lastMove('attached', names, context), lastMove('detached', names, context)];
  const hasOnlyJustGone = came !== undefined && (went === undefined || went.id < came.id);
  if (hasOnlyJustGone) return undefined;
  const begin = went ?? context.events.find(beginsAnew); // not the last: a reload ends no finding
  const { connection = 'usb' } = known[0] ?? {};
  const from = entry.slot === undefined ? '' : ` from ${entry.slot}`;
  return {
    subject: { kind: 'phone', key: known[0]?.udid ?? entry.udid ?? entry.serial ?? '' },
    title: `${entryName(entry)} is missing${from}`,
    remedy: `${FIND[connection]}${withOwner(entry)}; if it has left, remove it from inventory.expected`,
    since: begin?.at ?? longAgo(context),
    udids: known.map(({ udid }) => udid),
    evidence: went === undefined ? [] : [went.id],
    ...(begin === undefined && { settleMs: 0 }),
  };
}

export const unexpectedPhone: Rule = {
  code: 'UNEXPECTED_PHONE',
  severity: 'minor',
  sign: 'not expected',
  plural: 'are not in the list of expected phones',
  settleMs: SETTLES_MS,
  evaluate: (context) =>
    differencesNow(context).unexpected.map((phone) => ({
      ...attached([phone], context),
      title: `${phone.name} at ${placeOf(phone)} is not on the list of expected phones`,
      remedy: 'Add it to inventory.expected, or unplug or disconnect it',
    })),
};

export const phoneMoved: Rule = {
  code: 'PHONE_MOVED',
  severity: 'minor',
  sign: 'moved',
  plural: 'sit in another slot than expected',
  settleMs: SETTLES_MS,
  evaluate: (context) =>
    differencesNow(context).moved.map(({ phone, expected: entry }) => ({
      ...attached([phone], context),
      title: `${phone.name} is at ${placeOf(phone)}, and belongs in ${entry.slot}`,
      remedy: `Plug it into ${entry.slot}, or change its slot in inventory.expected${withOwner(entry)}`,
    })),
};

export const phoneCloned: Rule = {
  code: 'PHONE_CLONED',
  severity: 'major',
  sign: 'cloned',
  plural: 'claim to be the same phone',
  evaluate: (context) =>
    differencesNow(context).cloned.map(({ serial, phones, expectedModel }) => {
      // another system on the phone may call it by another model
      if (expectedModel !== undefined)
        return {
          ...attached(phones, context),
          certainty: 'likely',
          title: `The phone with the serial ${serial} is a ${phones[0]?.model}, and the list expects a ${expectedModel}`,
          remedy:
            'Look which phone it is: another one may use its serial; or correct the model in inventory.expected',
        };
      return {
        ...attached(phones, context),
        ...(isPlaceholderSerial(serial) && { severity: 'minor' }),
        title: `${phones.length} phones have the serial ${serial}: ${phones.map(placeOf).join(' and ')}`,
        remedy:
          'Leave each in its port, which tells them apart, and have tests use `adb -t`; or give one of them another serial',
      };
    }),
};

export const attachedTwice: Rule = {
  code: 'ATTACHED_TWICE',
  severity: 'minor',
  sign: 'attached twice',
  plural: 'are attached twice',
  settleMs: SETTLES_MS,
  evaluate: (context) =>
    differencesNow(context).twice.map((phone) => {
      const [other = '', ...more] = phone.alsoAt ?? [];
      const others = more.length === 0 ? other : `${other} and ${more.length} more`;
      return {
        ...attached([phone], context),
        title: `${phone.name} is attached at ${placeOf(phone)} and at ${others}`,
        remedy:
          'Run adb disconnect for the address on the network, or unplug the cable: tests by serial may take either',
      };
    }),
};
