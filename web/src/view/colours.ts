// One colour for each thing, the same in every view and in the legend; told apart also by people who see few colours.

export const kColours = {
  predicted: '#1f7ae0',
  ahead: '#29a3ff',
  reported: '#8a929e',
  extrapolated: '#e69f00',
  truth: '#0fa36b',
  goal: '#c2408f',
  other: '#5b7fa8',
  phantom: '#8b5cf6',
  landing: '#00b8c4',
  contact: '#d63838',
  seen: '#7fb800',
} as const;

export const prefers_dark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;

type Surfaces = Record<'background' | 'floor' | 'wall' | 'text' | 'line' | 'scan', string>;

export const surface_colours = (): Surfaces =>
  prefers_dark()
    ? { background: '#11151b', floor: '#262d37', wall: '#8d98a6', text: '#e8ecf1', line: '#3a4452', scan: '#ffffff' }
    : { background: '#e9edf2', floor: '#ffffff', wall: '#4a5462', text: '#1a2029', line: '#c9d1db', scan: '#101418' };
