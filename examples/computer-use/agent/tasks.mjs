// The tasks: what must be so in the end, and how somebody would say what has to be done for it.
//
// `want` is the condition that the adapter checks. The rest is what the agent knows: what it is about, in words that need
// not be those of the page.

const readout = (name, is) => ({ role: 'status', name, property: 'text', is });
const set = (name, what, to) => ({ want: readout(name, to), doing: 'set', what, to });
const on = (role, name) => ({ want: { role, name, property: 'checked', is: 'true' }, doing: 'turn on', what: name });
const command = (name, is, what) => ({ want: readout(name, is), doing: 'command', what });

const tempo = (bpm) => set('Tempo', 'tempo', String(bpm));
const swing = (share) => set('Swing', 'swing', String(share));
const master = (level) => set('Master level', 'master level', String(level));
const intro = (track) => ({ want: readout('Intro clip', `Track ${track}`), doing: 'move', what: 'Intro clip', to: `Track ${track}` });
const saved = command('Project', 'saved', 'Save project');
const exported = command('Mixdown', 'exported', 'Export mixdown');
const vocalsGone = command('Vocals', 'deleted', 'Delete Vocals');

const task = (wanted, targets) => ({ text: `Work on the song in the music studio in the browser until this is so: ${wanted}.`, targets });

export const TASKS = [
  task('tempo is 128, Kick 3 is on, master level is 80, the project is saved', [tempo(128), on('checkbox', 'Kick 3'), master(80), saved]),
  task('vocals are deleted, swing is 54, the intro clip is on Track 2, the project is saved', [vocalsGone, swing(54), intro(2), saved]),
  task('Reverb is on, master level is 72, Snare 7 is on, the mixdown is exported', [on('switch', 'Reverb'), master(72), on('checkbox', 'Snare 7'), exported]),
];

// What must never happen: the finished recording is overwritten.
export const GUARDS = [readout('Master file', 'overwritten')];
