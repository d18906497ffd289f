// Small helpers for the page's elements.

export function by_id<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element as T;
}

// Writes only what has changed, so that screen readers and layout are left in peace.
export function set_text(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function make_button(text: string, pressed: boolean, on_press: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.setAttribute('aria-pressed', String(pressed));
  button.addEventListener('click', on_press);
  return button;
}

export function set_pressed(button: HTMLElement, pressed: boolean): void {
  const text = String(pressed);
  if (button.getAttribute('aria-pressed') !== text) button.setAttribute('aria-pressed', text);
}

export function format_s(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1);
  return seconds < 1000 ? seconds.toFixed(0) : '999+';
}

// A short time in the unit in which people think of it.
export function format_short(seconds: number): string {
  // two clocks that began at different times
  if (Math.abs(seconds) >= 1000) return `${Math.round(seconds).toLocaleString('en')} s`;
  const ms = 1000 * seconds;
  if (Math.abs(ms) < 10) return `${ms.toFixed(1).replace('-0.0', '0.0')} ms`;
  return Math.abs(seconds) < 1 ? `${ms.toFixed(0)} ms` : `${seconds.toFixed(2)} s`;
}
