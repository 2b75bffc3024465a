//! Reads the clock on the wall.

twiceshy_hostile::guest!("reads-the-clock", || format!(
    "{:?}",
    std::time::SystemTime::now()
));
