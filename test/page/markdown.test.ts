import { describe, expect, it } from 'vitest';
import { problemsAsMarkdown } from '../../src/status/page/markdown.ts';
import { sampleHost } from './sample-host.ts';

const now = new Date(2026, 10, 21, 14, 5, 7).getTime();

describe('the list of problems as Markdown', () => {
  it('has for each cause what to do, since when, and where', () => {
    const status = sampleHost({ phones: 14, now });
    expect(problemsAsMarkdown(status)).toBe(
      `## lab-07, 2026-11-21 14:05:07

2 of 14 phones need attention, 2 in maintenance.

- **OnePlus Nord CE 3 Lite 5G is hot**, since 13:59. Let the phone cool down: stop its tests, unplug it, and check whether its back bulges
  Where: rack 1, shelf 1, bay 5 (\`${status.phones[4]?.serial}\`)
- **Galaxy S23 waits for the USB debugging prompt**, since 13:45. Accept the USB debugging prompt on the phone
  Where: rack 1, shelf 1, bay 2 (\`${status.phones[1]?.serial}\`)
`,
    );
  });

  it('says so when there is none', () => {
    expect(problemsAsMarkdown(sampleHost({ hasTroubles: false, now }))).toContain('Nothing needs attention.');
  });

  it('lets no name become markup', () => {
    const status = sampleHost({ now });
    const [cause] = status.causes;
    if (cause) cause.title = '<b>*loud*</b> [link](x) `code` is hot';
    expect(problemsAsMarkdown(status)).toContain(
      '**\\<b\\>\\*loud\\*\\</b\\> \\[link\\](x) \\`code\\` is hot**',
    );
  });

  it.each(['https://evil.example/login', '@ops-team', 'www.evil.example'])(
    'lets no name become a link, or call somebody: %s',
    (name) => {
      const status = sampleHost({ now });
      const [cause] = status.causes;
      if (cause) cause.title = `${name} is unplugged`;
      expect(problemsAsMarkdown(status)).toContain(`**\`${name} is unplugged\`**`);
    },
  );
});
