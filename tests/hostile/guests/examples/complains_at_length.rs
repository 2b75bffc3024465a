//! Writes a hundred megabytes to standard error, then panics.

twiceshy_hostile::guest!("complains-at-length", || {
    for _ in 0..10_000 {
        eprint!("{}", "woe ".repeat(2_500));
    }
    panic!("at last")
});
