// The link: age of the newest packet as a large number, warnings that explain themselves, and the facts behind them.

import { kPredicted } from '../core/layout';
import type { WarningKind } from '../link/messages';
import { packet_age_s, selected_robot, type RobotState, type Session } from '../state/session';
import { by_id, format_s, format_short, set_text } from './dom';

interface Warning {
  kind: WarningKind;
  text: string;
}

const kSeverity: Record<WarningKind, number> = { late: 1, stale: 2, down: 3 };
const kTitles: Record<WarningKind, string> = {
  late: 'Packets are late',
  stale: 'Old report',
  down: 'Link down',
};
const kTexts: Record<WarningKind, string> = {
  late: 'You see where the robot should be now, predicted from its last report.',
  stale: 'The last report is old. The longer this lasts, the larger the region in which the robot may be.',
  down: 'Nothing arrives from the robot. It may not hear you either: a stop waits until the link is back.',
};
const kLostProgram =
  'This page has lost the program that it came from and tries to reach it again. ' +
  'Nothing that you press gets through; the prediction goes on.';
const kStandsStill = 'The last report is more than two minutes old: the prediction has stopped and stands still.';
const kLinger_ms: Record<WarningKind, number> = { late: 1200, stale: 800, down: 0 }; // no flicker
const kSpeakEvery_ms = 8000;

// The worst of what the program says and what the page notices by itself; null: all is well.
export function worst_warning(session: Session, robot: RobotState | null): Warning | null {
  const found: Warning[] = [...(robot?.link?.warnings ?? [])];
  if (session.connection.kind !== 'open') {
    found.push({ kind: 'down', text: kLostProgram });
  }
  if (robot?.frame?.stale === true) {
    found.push({ kind: 'stale', text: kStandsStill });
  }
  return found.reduce<Warning | null>(
    (worst, warning) => (worst === null || kSeverity[warning.kind] > kSeverity[worst.kind] ? warning : worst),
    null,
  );
}

export class LinkPanel {
  private shown_: Warning | null = null;
  private shown_ms_ = 0;
  private spoken_ms_ = -Infinity;

  update(session: Session, local_ms: number): void {
    const robot = selected_robot(session);
    const age_s = robot === null ? null : packet_age_s(robot, local_ms);
    set_text(by_id('age-number'), age_s === null ? '–' : format_s(age_s));
    set_text(by_id('age-ago'), age_s === null ? 'none yet' : 's ago');
    this.update_warning(worst_warning(session, robot), local_ms);
    set_text(by_id('link-line'), robot === null ? '' : line_of(robot));
    set_text(by_id('world-name'), robot?.info.world ? `in ${robot.info.world}` : '');
    update_facts(session, robot);
    this.speak(robot, age_s, local_ms);
  }

  private update_warning(warning: Warning | null, local_ms: number): void {
    const milder = this.shown_ !== null && (warning === null || kSeverity[warning.kind] < kSeverity[this.shown_.kind]);
    if (milder && local_ms < this.shown_ms_ + kLinger_ms[this.shown_!.kind]) return;
    if (warning !== null) this.shown_ms_ = local_ms;
    this.shown_ = warning;
    document.body.dataset.link = warning?.kind ?? 'well';
    by_id('warning').hidden = warning === null;
    if (warning === null) return;
    set_text(by_id('warning-title'), kTitles[warning.kind]);
    set_text(by_id('warning-text'), warning.text || kTexts[warning.kind]);
  }

  // For those who listen: the numbers now and then, in words.
  private speak(robot: RobotState | null, age_s: number | null, local_ms: number): void {
    if (robot === null || age_s === null || local_ms < this.spoken_ms_ + kSpeakEvery_ms) return;
    this.spoken_ms_ = local_ms;
    set_text(by_id('spoken'), `${robot.info.name}: newest packet ${format_s(age_s)} seconds ago, ${line_of(robot)}`);
  }
}

function line_of({ link }: RobotState): string {
  if (link === null) return '';
  const parts = [];
  if (link.loss !== null) parts.push(`${Math.round(100 * link.loss)} % lost`);
  if (link.round_trip_s !== null) parts.push(format_short(link.round_trip_s));
  return parts.join(' · ');
}

function describe_task(robot: RobotState): string {
  const { report } = robot;
  if (report === null) return '–';
  if (report.motors !== 'on') return `motors ${report.motors}`;
  if (report.hand_driven) return 'driven by hand';
  if (report.task === 'waiting') return `waiting, ${report.remaining_wait.toFixed(0)} s when it reported`;
  return report.task;
}

function facts_of(session: Session, robot: RobotState): [string, string][] {
  const { link, frame, now } = robot;
  const offset = link?.clock_offset_s ?? null;
  const sigma = link?.clock_sigma_s ?? null;
  const loss = link?.loss ?? null;
  const round_trip = link?.round_trip_s ?? null;
  const error = now?.error ?? NaN;
  const in95 = now?.in95?.larger ?? NaN;
  return [
    ['lost packets', loss === null ? '–' : `${(100 * loss).toFixed(0)} %`],
    ['round trip', round_trip === null ? '–' : format_short(round_trip)],
    ['clock offset', offset === null ? '–' : `${format_short(offset)} ± ${sigma === null ? '?' : format_short(sigma)}`],
    ['speed, predicted', frame === null ? '–' : `${frame.predicted[kPredicted.speed]!.toFixed(2)} m/s`],
    [now?.truth != null ? 'off the truth' : 'off at last report', Number.isNaN(error) ? '–' : `${error.toFixed(2)} m`],
    ['95 % sure within', Number.isNaN(in95) ? '–' : `${in95.toFixed(2)} m`],
    ['task', describe_task(robot)],
    ['program', session.version || '–'],
  ];
}

function update_facts(session: Session, robot: RobotState | null): void {
  const list = by_id('facts');
  const facts = robot === null ? [] : facts_of(session, robot);
  while (list.children.length > 2 * facts.length) list.lastElementChild!.remove();
  facts.forEach(([name, value], i) => {
    for (const [at, tag, text] of [
      [2 * i, 'dt', name],
      [2 * i + 1, 'dd', value],
    ] as const) {
      const element = list.children[at] ?? list.appendChild(document.createElement(tag));
      set_text(element as HTMLElement, text);
    }
  });
}
