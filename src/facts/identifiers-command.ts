/**
 * The command that collects a phone's identifiers, and its answer. It calls `iphonesubinfo`, whose call numbers and
 * arguments depend on the Android version.
 *
 * Source: AOSP IPhoneSubInfo.aidl of each release, opt/telephony PhoneSubInfoController.java. P is `s16` and the
 * caller's package; slots count from 0.
 *
 * | API   | device id of a slot | IMEI of a SIM    | ICCID of a SIM                                         |
 * |-------|---------------------|------------------|--------------------------------------------------------|
 * | ≤ 20  | `1` (of the phone)  |                  |                                                        |
 * | 21    | `1` (of the phone)  | `2 i32 SUB i32 0`, a long: the device id | in `dumpsys isub`              |
 * | 22    | `3 i32 SLOT`        | `4 i32 SUB`      | in `dumpsys isub`                                      |
 * | 23    | `3 i32 SLOT`        | `4 i32 SUB P`    | in `dumpsys isub`                                      |
 * | 24–29 | `3 i32 SLOT P`      | `4 i32 SUB P`    | in `content://telephony/siminfo`                       |
 * | 30–34 | `4 i32 SLOT P`      | `5 i32 SUB P`    | `14 i32 SUB P`                                         |
 * | 35    | `4 i32 SLOT P`      | `5 i32 SUB P`    | `15 i32 SUB P` from its second quarterly release on, before it `14 …` |
 * | 36    | `4 i32 SLOT P`      | `5 i32 SUB P`    | `15 i32 SUB P`                                         |
 *
 * Android answers for slot 0 if a slot or SIM does not exist, so we request only the phones of the registry and the
 * SIMs of `dumpsys isub`. We never call a number above 15: from 20 on some calls change settings.
 */
import { plainText } from './phone-text.ts';
import { type ListedSubscription, parseSubscription } from './subscriptions.ts';

/**
 * Prints `slot N` and the reply for each slot. Then, for each SIM, its row of `dumpsys isub`, and `call N` with the
 * reply for each call. The package must be the caller's own; from Android 13 on this is checked for root too.
 */
export const identifiersCommand = [
  's=$(getprop ro.build.version.sdk);c="service call iphonesubinfo";p="s16 com.android.shell"',
  '[ $s -gt 32 ]&&[ "$(id -u)" = 0 ]&&p="s16 root"',
  'q=$p;a=3;k=4',
  'case $s in 21)k=2 q="i32 0";;22)p= q=;;23)p=;;3[0-4])a=4 k="5 14";;35)a=4 k="5 15 14";;[34]?)a=4 k="5 15";;esac',
  'if [ $s -gt 21 ];then n=$(dumpsys telephony.registry|grep -c "^ *Phone Id=.$");i=0',
  'while echo slot $i;$c $a i32 $i $p;i=$((i+1));[ $i -lt $n ];do :;done;else echo slot 0;$c 1;fi',
  'dumpsys isub|grep -oE "^ *(A(ll|.* DB)|[{[].*Slot(Index|Id)=[0-9]+)"|while read -r l;do case $l in A*)break;;esac',
  `echo "$l";l=\${l#*d=};for f in $k;do echo call $f;$c $f i32 \${l%%[, ]*} $q;done;done`,
].join(';');

/** The lines printed for each number. */
type Replies = Map<number, string[]>;

/** A SIM and the replies about it, by the number of the call. */
export interface Card extends ListedSubscription {
  replies: Replies;
}

export interface IdentifierReplies {
  /** The replies about the device ids, by slot. */
  slots: Replies;
  /** The SIMs, by slot. */
  cards: Map<number, Card>;
}

/** Splits the answer to `identifiersCommand`. */
export function cutIdentifierReplies(answer: string): IdentifierReplies {
  const slots: Replies = new Map();
  const cards = new Map<number, Card>();
  let calls: Replies = new Map();
  let reply: string[] = [];
  for (const line of plainText(answer).split('\n')) {
    const [, subject, number] = /^(slot|call) (\d{1,2}) *$/.exec(line) ?? [];
    const subscription = parseSubscription(line);
    if (subscription) {
      calls = new Map();
      if (!cards.has(subscription.slot)) cards.set(subscription.slot, { ...subscription, replies: calls });
    } else if (number === undefined) {
      reply.push(line);
    } else {
      reply = [];
      (subject === 'slot' ? slots : calls).set(Number(number), reply);
    }
  }
  return { slots, cards };
}
