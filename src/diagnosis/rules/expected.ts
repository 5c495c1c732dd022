/** The judge of the inventory: phones that are missing, new, in another slot, cloned, or attached twice. */
import type { ExpectedPhone } from '../../config/expected.ts';
import type { HistoryEvent } from '../events/event.ts';
import type { Finding } from '../finding.ts';
import type { Judge, RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { ageMs, listedForMs, longAgo } from '../settle-time.ts';
import { type Clone, differences, findExpected, placeOf } from './expected-phones.ts';

/** A reboot takes three minutes, one with an update ten. */
const MISSING_MS = 10 * 60_000;
/** A person swaps two phones; a new phone answers. */
const PATIENCE_MS = 60_000;

export const judgeExpected: Judge = (context) => {
  const { now } = context;
  if (!now.isAdbListed || listedForMs(context) < PATIENCE_MS) return [];
  const { expected = [], slots = [] } = now.setting ?? {};
  const phones = now.phones.filter(({ isInMaintenance }) => !isInMaintenance);
  const found = differences(expected, phones, new Set(slots.map(({ name }) => name)));
  const history = new Phones(context);
  return [
    ...found.missing.flatMap((entry) => missing(entry, context, history)),
    ...found.unexpected.flatMap((phone) => unexpected(phone, history)),
    ...found.moved.flatMap(({ phone, expected: entry }) => moved(phone, entry, history)),
    ...found.cloned.map((clone) => cloned(clone, history)),
    ...found.twice.flatMap((phone) => twice(phone, history)),
  ];
};

/** The last attachment and detachment of each phone. */
class Phones {
  readonly #now: number;
  readonly longAgo: number;
  readonly #last = { attached: new Map<string, HistoryEvent>(), detached: new Map<string, HistoryEvent>() };

  constructor(context: RuleContext) {
    const { now, events } = context;
    this.#now = now.at;
    this.longAgo = longAgo(context);
    for (const event of events) {
      if (event.kind === 'attached' || event.kind === 'detached')
        this.#last[event.kind].set(event.udid, event);
    }
  }

  last(kind: 'attached' | 'detached', udids: readonly (string | undefined)[]): HistoryEvent | undefined {
    return udids
      .flatMap((udid) => this.#last[kind].get(udid ?? '') ?? [])
      .reduce<HistoryEvent | undefined>(
        (latest, event) => (latest && latest.id > event.id ? latest : event),
        undefined,
      );
  }

  /** Since when it has been attached, and the event that shows it; undefined for one that has only just come. */
  attached({ udid }: PhoneInput): Pick<Finding, 'since' | 'evidence'> | undefined {
    const event = this.last('attached', [udid]);
    if (event === undefined) return { since: this.longAgo, evidence: [] };
    return ageMs(this.#now, event.at) < PATIENCE_MS ? undefined : { since: event.at, evidence: [event.id] };
  }
}

/** `LAB-0042 (44424FDD7335M7)`. */
const entryName = ({ assetTag, model, serial, udid }: ExpectedPhone): string => {
  const id = serial ?? udid ?? '';
  const name = [assetTag, model].filter((each) => each !== undefined).join(', ');
  return name === '' ? id : `${name} (${id})`;
};

const withOwner = ({ owner }: ExpectedPhone): string => (owner === undefined ? '' : ` (ask ${owner})`);

function missing(entry: ExpectedPhone, { now, events }: RuleContext, history: Phones): Finding[] {
  const known = findExpected(now.phones)(entry);
  if (known.some(({ isInMaintenance }) => isInMaintenance)) return [];
  const udids = [entry.udid, entry.serial, ...known.map(({ udid }) => udid)];
  const [came, went] = [history.last('attached', udids), history.last('detached', udids)];
  if (came !== undefined && (went === undefined || went.id < came.id)) return []; // it has only just gone
  const event = went ?? events.findLast(({ kind }) => kind === 'agentStarted' || kind === 'agentReloaded');
  const since = event?.at ?? history.longAgo;
  if (event !== undefined && ageMs(now.at, since) < MISSING_MS) return [];
  const [phone] = known;
  const from = entry.slot === undefined ? '' : ` from ${entry.slot}`;
  return [
    {
      code: 'EXPECTED_MISSING',
      severity: 'major',
      subject: { kind: 'phone', key: phone?.udid ?? entry.udid ?? entry.serial ?? '' },
      certainty: 'certain',
      title: `${entryName(entry)} is missing${from}`,
      remedy: `Find it and plug it in${withOwner(entry)}; if it has left, remove it from inventory.expected`,
      since,
      udids: known.map(({ udid }) => udid),
      evidence: event?.kind === 'detached' ? [event.id] : [],
    },
  ];
}

const aboutPhone = ({ udid }: PhoneInput): Pick<Finding, 'subject' | 'udids' | 'certainty'> => ({
  subject: { kind: 'phone', key: udid },
  udids: [udid],
  certainty: 'certain',
});

function unexpected(phone: PhoneInput, history: Phones): Finding[] {
  const attached = history.attached(phone);
  if (attached === undefined) return [];
  return [
    {
      code: 'UNEXPECTED_PHONE',
      severity: 'minor',
      ...aboutPhone(phone),
      title: `${phone.name} at ${placeOf(phone)} is not on the list of expected phones`,
      remedy: 'Add it to inventory.expected, or unplug it',
      ...attached,
    },
  ];
}

function moved(phone: PhoneInput, entry: ExpectedPhone, history: Phones): Finding[] {
  const attached = history.attached(phone);
  if (attached === undefined) return [];
  return [
    {
      code: 'PHONE_MOVED',
      severity: 'minor',
      ...aboutPhone(phone),
      title: `${phone.name} is at ${placeOf(phone)}, and belongs in ${entry.slot}`,
      remedy: `Plug it into ${entry.slot}, or change its slot in inventory.expected${withOwner(entry)}`,
      ...attached,
    },
  ];
}

function cloned({ serial, phones, expectedModel }: Clone<PhoneInput>, history: Phones): Finding {
  const udids = phones.map(({ udid }) => udid);
  const event = history.last('attached', udids);
  const [phone] = phones;
  const isOther = expectedModel !== undefined;
  return {
    code: 'PHONE_CLONED',
    severity: 'major',
    subject: { kind: 'phone', key: phone?.udid ?? serial },
    // another system on the phone may call it by another model
    certainty: isOther ? 'likely' : 'certain',
    title: isOther
      ? `The phone with the serial ${serial} is a ${phone?.model}, and the list expects a ${expectedModel}`
      : `${phones.length} phones have the serial ${serial}: ${phones.map(placeOf).join(' and ')}`,
    remedy: isOther
      ? 'Look which phone it is: another one may use its serial; or correct the model in inventory.expected'
      : 'Leave each in its port, which tells them apart, or give one of them another serial',
    since: event?.at ?? history.longAgo,
    udids,
    evidence: event === undefined ? [] : [event.id],
  };
}

function twice(phone: PhoneInput, history: Phones): Finding[] {
  const attached = history.attached(phone);
  if (attached === undefined) return [];
  const [other = '', ...more] = phone.alsoAt ?? [];
  const others = more.length === 0 ? other : `${other} and ${more.length} more`;
  return [
    {
      code: 'ATTACHED_TWICE',
      severity: 'minor',
      ...aboutPhone(phone),
      title: `${phone.name} is attached at ${placeOf(phone)} and at ${others}`,
      remedy:
        'Run adb disconnect for the address on the network, or unplug the cable: tests by serial may take either',
      ...attached,
    },
  ];
}
