// What stands in place of the picture as long as there is none: what is going on, and what to do.

import { selected_robot, type RobotState, type Session } from '../state/session';
import { by_id, set_text } from './dom';

interface Notice {
  title: string;
  text: string;
  button?: { text: string; press: 'reconnect' | 'reload' | 'load_model' };
  busy: boolean;
  over_world?: boolean; // there is a world to be seen meanwhile
}

const kEnd_s = 0.05; // as close to the end of a recording as this is its end

function core_notice(session: Session): Notice | null {
  if (typeof session.core === 'string') return null;
  const button = { text: 'Reload the page', press: 'reload' } as const;
  if (session.core.failed === 'old_core') {
    return {
      title: 'Page and predictor do not fit together',
      text:
        `${session.core.text}. Reload the page, past the browser's cache (Ctrl + Shift + R). If that does not help, ` +
        'the program was built from two states of the source: build it again with “make”.',
      button,
      busy: false,
    };
  }
  return {
    title: 'The predictor does not start',
    text: `${session.core.text}. Reload the page; a browser of the last years with WebAssembly is needed.`,
    button,
    busy: false,
  };
}

function connection_notice(session: Session, local_ms: number): Notice | null {
  const { connection } = session;
  if (session.mode !== null) return null;
  if (connection.kind === 'lost') {
    const seconds = Math.max(0, Math.ceil((connection.retry_at_ms - local_ms) / 1000));
    return {
      title: 'The program does not answer',
      text:
        'Is it still running? Start it again (“make demo” or “forerun view”) and look at the address that it prints. ' +
        `Trying again in ${seconds} s.`,
      button: { text: 'Try again now', press: 'reconnect' },
      busy: false,
    };
  }
  if (connection.kind === 'open')
    return { title: 'Connected', text: 'Waiting for the program to say which robots there are.', busy: true };
  return { title: 'Connecting …', text: 'Asking the program for the robot and its world.', busy: true };
}

// Nothing of the robot has come yet, not even which world it is in. The program may know why.
function silence_notice({ info, link }: RobotState): Notice {
  const why = link?.warnings.find(({ kind }) => kind === 'down')?.text ?? '';
  return {
    title: 'No word from the robot yet',
    text: why || `Nothing of ${info.name} has arrived yet. If this lasts, look whether it is switched on and connected.`,
    busy: true,
  };
}

// Up to the place where the recording stands, too little has come to draw anything.
function recording_notice({ replay, core }: Session, { info, world, report }: RobotState): Notice {
  const missing = world === null ? 'world' : 'first report';
  const ended = replay !== null && replay.at_s >= replay.duration_s - kEnd_s;
  if (ended && core === 'ready' && report === null) {
    return {
      title: `This recording ends before the ${missing} came`,
      text: `There is nothing to draw. Either it was stopped at once, or nothing came of ${info.name} all the while.`,
      busy: false,
    };
  }
  const text = report === null ? `The ${missing} of ${info.name} has not come yet at this place.` : 'A moment, please.';
  return { title: 'Loading the recording …', text, busy: true };
}

function robot_notice(session: Session): Notice | null {
  const robot = selected_robot(session);
  if (robot === null) {
    return {
      title: 'No robot yet',
      text: 'The program knows of no robot. As soon as one reports, it appears here.',
      busy: true,
    };
  }
  const { name, world } = robot.info;
  if (robot.problem) {
    return {
      title: `The world of ${name} cannot be loaded`,
      text: `${robot.problem[0]!.toUpperCase()}${robot.problem.slice(1)}. Without it there is nothing to predict in.`,
      button: { text: 'Load it again', press: 'load_model' },
      busy: false,
    };
  }
  if (robot.world === null && robot.info.model === '') {
    return session.mode === 'replay' ? recording_notice(session, robot) : silence_notice(robot);
  }
  if (robot.world === null)
    return {
      title: `Loading ${world || 'the world'} …`,
      text: `The world of ${name} and the robot's own description.`,
      busy: true,
    };
  if (robot.now === null && session.mode === 'replay') return { ...recording_notice(session, robot), over_world: true };
  if (robot.now === null) {
    return {
      title: 'Waiting for the first report',
      text: `Nothing of ${name} has arrived yet. If this lasts, look whether it is switched on and connected.`,
      busy: true,
      over_world: true,
    };
  }
  return null;
}

function state_of(notice: Notice | null): string {
  if (notice === null) return 'live';
  if (notice.over_world === true) return 'waiting';
  return notice.busy ? 'busy' : 'failed';
}

export class Overlay {
  private pressed_: 'reconnect' | 'reload' | 'load_model' | null = null;

  constructor(on_press: (what: 'reconnect' | 'reload' | 'load_model') => void) {
    by_id('overlay-button').addEventListener('click', () => {
      if (this.pressed_ !== null) on_press(this.pressed_);
    });
  }

  update(session: Session, local_ms: number): void {
    const notice = core_notice(session) ?? connection_notice(session, local_ms) ?? robot_notice(session);
    by_id('overlay').hidden = notice === null;
    document.body.dataset.state = state_of(notice);
    if (notice === null) return;
    set_text(by_id('overlay-title'), notice.title);
    set_text(by_id('overlay-text'), notice.text);
    by_id('overlay-spinner').hidden = !notice.busy;
    const button = by_id('overlay-button');
    button.hidden = notice.button === undefined;
    this.pressed_ = notice.button?.press ?? null;
    if (notice.button !== undefined) set_text(button, notice.button.text);
  }
}
