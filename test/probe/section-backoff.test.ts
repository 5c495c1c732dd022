import { describe, expect, it } from 'vitest';
import { SectionBackoff } from '../../src/probe/section-backoff.ts';

/** Whether a command that fails whenever it is asked is asked, round by round: `x` asked, `.` resting. */
function pattern(backoff: SectionBackoff, rounds: number): string {
  return Array.from({ length: rounds }, () => {
    backoff.nextRound();
    if (backoff.isResting('battery.dump')) return '.';
    backoff.failed('battery.dump');
    return 'x';
  }).join('');
}

describe('a command that hangs', () => {
  it('rests after two times, then each time twice as long, up to 64 rounds', () => {
    const rest = (rounds: number) => `${'.'.repeat(rounds)}x`;

    expect(pattern(new SectionBackoff(), 259)).toBe(
      `xx${[2, 4, 8, 16, 32, 64, 64].map(rest).join('')}${'.'.repeat(60)}`,
    );
  });

  it('does not rest after one time', () => {
    const backoff = new SectionBackoff();
    backoff.nextRound();
    backoff.failed('battery.dump');
    backoff.nextRound();

    expect(backoff.isResting('battery.dump')).toBe(false);
  });

  it('lets no other command rest', () => {
    const backoff = new SectionBackoff();
    pattern(backoff, 3);

    expect(backoff.isResting('battery.dump')).toBe(true);
    expect(backoff.isResting('memory.meminfo')).toBe(false);
  });

  it('has its failures forgotten once it answers, and with the boot', () => {
    const backoff = new SectionBackoff();
    pattern(backoff, 5);
    backoff.succeeded('battery.dump');
    expect(pattern(backoff, 5)).toBe('xx..x');
    backoff.clear();
    expect(pattern(backoff, 5)).toBe('xx..x');
  });
});
