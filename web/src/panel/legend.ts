// What each colour means; each entry shows or hides its layer.

import type { Mode } from '../link/messages';
import type { Layer, Layers } from '../view/picture';
import { by_id, set_pressed } from './dom';

interface Entry {
  mark: string; // class of the little picture
  text: string;
  layer: Layer | null; // null: always there
  wide?: boolean; // takes the room of two
}

const kEntries: Entry[] = [
  { mark: 'predicted', text: 'predicted', layer: null },
  { mark: 'landing', text: 'landing', layer: null },
  { mark: 'reported', text: 'last report', layer: null },
  { mark: 'extrapolated', text: 'extrapolated', layer: 'extrapolated' },
  { mark: 'ahead', text: 'way ahead', layer: 'ahead' },
  { mark: 'region', text: '50, 95 % sure', layer: 'region' },
  { mark: 'truth', text: 'truth', layer: 'truth' },
  { mark: 'trail', text: 'trail', layer: 'trails' },
  { mark: 'beams', text: 'beams', layer: 'beams' },
  { mark: 'values', text: 'cost to goal', layer: 'values' },
  { mark: 'seen', text: 'seen, not in the model', layer: 'seen', wide: true },
  { mark: 'scan', text: 'live scan', layer: 'scan' },
];

export class Legend {
  private readonly buttons_ = new Map<Layer, HTMLButtonElement>();

  constructor(layers: Layers, on_change: (layer: Layer) => void) {
    const list = by_id('legend');
    for (const { mark, text, layer, wide } of kEntries) {
      const element = document.createElement(layer === null ? 'span' : 'button');
      element.className = wide === true ? 'entry wide' : 'entry';
      const picture = document.createElement('i');
      picture.className = `mark ${mark}`;
      element.append(picture, text);
      if (layer !== null && element instanceof HTMLButtonElement) {
        element.type = 'button';
        set_pressed(element, layers[layer]);
        element.addEventListener('click', () => {
          layers[layer] = !layers[layer];
          set_pressed(element, layers[layer]);
          on_change(layer);
        });
        this.buttons_.set(layer, element);
      }
      list.append(element);
    }
  }

  // Only a simulation knows the truth, and robots say what their lasers see by option only.
  update(mode: Mode | null, has_scan: boolean): void {
    this.buttons_.get('truth')!.hidden = mode !== 'demo' && mode !== 'replay';
    this.buttons_.get('scan')!.hidden = !has_scan;
  }
}
