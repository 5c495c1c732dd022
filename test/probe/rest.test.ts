import { describe, expect, it } from 'vitest';
import { Rests } from '../../src/probe/rest.ts';

/** Whether a command that fails whenever it is asked is asked, round by round: `x` asked, `.` resting. */
function pattern(rests: Rests, rounds: number): string {
  return Array.from({ length: rounds }, () => {
    rests.nextRound();
    if (rests.isResting('battery.dump')) return '.';
    rests.failed('battery.dump');
    return 'x';
  }).join('');
}

describe('a command that hangs', () => {
  it('rests after two times, then each time twice as long, up to 64 rounds', () => {
    const rest = (rounds: number) => `${'.'.repeat(rounds)}x`;

    expect(pattern(new Rests(), 259)).toBe(
      `xx${[2, 4, 8, 16, 32, 64, 64].map(rest).join('')}${'.'.repeat(60)}`,
    );
  });

  it('does not rest after one time', () => {
    const rests = new Rests();
    rests.nextRound();
    rests.failed('battery.dump');
    rests.nextRound();

    expect(rests.isResting('battery.dump')).toBe(false);
  });

  it('lets no other command rest', () => {
    const rests = new Rests();
    pattern(rests, 3);

    expect(rests.isResting('battery.dump')).toBe(true);
    expect(rests.isResting('memory.meminfo')).toBe(false);
  });

  it('has its failures forgotten once it answers, and with the boot', () => {
    const rests = new Rests();
    pattern(rests, 5);
    rests.succeeded('battery.dump');
    expect(pattern(rests, 5)).toBe('xx..x');
    rests.clear();
    expect(pattern(rests, 5)).toBe('xx..x');
  });
});
