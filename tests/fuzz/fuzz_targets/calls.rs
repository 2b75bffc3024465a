//! Lines of `call --lines`, as many as there are: a method, a blank and its arguments. Afterwards the memory is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twiceshy_fuzz::World;

fuzz_target!(|text: &str| {
    let world = World::default();
    for line in text.lines().take(16) {
        let (method, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
        let _ = world.call(method, arguments);
    }
    world.check();
});
