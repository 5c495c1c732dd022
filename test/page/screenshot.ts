/** `npm run screenshot`: makes docs/status-page.png anew. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pictureOf } from './picture.ts';
import { Viewer } from './viewer.ts';

const viewer = await Viewer.start();
try {
  writeFileSync(
    fileURLToPath(new URL('../../docs/status-page.png', import.meta.url)),
    await pictureOf(viewer),
  );
} finally {
  await viewer.close();
}
