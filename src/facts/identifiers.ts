/** IMEI, MEID and ICCID, from `service call iphonesubinfo`, `dumpsys iphonesubinfo`, `dumpsys isub` and siminfo. */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BootFacts } from './boot.ts';
import { asIccid, asImei, isMeid, isWholeImei } from './identifier-form.ts';
import {
  type Card,
  cutIdentifierReplies,
  type IdentifierReplies,
  identifiersCommand,
} from './identifiers-command.ts';
import type { MobileFacts } from './mobile.ts';
import { parseParcelString } from './parcel.ts';
import { plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';
import { parseSimRows, type SimRow, simRowsCommand } from './siminfo.ts';

/** The identifiers of the phone and its SIMs in the mobile network. Personal: never in a log or metric. */
export interface CarrierIdentifiers {
  /** SIM slot, from 0. */
  slot: number;
  imei?: string;
  meid?: string;
  iccid?: string;
}

export interface IdentifiersFacts {
  /** By slot; slots without known identifiers are left out. */
  carriers: CarrierIdentifiers[];
}

/**
 * @param calls answer to `identifiersCommand`
 * @param dump answer of `dumpsys iphonesubinfo`: `Device ID = …` up to Android 4.4, empty since
 * @param rows answer of `content query --uri content://telephony/siminfo`
 * @throws {ParseError} when the answers contain neither a reply nor a refusal
 */
export function parseIdentifiers(calls: string, dump: string, rows: string): IdentifiersFacts {
  const replies = cutIdentifierReplies(calls);
  const plainDump = plainText(dump);
  const listed = parseSimRows(rows);
  const simRows = listed.filter(({ slot }) => slot >= 0);
  const slots = new Set([
    0,
    ...replies.slots.keys(),
    ...replies.cards.keys(),
    ...simRows.map(({ slot }) => slot),
  ]);
  const carriers = [...slots]
    .sort((one, other) => one - other)
    .map((slot) => ({
      slot,
      ...deviceIdOf(slot, replies, slot === 0 ? plainDump : ''),
      ...iccidOf(slot, replies, simRows),
    }));
  const own = withoutEchoes(carriers)
    .filter((carrier) => Object.keys(carrier).length > 1)
    .slice(0, MOST_CARRIERS);
  if (own.length === 0 && listed.length === 0 && !isAnswer(calls) && !isAnswer(dump))
    throw new ParseError('service call iphonesubinfo', calls || dump || rows);
  return { carriers: own };
}

/** Phones have two SIM slots, some have four; we drop the rest. */
const MOST_CARRIERS = 16;

/** A reply, a refusal, or the message that the service does not exist: no telephony. */
const isAnswer = (text: string): boolean =>
  /Result: Parcel\(|Phone Subscriber Info:|iphonesubinfo does not exist|Can't find service: iphonesubinfo/.test(
    text,
  );

/**
 * A CDMA phone answers for its slot with the MEID, for its SIM with the IMEI; any other answers with the IMEI for both (AOSP
 * GsmCdmaPhone.java, getDeviceId() and getImei()). So neither what a SIM's call answers is a MEID, nor what a GSM phone
 * answers. In API 21 the slot's answer is for the default SIM, and call 2 is more exact.
 *
 * @param dump of the phone in this slot
 */
function deviceIdOf(
  slot: number,
  { slots, cards }: IdentifierReplies,
  dump: string,
): Pick<CarrierIdentifiers, 'imei' | 'meid'> {
  const calls = cards.get(slot)?.replies;
  const dumped = /Device ID = (\w+)/.exec(dump)?.[1];
  const ofSim = textsOf(calls?.get(5), calls?.get(4));
  const ofPhone = [...textsOf(calls?.get(2), slots.get(slot)), ...(dumped === undefined ? [] : [dumped])];
  const isGsm = /Phone Type = GSM/.test(dump);
  const meids = isGsm ? [] : ofPhone.filter((text) => isMeid(text) && !ofSim.includes(text));
  const imeis = [...ofPhone.filter((text) => !meids.includes(text)), ...ofSim];
  return omitUndefined({
    imei: imeis.find(isWholeImei) ?? imeis.map(asImei).find((imei) => imei !== undefined),
    meid: meids[0],
  });
}

/**
 * The first complete ICCID that starts with the digits in `dumpsys isub`. One with letters counts only if there are such
 * digits.
 */
function iccidOf(slot: number, { cards }: IdentifierReplies, simRows: SimRow[]): { iccid?: string } {
  const card = cards.get(slot);
  const row = simRows.find((sim) => sim.slot === slot && (!card || card.subId === sim.subId));
  const call = cards.values().some((each) => iccidReply(each, 15)) ? 15 : 14;
  const shown = /^[\dA-F]*[\dA-E]/.exec(card?.shownIccid?.toUpperCase() ?? '')?.[0] ?? '';
  const iccid = [asIccid(card?.shownIccid), asIccid(row?.iccid), card && iccidReply(card, call)].find(
    (candidate) => candidate?.startsWith(shown) && (shown !== '' || /^\d+$/.test(candidate)),
  );
  return omitUndefined({ iccid });
}

/** Up to API 34 call 14 answers, from 36 on call 15; in 35 one of both, and then 14 may answer for the default SIM. */
const iccidReply = (card: Card, call: number): string | undefined => asIccid(textOf(card.replies.get(call)));

const textOf = (reply: string[] = []): string | undefined => parseParcelString(reply.join('\n'));

const textsOf = (...replies: (string[] | undefined)[]): string[] =>
  replies.map(textOf).filter((text) => text !== undefined);

/**
 * A missing slot answers for slot 0, so a repeated device id is an echo. A repeated ICCID belongs to the default SIM,
 * which may be either one.
 */
function withoutEchoes(carriers: CarrierIdentifiers[]): CarrierIdentifiers[] {
  const isEcho = (key: 'imei' | 'meid', index: number) =>
    carriers.slice(0, index).some((earlier) => earlier[key] === carriers[index]?.[key]);
  const isAmbiguous = (iccid: string | undefined) =>
    carriers.filter((carrier) => carrier.iccid === iccid).length > 1;
  return carriers.map(({ slot, imei, meid, iccid }, index) =>
    omitUndefined({
      slot,
      imei: isEcho('imei', index) ? undefined : imei,
      meid: isEcho('meid', index) ? undefined : meid,
      iccid: isAmbiguous(iccid) ? undefined : iccid,
    }),
  );
}

export const identifiers = {
  name: 'identifiers',
  isPersonal: true,
  cadence: 'boot',
  limitSeconds: 5,
  limitBytes: 96 * KIB,
  // separate commands, so that a provider that hangs does not block the calls
  commands: ({ telephonyIdentifiers }): Record<string, string> =>
    telephonyIdentifiers
      ? { calls: identifiersCommand, dump: 'dumpsys iphonesubinfo', rows: simRowsCommand }
      : {},
  parse: ({ calls, dump, rows }) => parseIdentifiers(calls ?? '', dump ?? '', rows ?? ''),
  // changes with another SIM, or the same one in another slot
  revision: ({ boot, mobile }: { boot?: BootFacts; mobile?: MobileFacts }) =>
    boot?.bootCompleted === undefined || mobile?.subscriptions === undefined
      ? undefined
      : JSON.stringify([mobile.subscriptions, boot.simState]),
} as const satisfies Section<IdentifiersFacts, { boot?: BootFacts; mobile?: MobileFacts }>;
