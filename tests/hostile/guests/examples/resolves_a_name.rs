//! Asks for the address of a host, which would tell it something.

use std::net::ToSocketAddrs;

twiceshy_hostile::guest!("resolves-a-name", || {
    let addresses = ("secret.example.org", 80)
        .to_socket_addrs()
        .expect("addresses");
    format!("{addresses:?}")
});
