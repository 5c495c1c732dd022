/** `hostnode inventory`: collects all phones once and prints them; --report also sends them to the cloud. */
import { isLoopback } from '../base/environment.ts';
import { exitCode } from '../base/exit-code.ts';
import { quantity } from '../base/words.ts';
import { createCloud } from '../daemon/host-parts.ts';
import { phonesOnUsb } from '../host/usb-sight.ts';
import { isToReport } from '../roster/device-changes.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { seenOf, survey } from './survey.ts';
import { CommandError, fail, say, sayError, sayJson } from './terminal.ts';
import { whyNoPhones } from './trouble.ts';

export type InventoryOptions = ConfigOptions<
  'json' | 'csv' | 'report' | 'explain' | 'showIdentifiers' | 'expect' | 'force',
  'capture' | 'writeExpected'
> & { serial?: string[] };

export async function inventory(options: InventoryOptions): Promise<void> {
  const { config, warnings } = await loadFor(options, { phonesOnly: !options.report });
  for (const warning of warnings) sayError(warning);
  const cloud = options.report ? await createCloud(config, process.env) : undefined;
  if (options.report && cloud === undefined)
    throw new CommandError(
      exitCode.config,
      config.notReporting ??
        'no cloud is configured; run hostnode config init, or set cloud.baseUrl, cloud.username and cloud.apiKeyFile (HOSTNODE_CLOUD_BASE_URL, HOSTNODE_CLOUD_USERNAME and HOSTNODE_CLOUD_API_KEY_FILE)',
    );
  const isListWanted = options.expect === true || options.writeExpected !== undefined;
  const lists = isListWanted ? await import('./expected.ts') : undefined;
  const { writeExpected = '-', force = false } = options;
  if (writeExpected !== '-') (await import('./output-files.ts')).mayWrite(writeExpected, force);
  const isInspected = options.explain === true || options.capture !== undefined;
  const explanations = options.explain ? await import('./inspect/explain.ts') : undefined;
  try {
    const found = await survey({
      config,
      ...(options.serial && { names: options.serial }),
      keepAnswers: isInspected,
    });
    const { body, encounters, unread, unknown, unfit } = found;
    for (const warning of found.warnings) sayError(warning);
    if (lists !== undefined) {
      if (options.expect) lists.compareExpected(encounters.map(seenOf), config, options.json);
      else await lists.writeExpected(encounters.map(seenOf), config, writeExpected, force);
    } else if (encounters.length === 0 && !options.json && !options.csv) {
      if (unknown.length === 0)
        say(whyNoPhones(found.listing, isLoopback(config.adb.host) ? phonesOnUsb() : undefined));
      if (options.capture !== undefined) process.exitCode = exitCode.failed;
    } else if (options.capture !== undefined) {
      const { captureAll } = await import('./inspect/capture.ts');
      if (!(await captureAll(encounters, options.capture, config))) process.exitCode = exitCode.failed;
    } else if (explanations) explanations.sayExplanations(encounters, options);
    else if (options.json) sayJson(body);
    else {
      const [{ deviceCsv, deviceTable }, { show }] = await Promise.all([
        import('./table.ts'),
        import('./columns.ts'),
      ]);
      if (options.csv) say(...deviceCsv(encounters));
      else show(deviceTable(encounters));
    }
    for (const { name, close } of unknown) {
      const isShown = close !== undefined && !isInspected; // it may be an identifier, which these outputs mask
      sayError(`no phone has the name ${name}${isShown ? `; did you mean ${close}?` : ''}`);
    }
    const masked = options.showIdentifiers ? undefined : explanations?.maskedSentence;
    const sayOf = (udid: string, sentence: string) =>
      sayError(masked?.(sentence, udid, encounters) ?? sentence);
    for (const [udid, error] of unread) sayOf(udid, `cannot collect ${udid}: ${error.message}`);
    if (unread.size > 0 || unknown.length > 0) process.exitCode = exitCode.failed;
    if (cloud && unfit !== undefined) {
      fail(unfit.mayPass ? exitCode.failed : exitCode.config, `${unfit.seen}. ${unfit.remedy}`);
    } else if (cloud && (options.serial === undefined || encounters.length > 0)) {
      const signal = new AbortController().signal;
      const ours = encounters.filter(({ device }) => isToReport(device)).map(({ info }) => info);
      const { failedDevices } = await cloud.delivery.putAll(body.nodeId, body.machine, ours, signal);
      for (const { udid, message } of failedDevices) sayOf(udid, `the cloud rejected ${udid}: ${message}`);
      if (failedDevices.length > 0) process.exitCode = exitCode.failed;
      const refused = new Set(failedDevices.map(({ udid }) => udid));
      const stored = ours.filter(({ udid }) => !refused.has(udid)).length;
      if (!options.json && !options.csv)
        say(`The cloud stored ${stored} of ${quantity(ours.length, 'phone')}.`);
    }
  } finally {
    cloud?.client.close();
  }
}
