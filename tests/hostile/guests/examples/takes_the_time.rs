//! Takes the time, as one does to learn what is in a cache.

twiceshy_hostile::guest!("takes-the-time", || format!(
    "{:?}",
    std::time::Instant::now()
));
