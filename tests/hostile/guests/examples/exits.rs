//! Exits, as a program would.

twiceshy_hostile::guest!("exits", || std::process::exit(3));
