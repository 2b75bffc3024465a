//! Owns contents in an object store that speaks the S3 protocol: one object for each, under the name of its memory.
//!
//! The address names the bucket, the environment has the credentials, and no error shows either of them or a signed URL.
//! An object is named by the hash of its content, so that writing it again changes nothing: whatever was lost on the
//! way is simply asked again, until the time is over.

use std::fmt;
use std::io::Read;
use std::time::{Duration, Instant};

use rusty_s3::actions::S3Action;
use rusty_s3::{Bucket, Credentials, UrlStyle};
use twiceshy_wit::host::Error;
use ureq::Agent;
use ureq::tls::TlsConfig;

use super::Pause;
use super::tls::authorities;

/// Where credentials come from, as in every other program.
const KEY: &str = "AWS_ACCESS_KEY_ID";
const SECRET: &str = "AWS_SECRET_ACCESS_KEY";
const SESSION: &str = "AWS_SESSION_TOKEN";
const REGIONS: [&str; 2] = ["AWS_REGION", "AWS_DEFAULT_REGION"];
const DEFAULT_REGION: &str = "us-east-1";

/// How long one request may take: 64 MiB over a slow line.
const REQUEST: Duration = Duration::from_secs(60);

/// How long a signature is worth something: less than anybody needs who finds it in a log.
const SIGNED_FOR: Duration = Duration::from_secs(300);

/// The largest object: a content that can't be compressed, and its frame.
const LARGEST: u64 = (64 << 20) + (1 << 20);

/// The object that is written to see whether it can be.
const LOOKED_AT: &str = "looked-at";

/// Where objects are: `https://HOST/BUCKET/PREFIX`, as the address of a memory names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectsAddress {
    endpoint: String,
    bucket: String,
    prefix: String,
}

impl fmt::Display for ObjectsAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}/{}", self.endpoint, self.bucket)
    }
}

impl ObjectsAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// What is wrong with it. It is not shown, for it may hold what should not be there.
    pub fn parse(text: &str) -> Result<ObjectsAddress, String> {
        let wrong =
            || "objects must be https://HOST/BUCKET or https://HOST/BUCKET/PREFIX".to_owned();
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
        let mut parts = rest.trim_end_matches('/').splitn(3, '/');
        let (host, bucket) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        let prefix = parts.next().unwrap_or_default();
        if !matches!(scheme, "http" | "https") || host.is_empty() || bucket.is_empty() {
            return Err(wrong());
        }
        if host.contains('@') {
            return Err(format!(
                "objects must not hold credentials; set {KEY} and {SECRET} instead"
            ));
        }
        let is_plain = |part: &str| {
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty() && part.bytes().all(allowed) && !matches!(part, "." | "..")
        };
        if !is_plain(bucket) || !(prefix.is_empty() || prefix.split('/').all(is_plain)) {
            return Err(
                "the bucket and the prefix of objects must be letters, digits, dashes, dots and underscores".into(),
            );
        }
        if scheme == "http" && !is_here(host) {
            return Err(
                "objects would go over the network unencrypted; use https://, or a tunnel to this machine".into(),
            );
        }
        Ok(ObjectsAddress {
            endpoint: format!("{scheme}://{host}"),
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        })
    }
}

fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let literal = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost"
        || literal
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The objects of a memory.
pub struct Objects {
    address: ObjectsAddress,
    bucket: Bucket,
    credentials: Credentials,
    agent: Agent,
    /// What the name of every object begins with.
    place: String,
    patience: Duration,
}

impl fmt::Debug for Objects {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Objects({})", self.address)
    }
}

/// What is asked of the object store.
enum Request<'c> {
    Put(&'c [u8]),
    Get,
    Delete,
}

impl Objects {
    /// The objects of a memory, with the credentials of the environment.
    ///
    /// # Errors
    /// If the environment has none.
    pub fn new(
        address: &ObjectsAddress,
        memory: &str,
        patience: Duration,
    ) -> Result<Objects, Error> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Objects::with(address, memory, patience, variable)
    }

    fn with(
        address: &ObjectsAddress,
        memory: &str,
        patience: Duration,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Objects, Error> {
        let (Some(key), Some(secret)) = (variable(KEY), variable(SECRET)) else {
            return Err(Error::Denied(format!(
                "the object store {address} needs credentials; set {KEY} and {SECRET}"
            )));
        };
        let credentials = match variable(SESSION) {
            Some(token) => Credentials::new_with_token(key, secret, token),
            None => Credentials::new(key, secret),
        };
        let region = REGIONS.iter().find_map(|name| variable(name));
        let region = region.unwrap_or_else(|| DEFAULT_REGION.to_owned());
        let wrong = || Error::InvalidArgument(format!("{address} is not the address of a bucket"));
        let endpoint = address.endpoint.parse().map_err(|_| wrong())?;
        let bucket = Bucket::new(endpoint, UrlStyle::Path, address.bucket.clone(), region)
            .map_err(|_| wrong())?;
        let mut config = Agent::config_builder()
            .timeout_global(Some(REQUEST))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("twiceshy/", env!("CARGO_PKG_VERSION")));
        // What is on this machine is not reached through another one.
        if is_here(address.endpoint.rsplit("//").next().unwrap_or_default()) {
            config = config.proxy(None);
        }
        if let Some(authorities) = authorities().map_err(Error::InvalidArgument)? {
            config = config.tls_config(TlsConfig::builder().root_certs(authorities).build());
        }
        let place = match address.prefix.as_str() {
            "" => memory.to_owned(),
            prefix => format!("{prefix}/{memory}"),
        };
        Ok(Objects {
            address: address.clone(),
            bucket,
            credentials,
            agent: config.build().new_agent(),
            place,
            patience,
        })
    }

    /// Where they are.
    pub fn address(&self) -> &ObjectsAddress {
        &self.address
    }

    /// Writes an object; the same one again changes nothing.
    ///
    /// # Errors
    /// If the object store can't be reached or refuses.
    pub fn put(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        self.ask(name, &Request::Put(content)).map(drop)
    }

    /// Reads an object; none if there is none.
    ///
    /// # Errors
    /// If the object store can't be reached or refuses.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.ask(name, &Request::Get)
    }

    /// Removes an object, if it is there.
    ///
    /// # Errors
    /// If the object store can't be reached or refuses.
    pub fn delete(&self, name: &str) -> Result<(), Error> {
        self.ask(name, &Request::Delete).map(drop)
    }

    /// Whether the bucket can be used: an object of no bytes is written and read.
    ///
    /// # Errors
    /// If not; says why.
    pub fn look(&self) -> Result<(), Error> {
        self.put(LOOKED_AT, &[])?;
        match self.get(LOOKED_AT)? {
            Some(_) => Ok(()),
            None => Err(Error::Other(format!(
                "the object store {} does not have what was written to it just now; check what is in front of it",
                self.address
            ))),
        }
    }

    /// Asks until there is an answer, or the time is over.
    fn ask(&self, name: &str, request: &Request) -> Result<Option<Vec<u8>>, Error> {
        let mut pause = Pause::new(Instant::now() + self.patience);
        loop {
            match self.ask_once(name, request) {
                Err(Error::Busy(said)) => {
                    if !pause.take() {
                        return Err(Error::Busy(said));
                    }
                }
                other => return other,
            }
        }
    }

    fn ask_once(&self, name: &str, request: &Request) -> Result<Option<Vec<u8>>, Error> {
        let (bucket, credentials) = (&self.bucket, Some(&self.credentials));
        let key = format!("{}/{}", self.place, name.replace(':', "-"));
        let answer = match request {
            Request::Put(content) => {
                let url = bucket.put_object(credentials, &key).sign(SIGNED_FOR);
                self.agent.put(url.as_str()).send(*content)
            }
            Request::Get => {
                let url = bucket.get_object(credentials, &key).sign(SIGNED_FOR);
                self.agent.get(url.as_str()).call()
            }
            Request::Delete => {
                let url = bucket.delete_object(credentials, &key).sign(SIGNED_FOR);
                self.agent.delete(url.as_str()).call()
            }
        };
        let mut answer = answer.map_err(|error| self.lost(&error))?;
        match answer.status().as_u16() {
            200..=299 => {
                let mut content = Vec::new();
                let reader = answer.body_mut().with_config().limit(u64::MAX).reader();
                let read = reader.take(LARGEST).read_to_end(&mut content);
                read.map_err(|error| self.lost(&error.into()))?;
                Ok(Some(content))
            }
            404 => match request {
                // A bucket that is not there is no content that is missing.
                Request::Put(_) => Err(Error::Other(format!(
                    "the object store has no bucket {}; make it, or name another one",
                    self.address
                ))),
                _ => Ok(None),
            },
            401 | 403 => Err(Error::Denied(format!(
                "the object store {} refuses the credentials of {KEY}, or what they may do",
                self.address
            ))),
            429 | 500..=599 => Err(Error::Busy(format!(
                "the object store {} is busy or out of order ({}); nothing was changed; try again later",
                self.address,
                answer.status().as_u16()
            ))),
            status => Err(Error::Other(format!(
                "the object store {} did not do what was asked ({status}); check its address and AWS_REGION",
                self.address
            ))),
        }
    }

    /// The words of the client may hold the signed address, so its kind alone is said.
    fn lost(&self, error: &ureq::Error) -> Error {
        let said = match error {
            ureq::Error::Timeout(_) => "it took too long".to_owned(),
            ureq::Error::HostNotFound => "there is no such host".to_owned(),
            ureq::Error::Io(error) => error.kind().to_string(),
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
                "its certificate is not trusted".to_owned()
            }
            _ => "the connection was lost".to_owned(),
        };
        Error::Busy(format!(
            "the object store {} can't be reached ({said}); nothing is lost; try again later",
            self.address
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bucket_and_perhaps_a_prefix() {
        for (text, shown) in [
            ("https://s3.example/team", "https://s3.example/team"),
            ("https://s3.example/team/", "https://s3.example/team"),
            (
                "http://127.0.0.1:9000/team/a/b",
                "http://127.0.0.1:9000/team",
            ),
            ("http://[::1]:9000/team", "http://[::1]:9000/team"),
        ] {
            assert_eq!(ObjectsAddress::parse(text).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn nothing_leaves_this_machine_unencrypted_and_no_address_holds_credentials() {
        for text in [
            "http://s3.example/team",
            "http://127.0.0.1.example/team",
            "https://key:s3cret@s3.example/team",
            "https://s3.example",
            "https://s3.example/../team",
            "https://s3.example/team/../other",
            "https://s3.example/te am",
            "s3://team",
            "",
        ] {
            let error = ObjectsAddress::parse(text).unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    /// The bucket of the object store for tests: `tests/postgres/with --objects` starts one.
    fn bucket() -> Option<String> {
        let bucket = std::env::var("TWICESHY_OBJECTS").ok();
        if bucket.is_none() {
            eprintln!(
                "skipped: TWICESHY_OBJECTS names no bucket; see tests/postgres/with --objects"
            );
        }
        bucket
    }

    fn objects(address: &str, patience: u64) -> Objects {
        let address = ObjectsAddress::parse(address).unwrap();
        Objects::new(&address, "memory", Duration::from_millis(patience)).unwrap()
    }

    #[test]
    fn an_object_is_read_as_it_was_written_and_gone_when_it_was_removed() {
        let Some(bucket) = bucket() else { return };
        let objects = objects(&format!("{bucket}/a/b"), 5_000);
        assert_eq!(objects.look(), Ok(()));
        let content: Vec<u8> = (0..3_000_000u32)
            .map(|number| ((number * 31) >> 7) as u8)
            .collect();
        assert_eq!(objects.get("sha256:0"), Ok(None));
        for _ in 0..2 {
            assert_eq!(objects.put("sha256:0", &content), Ok(()));
            assert_eq!(objects.get("sha256:0"), Ok(Some(content.clone())));
        }
        for _ in 0..2 {
            assert_eq!(objects.delete("sha256:0"), Ok(()));
            assert_eq!(objects.get("sha256:0"), Ok(None));
        }
    }

    #[test]
    fn wrong_credentials_are_refused_without_showing_them() {
        let Some(bucket) = bucket() else { return };
        let address = ObjectsAddress::parse(&bucket).unwrap();
        let own = std::env::var(KEY).unwrap();
        for (key, secret) in [
            (own.as_str(), "wr0ng-secret"),
            ("wr0ng-key", "wr0ng-secret"),
        ] {
            let variable = |name: &str| match name {
                KEY => Some(key.to_owned()),
                SECRET => Some(secret.to_owned()),
                _ => None,
            };
            let patience = Duration::from_secs(1);
            let objects = Objects::with(&address, "memory", patience, variable).unwrap();
            for refused in [
                objects.look(),
                objects.put("sha256:1", b"x"),
                objects.get("sha256:1").map(drop),
                objects.delete("sha256:1"),
            ] {
                let Err(Error::Denied(words)) = refused else {
                    panic!("{refused:?}");
                };
                assert!(
                    !words.contains("wr0ng") && !words.contains("Signature"),
                    "{words}"
                );
            }
        }
        let nobody = Objects::with(&address, "memory", Duration::ZERO, |_| None).unwrap_err();
        assert!(
            matches!(&nobody, Error::Denied(words) if words.contains(KEY)),
            "{nobody:?}"
        );
    }

    #[test]
    fn a_bucket_that_is_not_there_is_named() {
        let Some(bucket) = bucket() else { return };
        let objects = objects(&format!("{bucket}-of-nobody"), 1_000);
        for refused in [objects.look(), objects.put("sha256:1", b"x")] {
            assert!(
                matches!(&refused, Err(Error::Other(words)) if words.contains("of-nobody")),
                "{refused:?}"
            );
        }
    }

    /// A way to the server that is cut some times in the middle of what is sent, and then no more.
    fn cutting(bucket: &str, cuts: usize) -> String {
        use std::io::{Read, copy};
        use std::net::{Shutdown, TcpListener, TcpStream};
        let (server, name) = bucket
            .trim_start_matches("http://")
            .split_once('/')
            .unwrap();
        let server = server.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = format!("http://{}/{name}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                if number < cuts {
                    let _ = (&stream).read_exact(&mut [0; 5_000]);
                    let _ = stream.shutdown(Shutdown::Both);
                    continue;
                }
                let there = TcpStream::connect(&server).unwrap();
                for (mut from, mut to) in [
                    (stream.try_clone().unwrap(), there.try_clone().unwrap()),
                    (there, stream),
                ] {
                    std::thread::spawn(move || {
                        let _ = copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Write);
                    });
                }
            }
        });
        here
    }

    #[test]
    fn what_is_cut_off_on_the_way_is_sent_again_and_there_once() {
        let Some(bucket) = bucket() else { return };
        let content = vec![7u8; 200_000];
        let through = objects(&cutting(&bucket, 3), 10_000);
        assert_eq!(through.put("sha256:2", &content), Ok(()));
        assert_eq!(objects(&bucket, 1_000).get("sha256:2"), Ok(Some(content)));
    }

    #[test]
    fn a_server_that_does_not_come_back_is_said_to_be_away_and_nothing_is_there() {
        let Some(bucket) = bucket() else { return };
        let gone = objects(&cutting(&bucket, usize::MAX), 300);
        let lost = gone.put("sha256:3", &vec![7u8; 200_000]);
        let Err(Error::Busy(words)) = lost else {
            panic!("{lost:?}");
        };
        assert!(
            words.contains("127.0.0.1") && !words.contains("X-Amz"),
            "{words}"
        );
        assert_eq!(objects(&bucket, 1_000).get("sha256:3"), Ok(None));
        let nobody = objects("http://127.0.0.1:1/nothing", 300);
        assert!(matches!(nobody.get("sha256:3"), Err(Error::Busy(_))));
    }
}
