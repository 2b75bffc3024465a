//! Writes to standard error without end.

twiceshy_hostile::guest!("floods-standard-error", || loop {
    eprintln!("{}", "x".repeat(10_000));
});
