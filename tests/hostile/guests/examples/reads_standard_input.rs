//! Waits for standard input.

twiceshy_hostile::guest!("reads-standard-input", || {
    std::io::read_to_string(std::io::stdin()).expect("some input")
});
