//! The experiment over the native engine: the same as in the component, without the sandbox.

use std::sync::atomic::AtomicBool;

use twiceshy_adapter_cli::Cli;
use twiceshy_engine::{Engine, Ports};
use twiceshy_experiment::{Lab, Learner, Paint, Plan, Report, SimulatedClock, Site, table};
use twiceshy_store::MapStore;
use twiceshy_wit::{
    host::{Embedder, Error, Level, Log, Model},
    memory,
};

/// Ports that offer nothing.
struct Nothing;

impl Embedder for Nothing {
    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }
}

impl Model for Nothing {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable("no model".into()))
    }
}

impl Log for Nothing {
    fn write(&self, _: Level, _: &str) {}
}

/// A memory for as long as the tests run.
fn memory(site: &Site) -> Result<Box<dyn Learner>, memory::Error> {
    let clock: &'static SimulatedClock = Box::leak(Box::new(site.clock.clone()));
    let engine = Engine::new(Ports {
        store: Box::leak(Box::new(MapStore::new())),
        embedder: &Nothing,
        model: &Nothing,
        clock,
        log: &Nothing,
    });
    *LAST.lock().unwrap() = Some(Box::leak(Box::new(engine)) as *const _ as usize);
    Ok(Box::new(engine))
}
static LAST: std::sync::Mutex<Option<usize>> = std::sync::Mutex::new(None);

fn perform(plan: &Plan) -> Report {
    let lab = Lab {
        adapter: &Cli,
        memories: &memory,
        executor: None,
        watch: &|_| {},
        stop: &AtomicBool::new(false),
        threads: 2,
    };
    lab.perform(plan).expect("an experiment")
}

#[test]
fn show() {
    let report = perform(&Plan {
        seeds: 10,
        first_seed: 1,
        runs: [12, 12, 6, 6],
        evaluator: true,
    });
    println!("{}", table(&report, Paint::Plain));
    std::fs::write("/tmp/exp.json", serde_json::to_string(&report).unwrap()).unwrap();
}

#[test]
fn trace() {
    use twiceshy_experiment::{Arm, Happening, Phase};
    let on = AtomicBool::new(false);
    let want = std::env::var("WANT").unwrap_or("MA2".into());
    let seed = std::env::var("SEED").map_or(1, |s| s.parse().unwrap());
    let lab = Lab {
        adapter: &Cli,
        memories: &memory,
        executor: None,
        watch: &|h| match h {
            Happening::Started {
                arm,
                phase,
                run,
                briefing,
                tool,
                ..
            } => {
                let name = format!(
                    "{}{}{}",
                    match arm {
                        Arm::Memory => "M",
                        Arm::NoMemory => "N",
                        Arm::Planted => "P",
                    },
                    phase.letter(),
                    run
                );
                let o = want.split(',').any(|w| w == name);
                on.store(o, std::sync::atomic::Ordering::Relaxed);
                if o {
                    println!("== {name} {}", tool.name());
                    for h in &briefing.hints {
                        println!(
                            "  B {:.2} r{:.2} {:?} {:?} {}",
                            h.score,
                            h.parts.reliability,
                            h.lesson.status,
                            h.lesson.trigger_fingerprints,
                            h.lesson.rule_text
                        );
                    }
                }
            }
            Happening::Stepped { command, ran, told }
                if on.load(std::sync::atomic::Ordering::Relaxed) =>
            {
                println!(
                    "{} {}   {}",
                    if ran.exit == 0 { "ok" } else { "--" },
                    command.join(" "),
                    ran.stderr.trim()
                );
                for h in &told.hints {
                    println!(
                        "      H {:.2} r{:.2} {:?} {}",
                        h.score, h.parts.reliability, h.lesson.status, h.lesson.rule_text
                    );
                }
            }
            Happening::Ended { metrics, plantings } => {
                if on.load(std::sync::atomic::Ordering::Relaxed) {
                    println!("{metrics:?}");
                }
                if metrics.arm == Arm::Planted && metrics.phase == Phase::D && metrics.run == 6 {
                    let e: &Engine<'static> =
                        unsafe { &*(LAST.lock().unwrap().unwrap() as *const Engine<'static>) };
                    use twiceshy_wit::memory::{ActivationFilter, Lessons};
                    if metrics.tool.name() == "fluxtool" {
                        for p in *plantings {
                            println!("{p:?}");
                            println!("   {:?}", Lessons::get(e, &p.lesson).unwrap().usefulness);
                            for a in e
                                .activations(&ActivationFilter {
                                    lesson: Some(p.lesson.clone()),
                                    run: None,
                                    limit: None,
                                })
                                .unwrap()
                            {
                                println!(
                                    "     {} {:?} withheld {} {:?}",
                                    a.run, a.moment, a.withheld, a.outcome
                                );
                            }
                        }
                    }
                }
            }
            _ => {}
        },
        stop: &AtomicBool::new(false),
        threads: 1,
    };
    lab.perform(&Plan {
        seeds: 1,
        first_seed: seed,
        runs: [12, 12, 6, 6],
        evaluator: true,
    })
    .unwrap();
}
