//! Aborts, without a word.

twiceshy_hostile::guest!("aborts", || std::process::abort());
