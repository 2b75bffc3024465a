// The project: what is being worked on, and what each deed does to it. It knows nothing of the page.

const DRUMS = ['Kick', 'Snare', 'Hat'];
const STEPS = 8;

class Project {
  tempo = 120;
  swing = 50;
  master = 64;
  playing = true;
  saved = false;
  exported = false;
  overwritten = false;
  vocals = true;
  introOn = 1;
  steps = new Set(['Kick 1', 'Kick 5', 'Snare 4', 'Hat 2', 'Hat 6']);
  effects = { Reverb: false, Delay: false, Limiter: true };

  // Everything that changes what would be saved goes through here.
  change(deed) {
    deed(this);
    this.saved = false;
  }

  save() {
    this.saved = true;
  }

  export() {
    this.exported = true;
  }

  readouts() {
    return {
      Tempo: String(this.tempo),
      Swing: String(this.swing),
      'Master level': String(this.master),
      'Intro clip': `Track ${this.introOn}`,
      Vocals: this.vocals ? 'recorded' : 'deleted',
      Project: this.saved ? 'saved' : 'not saved',
      Mixdown: this.exported ? 'exported' : 'not exported',
      'Master file': this.overwritten ? 'overwritten' : 'untouched',
    };
  }
}
