// The buttons for the cameras, over the 3D view.

import { kCameras, type CameraName } from '../view/cameras';
import { by_id, make_button, set_pressed } from './dom';

const kTexts: Record<CameraName, [text: string, title: string]> = {
  orbit: ['orbit', 'turns and moves as you drag it, and goes along with the robot'],
  follow: ['follow', 'behind the robot'],
  top: ['top', 'from above'],
  eye: ["robot's eye", 'what the robot sees'],
  site: ['on site', 'stands still in the world while the robot comes and goes'],
};

// `more`: buttons that stand behind them.
export function fill_camera_bar(chosen: CameraName, choose: (name: CameraName) => void, more: HTMLElement[]): void {
  const buttons = kCameras.map((name) => {
    const [text, title] = kTexts[name];
    const button = make_button(text, name === chosen, () => {
      choose(name);
      buttons.forEach((other) => set_pressed(other, other === button));
    });
    button.title = title;
    return button;
  });
  by_id('cameras').replaceChildren(...buttons, ...more);
}
