//! The address of a service: its host, and whether that is this machine or near it.
//!
//! It has no part in any connection, so that settings can be read, and fuzzed, without one.

use std::net::{IpAddr, Ipv4Addr};

/// The host of an address, with its port.
pub(crate) fn host(address: &str) -> &str {
    let rest = address.split("//").nth(1).unwrap_or_default();
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// An address for a message: without the name and the password that somebody wrote into it.
pub(crate) fn shown(address: &str) -> String {
    let host = host(address);
    match host.rsplit_once('@') {
        Some((secret, rest)) => address.replacen(&format!("{secret}@{rest}"), rest, 1),
        None => address.to_owned(),
    }
}

/// Whether a host, with its port or without, is this machine.
pub(crate) fn is_local(host: &str) -> bool {
    let name = name(host);
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Whether a host is this machine or one of the same private network, by its address.
pub(crate) fn is_near(host: &str) -> bool {
    is_local(host)
        || name(host)
            .parse::<Ipv4Addr>()
            .is_ok_and(|address| address.is_private() || address.is_link_local())
}

/// A host without its port.
fn name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_and_its_network_are_told_from_others() {
        for (host, local, near) in [
            ("localhost", true, true),
            ("LOCALHOST:80", true, true),
            ("127.0.0.1:1", true, true),
            ("[::1]:1", true, true),
            ("192.168.1.244:32184", false, true),
            ("10.0.0.1", false, true),
            ("localhost.example", false, false),
            ("8.8.8.8", false, false),
        ] {
            assert_eq!((is_local(host), is_near(host)), (local, near), "{host}");
        }
        assert_eq!(host("http://h:80/v1?x"), "h:80");
    }
}
