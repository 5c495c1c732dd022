/** Times on the page: short text, exact time as tooltip. */
import { useTime } from './clock.ts';
import { duration, exactly, moment, timeOfDay } from './words.ts';

interface Props {
  at: number;
}

/** `12 s ago`. */
export function Ago({ at }: Props) {
  return <Moment at={at} text={useTime((now) => `${duration(now - at)} ago`)} />;
}

/** `3 min`: how old it is. */
export function Age({ at }: Props) {
  return <Moment at={at} text={useTime((now) => duration(now - at))} />;
}

/** `14:02`, `Tue 14:02`. */
export function At({ at }: Props) {
  return <Moment at={at} text={useTime((now) => moment(at, now))} />;
}

/** `14:02:11`, below the name of its day. */
export const TimeOfDay = ({ at }: Props) => <Moment at={at} text={timeOfDay(at)} />;

function Moment({ at, text }: Props & { text: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactly(at)}>
      {text}
    </time>
  );
}
