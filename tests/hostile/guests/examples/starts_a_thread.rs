//! Starts a thread.

twiceshy_hostile::guest!("starts-a-thread", || {
    std::thread::spawn(|| {
        loop {
            std::hint::spin_loop()
        }
    })
    .join()
    .expect("a thread");
    "ended".to_owned()
});
