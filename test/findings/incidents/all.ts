/** All incidents and months: one line for each file of them. */
import { months as atHome } from './months/at-home.ts';
import { atLength } from './months/at-length.ts';
import { months as atWork } from './months/at-work.ts';
import { byMachine } from './months/by-machine.ts';
import { byPrograms } from './months/by-programs.ts';
import { months as calm } from './months/calm.ts';
import { months as chance } from './months/chance.ts';
import { drivenByScripts } from './months/driven-by-scripts.ts';
import { fewAndMany } from './months/few-and-many.ts';
import { months as habits } from './months/habits.ts';
import { inManyHands } from './months/in-many-hands.ts';
import { inRacks } from './months/in-racks.ts';
import { labsPlain } from './months/labs-plain.ts';
import { months as lively } from './months/lively.ts';
import { oddHours } from './months/odd-hours.ts';
import { ordinary } from './months/ordinary.ts';
import { overAirPlain } from './months/over-air-plain.ts';
import { overNetwork } from './months/over-network.ts';
import { peoplePlain } from './months/people-plain.ts';
import { programsPlain } from './months/programs-plain.ts';
import { months as schedules } from './months/schedules.ts';
import { smallHosts } from './months/small-hosts.ts';
import type { Incident, QuietMonth } from './story.ts';
import { incidents as abroad } from './told/abroad.ts';
import { incidents as abroadLate } from './told/abroad-late.ts';
import { incidents as aloneOnUsb } from './told/alone-on-usb.ts';
import { incidents as alwaysOn } from './told/always-on.ts';
import { incidents as answers } from './told/answers.ts';
import { incidents as appMakers } from './told/app-makers.ts';
import { incidents as askedInForums } from './told/asked-in-forums.ts';
import { incidents as benches } from './told/benches.ts';
import { beyondCables } from './told/beyond-cables.ts';
import { incidents as boards } from './told/boards.ts';
import { incidents as bridges } from './told/bridges.ts';
import { brokeOverWeeks } from './told/broke-over-weeks.ts';
import { incidents as cables } from './told/cables.ts';
import { incidents as cablesLate } from './told/cables-late.ts';
import { chargeAndHeat } from './told/charge-and-heat.ts';
import { incidents as ciOfLate } from './told/ci-of-late.ts';
import { incidents as containers } from './told/containers.ts';
import { incidents as desks } from './told/desks.ts';
import { incidents as deviceBots } from './told/device-bots.ts';
import { incidents as deviceLabs } from './told/device-labs.ts';
import { incidents as devicesLate } from './told/devices-late.ts';
import { incidents as drops } from './told/drops.ts';
import { incidents as elsewhere } from './told/elsewhere.ts';
import { farmThreads } from './told/farm-threads.ts';
import { incidents as farms } from './told/farms.ts';
import { incidents as firstSuspicions } from './told/first-suspicions.ts';
import { flakyRuns } from './told/flaky-runs.ts';
import { incidents as handhelds } from './told/handhelds.ts';
import { hobbyPosts } from './told/hobby-posts.ts';
import { incidents as homes } from './told/homes.ts';
import { incidents as hostSide } from './told/host-side.ts';
import { incidents as hostsBeneath } from './told/hosts-beneath.ts';
import { incidents as hostsMore } from './told/hosts-more.ts';
import { incidents as hostsOfLate } from './told/hosts-of-late.ts';
import { infraTickets } from './told/infra-tickets.ts';
import { incidents as kernels } from './told/kernels.ts';
import { incidents as kiosks } from './told/kiosks.ts';
import { labStories } from './told/lab-stories.ts';
import { labTickets } from './told/lab-tickets.ts';
import { incidents as labsLate } from './told/labs-late.ts';
import { incidents as labsMore } from './told/labs-more.ts';
import { labsOfOwners } from './told/labs-of-owners.ts';
import { incidents as machines } from './told/machines.ts';
import { incidents as makersForums } from './told/makers-forums.ts';
import { incidents as manyAtOnce } from './told/many-at-once.ts';
import { incidents as mods } from './told/mods.ts';
import { incidents as notPhones } from './told/not-phones.ts';
import { oddDevices } from './told/odd-devices.ts';
import { openLabs } from './told/open-labs.ts';
import { incidents as outOfReach } from './told/out-of-reach.ts';
import { incidents as overTheAir } from './told/over-the-air.ts';
import { ownersQuestions } from './told/owners-questions.ts';
import { incidents as passedThrough } from './told/passed-through.ts';
import { phoneMakers } from './told/phone-makers.ts';
import { incidents as phoneServers } from './told/phone-servers.ts';
import { incidents as phonesLate } from './told/phones-late.ts';
import { incidents as phonesMore } from './told/phones-more.ts';
import { plainSymptoms } from './told/plain-symptoms.ts';
import { postsFromAsia } from './told/posts-from-asia.ts';
import { incidents as power } from './told/power.ts';
import { incidents as programs } from './told/programs.ts';
import { incidents as projectLabs } from './told/project-labs.ts';
import { proxiesAndPower } from './told/proxies-and-power.ts';
import { incidents as quarantined } from './told/quarantined.ts';
import { incidents as questions } from './told/questions.ts';
import { incidents as questionsLate } from './told/questions-late.ts';
import { incidents as racks } from './told/racks.ts';
import { incidents as restarts } from './told/restarts.ts';
import { incidents as rolling } from './told/rolling.ts';
import { saidInPassing } from './told/said-in-passing.ts';
import { secondHand } from './told/second-hand.ts';
import { incidents as serversAndLinks } from './told/servers-and-links.ts';
import { incidents as sharedFleets } from './told/shared-fleets.ts';
import { incidents as singles } from './told/singles.ts';
import { incidents as surroundings } from './told/surroundings.ts';
import { incidents as symptoms } from './told/symptoms.ts';
import { incidents as terminals } from './told/terminals.ts';
import { incidents as testRuns } from './told/test-runs.ts';
import { incidents as threads } from './told/threads.ts';
import { incidents as tongues } from './told/tongues.ts';
import { incidents as tonguesLate } from './told/tongues-late.ts';
import { incidents as toolsOfFarms } from './told/tools-of-farms.ts';
import { trackersLate } from './told/trackers-late.ts';
import { unluckyDays } from './told/unlucky-days.ts';
import { usbThreads } from './told/usb-threads.ts';
import { incidents as vendors } from './told/vendors.ts';
import { incidents as wideWorld } from './told/wide-world.ts';
import { incidents as wireless } from './told/wireless.ts';
import { incidents as wornDevices } from './told/worn-devices.ts';

export const incidents: readonly Incident[] = [
  ...deviceLabs,
  ...farms,
  ...desks,
  ...power,
  ...cables,
  ...wireless,
  ...racks,
  ...programs,
  ...homes,
  ...machines,
  ...boards,
  ...hostsMore,
  ...phonesMore,
  ...labsMore,
  ...containers,
  ...threads,
  ...benches,
  ...handhelds,
  ...singles,
  ...surroundings,
  ...labsLate,
  ...phonesLate,
  ...elsewhere,
  ...symptoms,
  ...questions,
  ...abroad,
  ...firstSuspicions,
  ...testRuns,
  ...cablesLate,
  ...overTheAir,
  ...hostSide,
  ...abroadLate,
  ...alwaysOn,
  ...outOfReach,
  ...quarantined,
  ...restarts,
  ...drops,
  ...aloneOnUsb,
  ...serversAndLinks,
  ...wornDevices,
  ...sharedFleets,
  ...deviceBots,
  ...toolsOfFarms,
  ...notPhones,
  ...askedInForums,
  ...bridges,
  ...mods,
  ...kiosks,
  ...kernels,
  ...tongues,
  ...answers,
  ...vendors,
  ...projectLabs,
  ...passedThrough,
  ...wideWorld,
  ...hostsOfLate,
  ...ciOfLate,
  ...makersForums,
  ...manyAtOnce,
  ...appMakers,
  ...hostsBeneath,
  ...phoneServers,
  ...questionsLate,
  ...devicesLate,
  ...tonguesLate,
  ...rolling,
  ...terminals,
  ...labsOfOwners,
  ...ownersQuestions,
  ...chargeAndHeat,
  ...hobbyPosts,
  ...trackersLate,
  ...flakyRuns,
  ...farmThreads,
  ...usbThreads,
  ...phoneMakers,
  ...oddDevices,
  ...labStories,
  ...labTickets,
  ...postsFromAsia,
  ...openLabs,
  ...proxiesAndPower,
  ...secondHand,
  ...plainSymptoms,
  ...beyondCables,
  ...unluckyDays,
  ...saidInPassing,
  ...infraTickets,
  ...brokeOverWeeks,
];
export const months: readonly QuietMonth[] = [
  ...calm,
  ...lively,
  ...schedules,
  ...chance,
  ...habits,
  ...atHome,
  ...atWork,
  ...atLength,
  ...byMachine,
  ...overNetwork,
  ...inRacks,
  ...smallHosts,
  ...labsPlain,
  ...byPrograms,
  ...programsPlain,
  ...peoplePlain,
  ...overAirPlain,
  ...ordinary,
  ...drivenByScripts,
  ...inManyHands,
  ...oddHours,
  ...fewAndMany,
];
