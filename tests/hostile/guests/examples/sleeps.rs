//! Sleeps for an hour, which no clock of instructions would end.

twiceshy_hostile::guest!("sleeps", || {
    std::thread::sleep(std::time::Duration::from_secs(3_600));
    "rested".to_owned()
});
