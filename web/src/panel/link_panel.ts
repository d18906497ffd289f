// The link: age of the newest packet as a large number, warnings that explain themselves, and the facts behind them.

import type { Link, WarningKind } from '../link/messages';
import type { FoundResponse, Report } from '../link/protocol';
import type { Moment } from '../state/history';
import { describe_seen } from '../state/seen';
import { packet_age_s, selected_robot, type RobotState, type Session } from '../state/session';
import type { Picture } from '../view/picture';
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
const kAdvice: Record<WarningKind, string> = {
  late: 'What you press takes effect later, too: leave the robot room.',
  stale: 'Go by the blue robot and the region around it; send goals rather than drive by hand.',
  down: 'What you press may not arrive. STOP is sent again and again until the robot confirms it.',
};
const kRecorded = 'This is how it was when it was recorded.';
const kWatch = 'Nothing to do here: as soon as a report arrives, the picture follows it.';
const kBlackout = 'You have switched the network off. “End the blackout” brings it back.';
const kLostProgram = 'This page has lost the program that it came from and tries to reach it again.';
const kGoesOn = 'The prediction goes on.';
const kLostAdvice = 'Nothing that you press gets through. If this lasts, look whether the program still runs.';
const kStandsStill = 'The last report is more than two minutes old: the prediction has stopped and stands still.';
const kLinger_ms: Record<WarningKind, number> = { late: 1200, stale: 800, down: 0 }; // no flicker

// The worst of what the program says and what the page notices by itself; null: all is well.
export function worst_warning(session: Session, robot: RobotState | null): Warning | null {
  const found: Warning[] = [...(robot?.link?.warnings ?? [])];
  const stands_still = robot?.frame?.stale === true;
  if (session.connection.kind !== 'open') {
    found.push({ kind: 'down', text: stands_still ? kLostProgram : `${kLostProgram} ${kGoesOn}` });
  }
  if (stands_still) found.push({ kind: 'stale', text: kStandsStill });
  const worst = found.reduce<Warning | null>(
    (worse, warning) => (worse === null || kSeverity[warning.kind] > kSeverity[worse.kind] ? warning : worse),
    null,
  );
  if (worst?.kind !== 'down' || !stands_still) return worst;
  return { kind: 'down', text: `${worst.text || kTexts.down} ${kStandsStill}` };
}

// What to do about it.
export function advice_for(session: Session, kind: WarningKind): string {
  if (session.connection.kind !== 'open') return kLostAdvice;
  if (session.mode === 'demo' && session.demo?.blackout === true) return kBlackout;
  if (session.mode === 'replay') return kRecorded;
  return session.mode === 'watch' ? kWatch : kAdvice[kind];
}

export class LinkPanel {
  private shown_: Warning | null = null;
  private shown_ms_ = 0;

  // The header tells of now, also when the picture and the facts are of the past.
  update(session: Session, picture: Picture, local_ms: number, page_ms: number): void {
    const robot = selected_robot(session);
    const age_s = robot === null ? null : packet_age_s(robot, page_ms);
    set_text(by_id('age-number'), age_s === null ? '–' : format_s(age_s));
    set_text(by_id('age-ago'), age_s === null ? 'none yet' : 's ago');
    this.update_warning(session, worst_warning(session, robot), local_ms);
    set_text(by_id('link-line'), robot === null ? '' : line_of(session, robot));
    set_text(by_id('world-name'), robot?.info.world ? `in ${robot.info.world}` : '');
    update_facts(session, picture);
  }

  private update_warning(session: Session, warning: Warning | null, local_ms: number): void {
    const milder = this.shown_ !== null && (warning === null || kSeverity[warning.kind] < kSeverity[this.shown_.kind]);
    if (milder && local_ms < this.shown_ms_ + kLinger_ms[this.shown_!.kind]) return;
    if (warning !== null) this.shown_ms_ = local_ms;
    // for those who listen: that it is over. That it began is an alert.
    if (this.shown_?.kind === 'down' && warning?.kind !== 'down') set_text(by_id('spoken'), 'The link is back.');
    if (warning?.kind === 'down') set_text(by_id('spoken'), '');
    this.shown_ = warning;
    document.body.dataset.link = warning?.kind ?? 'well';
    by_id('warning').hidden = warning === null;
    if (warning === null) return;
    set_text(by_id('warning-title'), kTitles[warning.kind]);
    set_text(by_id('warning-text'), warning.text || kTexts[warning.kind]);
    set_text(by_id('warning-advice'), advice_for(session, warning.kind));
  }
}

const is_down = (link: Link): boolean => link.warnings.some(({ kind }) => kind === 'down');

function line_of({ connection }: Session, { link }: RobotState): string {
  // what it said last would read as if it said so now
  if (connection.kind !== 'open') return 'no program';
  if (link === null) return '';
  // the share that was lost while something still came would read as if something did
  if (is_down(link)) return 'nothing arrives';
  const parts = [];
  if (link.loss !== null) parts.push(`${Math.round(100 * link.loss)} % lost`);
  if (link.round_trip_s !== null) parts.push(format_short(link.round_trip_s));
  return parts.join(' · ');
}

function describe_task(report: Report | null): string {
  if (report === null) return '–';
  if (report.motors !== 'on') return `motors ${report.motors}`;
  if (report.hindrance?.contact != null) return 'in contact';
  if (report.hindrance?.held_back != null) return 'held back';
  if (report.hand_driven) return 'driven by hand';
  return report.task;
}

function describe_clock(link: Link | null): string {
  if (link === null || link.clock_offset_s === null) return '–';
  const sigma = link.clock_sigma_s === null ? '?' : format_short(link.clock_sigma_s);
  return `${format_short(link.clock_offset_s)} ± ${sigma}`;
}

// From a command to the first of its effect.
export function describe_dead_time(response: FoundResponse | null): string {
  const axis = response?.forward ?? response?.turn ?? null;
  if (axis === null) return '–';
  const lag = axis.lag_s < 0.001 ? '' : ` + ${format_short(axis.lag_s)} lag`;
  return `${format_short(axis.delay_s)}${lag}${response?.forward === null ? ' (turning)' : ''}`;
}

const metres = (length: number): string => (Number.isNaN(length) ? '–' : `${length.toFixed(2)} m`);

function facts_of(
  { version }: Session,
  { link, report, speed, error, truth, in95, seen }: Moment,
  response: FoundResponse | null,
): [string, string][] {
  const loss = link === null || is_down(link) ? null : link.loss;
  const round_trip = link?.round_trip_s ?? null;
  return [
    ['lost', loss === null ? '–' : `${(100 * loss).toFixed(0)} %`],
    ['round trip', round_trip === null ? '–' : format_short(round_trip)],
    ['clock offset', describe_clock(link)],
    ['task', describe_task(report)],
    ['speed', Number.isNaN(speed) ? '–' : `${Math.abs(speed) < 0.005 ? '0.00' : speed.toFixed(2)} m/s`],
    [truth !== null ? 'off the truth' : 'off at report', metres(error)],
    // nobody is sure to the millimetre
    ['95 % within', in95 !== null && in95.radius < 0.005 ? '< 0.01 m' : metres(in95?.radius ?? NaN)],
    ['dead time', describe_dead_time(response)],
    ['program', version || '–'],
    ['sees, not in the model', seen === null ? '–' : describe_seen(seen) || 'nothing'],
  ];
}

function make_fact(list: HTMLElement): HTMLElement {
  const cell = document.createElement('div');
  cell.append(document.createElement('dt'), document.createElement('dd'));
  return list.appendChild(cell);
}

// Of the moment that is looked at.
function update_facts(session: Session, { subject, live }: Picture): void {
  const list = by_id('facts');
  set_text(by_id('link-title'), live ? 'Link and robot' : 'Link and robot then');
  const facts = subject === null ? [] : facts_of(session, subject.moment, selected_robot(session)?.response ?? null);
  while (list.children.length > facts.length) list.lastElementChild!.remove();
  facts.forEach(([name, value], i) => {
    const cell = list.children[i] ?? make_fact(list);
    set_text(cell.firstElementChild as HTMLElement, name);
    const text = cell.lastElementChild as HTMLElement;
    set_text(text, value);
    // where it is cut short
    if (text.title !== value) text.title = value;
  });
}
