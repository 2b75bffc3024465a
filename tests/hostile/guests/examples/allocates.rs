//! Asks for more and more memory, as a leak does.

twiceshy_hostile::guest!("allocates", || {
    let mut kept = Vec::new();
    loop {
        kept.push(std::hint::black_box(vec![1_u8; 1 << 20]));
    }
});
