/** What happens on the stage of the demo: the tour; or a story, with its phones and their past. */
import { randomUUID } from 'node:crypto';
import type { Past, PastEvent, Reading } from './past.ts';
import type { SimulatedPhone } from './phone.ts';
import { recordings } from './phones/index.ts';
import { outputOf, type Recording } from './recording.ts';
import type { Stage } from './stage.ts';
import { phonesOf, type Story, StoryError, type StoryPhone } from './story.ts';

/** A phone of the story was plugged in so long before it began. */
const CAME_MS = 20 * 86_400_000;
const READING_MS = 5 * 60_000;
/** Phones of one hub go one after the other, ms. */
const GAP_MS = 40;
const BOOT_MS = 4000;

/**
 * The phones of the story: each with its own serial in all that it says.
 *
 * @throws {StoryError} no phone of the demo is like that
 */
export function recordingsOf({ phones }: Story): Recording[] {
  const usual = recordings.filter(({ state, devpath }) => state === 'device' && devpath);
  return phones.map(({ serial, port, like }, index) => {
    const isMeant = ({ title }: Recording) => title.toLowerCase().includes(like?.toLowerCase() ?? '');
    const found = like === undefined ? usual[index % usual.length] : usual.find(isMeant);
    if (found === undefined)
      throw new StoryError(
        `phones.${index}.like: the demo has no phone like ${like}; it has ${usual.map(({ title }) => title).join('; ')}`,
      );
    const answers = JSON.parse(JSON.stringify(found.answers).replaceAll(found.serial, serial));
    return { ...found, serial, devpath: port, answers };
  });
}

/** What was before the story; undefined for a phone that it does not have. */
export function pastOfStory({ phones, past }: Story, serial: string, startedAt: number): Past | undefined {
  const index = phones.findIndex((phone) => phone.serial === serial);
  if (index < 0) return undefined;
  const concerned = past.filter((each) =>
    each.do === 'note' ? each.on === serial : phonesOf(phones, each).some((phone) => phone.serial === serial),
  );
  const events = concerned.flatMap((each): PastEvent[] => {
    const at = startedAt - each.ago;
    if (each.do === 'note') return [{ at, kind: 'note', text: each.text, by: 'the story' }];
    if (each.do === 'readings') return [];
    const from = at + index * GAP_MS;
    return [
      { at: from, kind: 'detached' },
      { at: Math.min(from + each.for, startedAt - 1), kind: 'attached', state: 'device' },
    ];
  });
  const readings = concerned.flatMap((each): Reading[] =>
    each.do === 'readings' ? readingsOf(each, startedAt) : [],
  );
  const first = Math.min(startedAt - CAME_MS, ...events.map(({ at }) => at - 1));
  const came: PastEvent = { at: first, kind: 'attached', state: 'device' };
  return {
    events: [came, ...events.sort((one, other) => one.at - other.at)],
    readings: readings.sort((one, other) => one.at - other.at),
  };
}

function readingsOf(
  { ago, for: lasts, celsius, percent }: { ago: number; for: number; celsius: number; percent: number },
  startedAt: number,
): Reading[] {
  const count = Math.floor(Math.min(lasts, ago - 1) / READING_MS);
  return Array.from({ length: count }, (_, index) => ({
    at: startedAt - ago + index * READING_MS,
    levelPercent: percent,
    temperatureDecicelsius: Math.round(celsius * 10),
    isFull: percent === 100,
  }));
}

/** What a phone says of itself while the story lasts. */
class Body {
  readonly phone: SimulatedPhone;
  #bootId = randomUUID();
  #bootedAt = Date.now() - CAME_MS;
  celsius: number;
  percent: number;

  constructor(phone: SimulatedPhone, { celsius, percent }: StoryPhone) {
    this.phone = phone;
    this.celsius = celsius;
    this.percent = percent;
    phone.alter('boot.clock', () => {
      const up = ((Date.now() - this.#bootedAt) / 1000).toFixed(2);
      return outputOf([this.#bootId, `${up} ${up}`]).text;
    });
    phone.alter('battery.dump', (text) =>
      text
        .replace(/^( *status: )\d+$/m, `$1${this.percent === 100 ? 5 : 3}`)
        .replace(/^( *level: )\d+$/m, `$1${this.percent}`)
        .replace(/^( *temperature: )-?\d+$/m, `$1${Math.round(this.celsius * 10)}`),
    );
  }

  rebooted(): void {
    this.#bootId = randomUUID();
    this.#bootedAt = Date.now();
  }
}

/** @param note writes a note as a person does, on a phone or a place */
export function scenesOfStory(
  { phones, happenings }: Story,
  { adb, phones: simulated }: Pick<Stage, 'adb' | 'phones'>,
  note: (on: string, text: string) => void,
): Scene[] {
  const bodies = new Map<string, Body>();
  for (const [index, phone] of simulated.entries()) {
    const cast = phones[index];
    if (cast) bodies.set(cast.serial, new Body(phone, cast));
  }
  const unplug = ({ phone }: Body) => {
    if (adb.phones.includes(phone)) adb.unplug(phone.serial);
  };
  const plug = ({ phone }: Body) => {
    if (!adb.phones.includes(phone)) adb.plug(phone);
  };
  return happenings.map((each) => {
    const concerned = phonesOf(phones, each as Parameters<typeof phonesOf>[1]).flatMap(
      ({ serial }) => bodies.get(serial) ?? [],
    );
    const whom =
      'hub' in each && each.hub ? ` ${each.hub}` : 'phones' in each ? ` ${each.phones?.join(', ')}` : '';
    const play = () => {
      if (each.do === 'unplug' || each.do === 'hub off') concerned.forEach(unplug);
      else if (each.do === 'plug' || each.do === 'hub on') concerned.forEach(plug);
      else if (each.do === 'restart adb') adb.dropConnections();
      else if (each.do === 'note') note(each.on, each.text);
      else if (each.do === 'heat') for (const body of concerned) body.celsius = each.celsius;
      else if (each.do === 'battery') for (const body of concerned) body.percent = each.percent;
      else
        for (const body of concerned) {
          unplug(body);
          body.rebooted();
          setTimeout(() => plug(body), BOOT_MS).unref();
        }
    };
    let more = '';
    if (each.do === 'heat') more = ` to ${each.celsius} °C`;
    if (each.do === 'note') more = ` on ${each.on}: ${each.text}`;
    return { atSeconds: each.at / 1000, text: `${each.do}${whom}${more}`, play };
  });
}

/** An event, its time after the first report, and its text. */
export interface Scene {
  atSeconds: number;
  text: string;
  play(): void;
}

const REFUSAL = 'missing required capability: rack position';

/** The phone that comes late, and all events, as far as there are phones on USB for them. */
export function scenesOf({ adb, cloud, phones }: Stage): { latecomer: string | undefined; scenes: Scene[] } {
  const [first, second, third] = phones.filter(({ state, devpath }) => state === 'device' && devpath);
  const scenes: Scene[] = [];
  const at = (
    atSeconds: number,
    phone: SimulatedPhone | undefined,
    text: string,
    play: (serial: string) => void,
  ) => {
    const named = phone && `${phone.title} (${phone.serial})`;
    if (named) scenes.push({ atSeconds, text: text.replace('…', named), play: () => play(phone.serial) });
  };
  at(5, third, 'a phone is plugged in: …', () => third && adb.plug(third));
  at(10, second, 'the cloud starts to reject …', (serial) => cloud.refuse(serial, REFUSAL));
  at(18, first, 'a phone is unplugged: …', (serial) => adb.unplug(serial));
  at(24, second, 'the cloud accepts … again', (serial) => cloud.accept(serial));
  at(30, first, 'the phone is plugged back in: …', () => first && adb.plug(first));
  const text = 'the adb server drops all connections, as if it was killed and started again';
  scenes.push({ atSeconds: 36, text, play: () => adb.dropConnections() });
  return { latecomer: third?.serial, scenes };
}
