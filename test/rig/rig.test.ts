import { once } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { describeWithRig } from '../support/describe-with.ts';
import { Rig } from './rig.ts';
import { openOnPhone, runOnPhone } from './smart-socket.ts';

const android41 = 'htc-one-m7-4.1';
const android60 = 'lge-nexus-5-6.0';
const android81 = 'smartron-t5911-8.1';
const android15 = 'xiaomi-poco-f6-15';

/** One frame of the shell protocol as it arrives. */
const frame = (identity: number, text: string) =>
  Buffer.concat([Buffer.of(identity, text.length, 0, 0, 0), Buffer.from(text, 'latin1')]);

describeWithRig('the test rig: simulated phones at a real adb server', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.start();
    return () => rig[Symbol.asyncDispose]();
  });

  const run = async (serial: string, service: string) =>
    (await runOnPhone(rig.adb.port, serial, service)).toString();

  it('a phone is listed with the names of its banner', async () => {
    const phone = await rig.attach(android15);

    const line = (await rig.adb.ask('host:devices-l')).trimEnd();

    expect(line.split(/\s+/)).toEqual([
      phone.serial,
      'device',
      'product:peridot_in',
      'model:24069PC21I',
      'device:peridot',
      'transport_id:1',
    ]);
  });

  it('a phone whose banner is made of lines of others is one phone, and takes nothing of theirs', async () => {
    const forged = 'foo\rEVILGHOST device 1-7\rRIG00001 device usb 1-9\n';
    const victim = await rig.attach(android15);
    const line = `${victim.serial.replace(':', ' ')} device usb 1-9 transport_id 1`; // adb cuts at a colon
    const says = { product: forged + line + forged.repeat(2_000), device: `${line}\r${line} transport_id` };
    const hostile = await rig.attach(android81, says);
    const adb = new AdbkitAdb({ host: rig.adb.host, port: rig.adb.port, requestTimeoutMs: 10_000 });

    const devices = await adb.listDevices();

    expect((await rig.adb.ask('host:devices-l')).split('\r').length).toBeGreaterThan(200); // of five digits of length it reads four
    expect(
      devices.map(({ serial, state, devpath, transportId }) => [serial, state, devpath, transportId]),
    ).toEqual(
      [
        [victim.serial, 'device', undefined, 1],
        [hostile.serial, 'device', undefined, 2],
      ].sort(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1)),
    );
    expect(JSON.stringify(devices).length).toBeLessThan(1_000);
    expect(adb.doubts).toEqual([]);
  });

  it('phones whose banners make the list too long for adb cost nobody else its place in it', async () => {
    const victim = await rig.attach(android15);
    const adb = new AdbkitAdb({ host: rig.adb.host, port: rig.adb.port, requestTimeoutMs: 10_000 });
    expect(await adb.listDevices()).toHaveLength(1);
    for (const sign of ['x', 'y']) await rig.attach(android81, { product: sign.repeat(700_000) });

    const devices = await adb.listDevices();

    expect(devices).toHaveLength(3);
    expect(devices).toContainEqual({ serial: victim.serial, state: 'device' });
    expect(adb.doubts).toHaveLength(1);
  });

  it('a phone tells its features, and an old phone has none', async () => {
    const young = await rig.attach(android15);
    const old = await rig.attach(android41);

    const features = await rig.adb.ask(`host-serial:${young.serial}:features`);

    expect(features.split(',').sort()).toEqual(['cmd', 'shell_v2', 'stat_v2']);
    expect(await rig.adb.ask(`host-serial:${old.serial}:features`)).toBe('');
  });

  it('shell,v2 keeps stderr apart and brings the exit code', async () => {
    const phone = await rig.attach(android15);

    const answer = await runOnPhone(rig.adb.port, phone.serial, 'shell,v2,raw:echo out; echo no >&2; exit 7');

    // the two outputs may arrive in either order
    expect([
      Buffer.concat([frame(1, 'out\n'), frame(2, 'no\n'), frame(3, '\x07')]),
      Buffer.concat([frame(2, 'no\n'), frame(1, 'out\n'), frame(3, '\x07')]),
    ]).toContainEqual(answer);
  });

  it('exec: merges both outputs and leaves line ends alone', async () => {
    const phone = await rig.attach(android81);

    expect(await run(phone.serial, 'exec:echo out; echo no >&2')).toBe('out\nno\n');
  });

  it('Android 4.1 has shell: with a pty, and neither exec: nor shell,v2', async () => {
    const phone = await rig.attach(android41);

    expect(await run(phone.serial, 'shell:echo one; echo two')).toBe('one\r\ntwo\r\n');
    await expect(run(phone.serial, 'exec:echo one')).rejects.toThrow('closed');
    await expect(run(phone.serial, 'shell,v2,raw:echo one')).rejects.toThrow('closed');
  });

  it('Android 4.1 has only the old toolbox', async () => {
    const phone = await rig.attach(android41);

    const asked =
      'for c in cat grep dumpsys wm head cut printf timeout stat toybox nc; do command -v $c; done';

    expect((await run(phone.serial, `shell:${asked}`)).split('\r\n')).toEqual([
      '/system/bin/cat',
      '/system/bin/grep',
      '/system/bin/dumpsys',
      '',
    ]);
  });

  it('Android 6 has exec: and toybox, but no shell,v2 and no cmd', async () => {
    const phone = await rig.attach(android60);

    expect(await run(phone.serial, 'shell:echo one')).toBe('one\r\n');
    expect(
      await run(phone.serial, 'exec:toybox stat -f -c "%S %b" /etc >/dev/null && echo one | head -1'),
    ).toBe('one\n');
    expect(await run(phone.serial, 'exec:cmd package')).toContain('cmd: inaccessible or not found');
    await expect(run(phone.serial, 'shell,v2,raw:echo one')).rejects.toThrow('closed');
  });

  it('Android 8.1 has nc inside toybox only, Android 15 among its commands', async () => {
    const older = await rig.attach(android81);
    const newer = await rig.attach(android15);

    expect(await run(older.serial, 'exec:nc -w 3 h 80')).toContain('not found');
    expect(await run(older.serial, 'exec:echo | toybox nc -w 3 h 80')).toMatch(/^HTTP\/1\.1 204 /);
    expect(await run(newer.serial, 'exec:echo | nc -w 3 h 80')).toMatch(/^HTTP\/1\.1 204 /);
  });

  it('a phone reads its own /proc and its own properties', async () => {
    const phone = await rig.attach(android81);

    expect(
      await run(phone.serial, 'exec:cat /proc/uptime; getprop ro.product.model; getprop no.such x'),
    ).toBe('213.46 1129.18\nT5911\nx\n');
    await phone.shell.setProperty('sys.boot_completed', '');
    expect(await run(phone.serial, 'exec:getprop | grep boot_completed')).toBe('[sys.boot_completed]: []\n');
  });

  it('a service that was not recorded is missing as on a phone, with exit code 0', async () => {
    const phone = await rig.attach(android81);

    expect(await run(phone.serial, 'exec:dumpsys nosuch; echo $?')).toBe("Can't find service: nosuch\n0\n");
  });

  it('a recorded command can be made to fail, to print rubbish and to be missing', async () => {
    const phone = await rig.attach(android81);

    await phone.shell.record({ command: 'dumpsys battery', stderr: 'oh no\n', exitCode: 5 });
    expect(await run(phone.serial, 'exec:dumpsys battery; echo $?')).toBe('oh no\n5\n');

    const rubbish = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await phone.shell.record({ command: 'dumpsys battery', stdout: rubbish });
    expect(await runOnPhone(rig.adb.port, phone.serial, 'exec:dumpsys battery')).toEqual(
      Buffer.from(rubbish),
    );

    await phone.shell.remove('dumpsys');
    expect(await run(phone.serial, 'exec:dumpsys battery; echo $?')).toMatch(/dumpsys.*not found\n127\n$/);
  });

  it('an answer of many packets arrives whole', async () => {
    const phone = await rig.attach(android41);
    const text = 'All work and no play makes adb a dull bridge.\n'.repeat(20_000);
    await phone.shell.putFile('/data/long', text);

    expect(await run(phone.serial, 'shell:cat /data/long')).toBe(text.replaceAll('\n', '\r\n'));
  });

  it('a phone that trusts nobody is listed as unauthorized', async () => {
    const phone = await rig.switchOn(android15);
    phone.adbd.distrustful = true;

    await rig.adb.connect(phone.adbd.port);

    expect(await rig.adb.ask('host:devices')).toBe(`${phone.serial}\tunauthorized\n`);
  });

  it('a hung command runs on when the caller of exec: goes, until the phone is disposed', async () => {
    const phone = await rig.attach(android81);
    await phone.shell.record({ command: 'dumpsys battery', stdout: 'AC powered', hangs: true });
    const socket = await openOnPhone(rig.adb.port, phone.serial, 'exec:dumpsys battery; echo after');
    await once(socket, 'readable');
    await expect.poll(() => phone.shell.pids()).toHaveLength(3); // the shell, the script and its child
    const running = phone.shell.pids();

    const closed = once(phone.adbd, 'close');
    socket.destroy();
    await closed;

    expect(socket.read()).toEqual(Buffer.from('AC powered'));
    expect(phone.shell.pids()).toEqual(running);
    await phone[Symbol.asyncDispose]();
    expect(phone.shell.pids()).toEqual([]);
  });

  it('shell,v2 hangs up on the shell, which takes its foreground along and nothing more', async () => {
    const phone = await rig.attach(android15);
    await phone.shell.record({ command: 'dumpsys battery', stdout: 'AC powered', hangs: true });
    const socket = await openOnPhone(rig.adb.port, phone.serial, 'shell,v2,raw:dumpsys battery; echo after');
    await once(socket, 'readable');
    await expect.poll(() => phone.shell.pids()).toHaveLength(3);
    const [, , grandchild] = phone.shell.pids();

    socket.destroy();

    // mksh hangs up on its foreground job and lingers for a second
    await expect.poll(() => phone.shell.pids()).toEqual([grandchild]);
  });

  it('a connection that drops half-way leaves the first half', async () => {
    const phone = await rig.attach(android15);
    phone.adbd.dropAfter(10);

    expect(await run(phone.serial, 'exec:dumpsys battery')).toBe('Current Ba');
  });

  it('an unplugged phone is listed no more, and again when it is plugged in', async () => {
    const phone = await rig.attach(android15);

    await rig.unplug(phone);
    expect(await rig.adb.ask('host:devices')).toBe('');

    await rig.plug(phone);
    expect(await rig.adb.ask('host:devices')).toBe(`${phone.serial}\tdevice\n`);
  });

  it('a server that was killed comes back on its port and has forgotten its phones', async () => {
    await rig.attach(android15);

    await rig.adb.restart();

    expect(await rig.adb.ask('host:devices')).toBe('');
  });

  it('a service string of more than 4096 bytes to a phone before Android 7 aborts the adb server', async () => {
    const phone = await rig.attach(android41);

    expect(await run(phone.serial, `shell:echo ${'x'.repeat(4000)}`)).toBe(`${'x'.repeat(4000)}\r\n`);
    await expect(run(phone.serial, `shell:echo ${'x'.repeat(5000)}`)).rejects.toThrow('hung up');

    await rig.adb.ended();
    expect(rig.adb.log).toMatch(/Check failed: .*data_length/);
  });

  it('twenty phones answer at once', async () => {
    const phones = await Promise.all(Array.from({ length: 20 }, () => rig.attach(android15)));

    const answers = await Promise.all(
      phones.map(({ serial }) => run(serial, 'exec:getprop ro.product.model')),
    );

    expect(answers).toEqual(phones.map(() => '24069PC21I\n'));
  });
});
