//! Writes a file.

twiceshy_hostile::guest!("writes-a-file", || {
    std::fs::write("/tmp/twiceshy-was-here", "owned").expect("a file");
    "written".to_owned()
});
