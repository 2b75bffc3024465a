//! Reads a file.

twiceshy_hostile::guest!("reads-a-file", || std::fs::read_to_string("/etc/passwd")
    .expect("the users"));
