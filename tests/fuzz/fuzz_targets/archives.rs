//! Files that somebody changed: what an adapter is installed from, a backup, a content of cold storage. They are taken or refused, and
//! nothing comes to lie elsewhere. What is compressed is also tried with a checksum that fits.
#![no_main]

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use libfuzzer_sys::fuzz_target;
use twiceshy_fuzz::host;

fuzz_target!(|bytes: &[u8]| {
    let mut packed = GzEncoder::new(Vec::new(), Compression::none());
    packed.write_all(bytes).expect("memory");
    let packed = packed.finish().expect("memory");
    for given in [bytes, &packed] {
        let _ = host::adapter(given);
        let _ = host::backup(given);
        host::cold(given);
    }
});
