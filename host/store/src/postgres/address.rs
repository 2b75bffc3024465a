//! Owns the address of a database: what of it is PostgreSQL's and what is ours, and how it is shown without its password.
//!
//! Ours are `memory`, `replica`, `connections`, `objects` and `sslrootcert` in the query of the URL; everything else is for the
//! client of the database. TLS is required of every host that is not this machine, unless `sslmode` says otherwise, and
//! a certificate is always checked.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use super::objects::ObjectsAddress;

/// The memory that an address means if it names none.
const DEFAULT_MEMORY: &str = "default";

/// The longest name of a memory, in bytes.
const LONGEST_NAME: usize = 63;

/// How many connections a process opens at most, if the address does not say.
const CONNECTIONS: usize = 8;

/// The most that an address may ask for.
const MOST_CONNECTIONS: usize = 64;

/// Where a memory in a database is: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?memory=NAME`.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresAddress {
    pub(super) config: Config,
    /// A server that may be behind, for reads.
    pub(super) replica: Option<Config>,
    pub(super) memory: String,
    pub(super) connections: usize,
    /// Where contents are, if not in the database.
    pub(super) objects: Option<ObjectsAddress>,
    pub(super) root_certificate: Option<PathBuf>,
    url: String,
}

/// Shows no password.
impl fmt::Debug for PostgresAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

/// Shows no password, and no user.
impl fmt::Display for PostgresAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(
            formatter,
            "postgres://{}/{}?memory={}",
            hosts(&self.config),
            self.config.get_dbname().unwrap_or_default(),
            self.memory
        )
    }
}

impl PostgresAddress {
    /// Whether a text is meant as the address of a database.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads an address.
    ///
    /// # Errors
    /// What is wrong with it, without its password.
    pub fn parse(url: &str) -> Result<PostgresAddress, String> {
        if !PostgresAddress::is_meant(url) {
            return Err("the address of a database must begin with postgres://".into());
        }
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let mut memory = DEFAULT_MEMORY.to_owned();
        let (mut replica, mut connections, mut objects) = (None, CONNECTIONS, None);
        let (mut root_certificate, mut says_ssl, mut theirs) = (None, false, Vec::new());
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name {
                "memory" => memory = decoded(value)?,
                "replica" => replica = Some(decoded(value)?),
                "objects" => objects = Some(ObjectsAddress::parse(&decoded(value)?)?),
                "sslrootcert" => root_certificate = Some(PathBuf::from(decoded(value)?)),
                "connections" => {
                    connections = value
                        .parse()
                        .ok()
                        .filter(|number| (1..=MOST_CONNECTIONS).contains(number))
                        .ok_or_else(|| {
                            format!("connections must be from 1 to {MOST_CONNECTIONS}")
                        })?;
                }
                // Certificates are always checked in full.
                "sslmode" if matches!(value, "verify-ca" | "verify-full") => {
                    says_ssl = true;
                    theirs.push("sslmode=require");
                }
                _ => {
                    says_ssl |= name == "sslmode";
                    theirs.push(parameter);
                }
            }
        }
        check_name(&memory)?;
        let plain = match theirs.is_empty() {
            true => place.to_owned(),
            false => format!("{place}?{}", theirs.join("&")),
        };
        let mut config: Config = plain
            .parse()
            .map_err(|error| format!("it is no address of a database: {error}"))?;
        if config.get_hosts().is_empty() {
            return Err("it names no host; write postgres://USER@HOST/DATABASE".into());
        }
        if config.get_user().is_none() {
            return Err("it names no user; write postgres://USER@HOST/DATABASE".into());
        }
        if config.get_dbname().is_none() {
            let user = config.get_user().unwrap_or_default().to_owned();
            config.dbname(user);
        }
        if !says_ssl && !config.get_hosts().iter().all(is_here) {
            config.ssl_mode(SslMode::Require);
        }
        prepare(&mut config);
        let replica = match replica {
            Some(place) => Some(replica_of(&config, &place, says_ssl)?),
            None => None,
        };
        // Of several servers the one that can be written is meant.
        if config.get_hosts().len() > 1 {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        Ok(PostgresAddress {
            config,
            replica,
            memory,
            connections,
            objects,
            root_certificate,
            url: url.to_owned(),
        })
    }

    /// The name of the memory.
    pub fn memory(&self) -> &str {
        &self.memory
    }

    /// The same place, another memory.
    ///
    /// # Errors
    /// If it is no name.
    pub fn with_memory(mut self, memory: &str) -> Result<PostgresAddress, String> {
        check_name(memory)?;
        self.memory = memory.to_owned();
        Ok(self)
    }

    /// The address as it was given, with its password: for a process that this one starts.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// What every connection has.
fn prepare(config: &mut Config) {
    if config.get_application_name().is_none() {
        config.application_name("twiceshy");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(5));
    }
    // A server that vanished without a word is noticed.
    config.keepalives_idle(Duration::from_secs(10));
    config.keepalives_interval(Duration::from_secs(5));
    config.keepalives_retries(3);
    config.tcp_user_timeout(Duration::from_secs(20));
    let ours =
        "-c lock_timeout=10s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s";
    // What the address says comes later, and so counts.
    let options = format!("{ours} {}", config.get_options().unwrap_or_default());
    config.options(options.trim());
}

fn replica_of(primary: &Config, place: &str, says_ssl: bool) -> Result<Config, String> {
    let wrong = || "replica must be HOST or HOST:PORT".to_owned();
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
        None => (place, primary.get_ports().first().copied().unwrap_or(5432)),
    };
    if host.is_empty() {
        return Err(wrong());
    }
    let mut config = Config::new();
    config.host(host).port(port);
    config.user(primary.get_user().unwrap_or_default());
    if let Some(password) = primary.get_password() {
        config.password(password);
    }
    config.dbname(primary.get_dbname().unwrap_or_default());
    config.ssl_mode(primary.get_ssl_mode());
    if !says_ssl && !config.get_hosts().iter().all(is_here) {
        config.ssl_mode(SslMode::Require);
    }
    prepare(&mut config);
    Ok(config)
}

fn check_name(memory: &str) -> Result<(), String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    match !memory.is_empty() && memory.len() <= LONGEST_NAME && memory.bytes().all(allowed) {
        true => Ok(()),
        false => Err(format!(
            "the name of a memory must be 1 to {LONGEST_NAME} letters, digits, dashes, dots and underscores"
        )),
    }
}

/// Whether a host is this machine, so that nobody listens in between.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            let literal = name.trim_start_matches('[').trim_end_matches(']');
            name == "localhost" || literal.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn hosts(config: &Config) -> String {
    let ports = config.get_ports();
    let host = |(index, host): (usize, &Host)| {
        let name = match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        match ports.get(index).or(ports.first()) {
            Some(port) => format!("{name}:{port}"),
            None => name,
        }
    };
    let all: Vec<String> = config.get_hosts().iter().enumerate().map(host).collect();
    all.join(",")
}

fn decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next(), rest.next()].map(|digit| {
                    let digit = char::from(digit.unwrap_or_default()).to_digit(16);
                    digit.and_then(|digit| u8::try_from(digit).ok())
                });
                match digits {
                    [Some(high), Some(low)] => high * 16 + low,
                    _ => return Err("a % in it is not followed by two hexadecimal digits".into()),
                }
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> PostgresAddress {
        PostgresAddress::parse(url).unwrap()
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address = parsed("postgres://anna:s3cret@db.example:5433/team?memory=shop");
        for shown in [format!("{address}"), format!("{address:?}")] {
            assert_eq!(shown, "postgres://db.example:5433/team?memory=shop");
        }
        assert_eq!(address.memory(), "shop");
    }

    #[test]
    fn no_refusal_tells_the_password() {
        for url in [
            "postgres://anna:s3cret@db/team?memory=a/b",
            "postgres://anna:s3cret@db/team?memory=",
            "postgres://anna:s3cret@db/team?connections=0",
            "postgres://anna:s3cret@db/team?replica=x:y",
            "postgres://anna:s3cret@db/team?objects=https://key:s3cret@s3.example/b",
            "postgres://anna@db/team?objects=s3cret",
            "postgres://anna:s3cret@db/team?unheard-of=1",
            "postgres://anna:s3cret@db:port/team",
            "postgres://anna:s3cret",
            "mysql://anna:s3cret@db/team",
            "postgres://anna:s3cret@db/team?memory=%zz",
        ] {
            let error = PostgresAddress::parse(url).unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn tls_is_required_of_every_other_machine() {
        let mode = |url: &str| parsed(url).config.get_ssl_mode();
        assert_eq!(mode("postgres://a@127.0.0.1/x"), SslMode::Prefer);
        assert_eq!(mode("postgres://a@localhost/x"), SslMode::Prefer);
        assert_eq!(mode("postgres://a@db.example/x"), SslMode::Require);
        assert_eq!(
            mode("postgres://a@localhost,db.example/x"),
            SslMode::Require
        );
        assert_eq!(
            mode("postgres://a@db.example/x?sslmode=disable"),
            SslMode::Disable
        );
        assert_eq!(
            mode("postgres://a@localhost/x?sslmode=verify-full"),
            SslMode::Require
        );
    }

    #[test]
    fn of_several_servers_the_one_that_can_be_written_is_meant() {
        let several = parsed("postgres://a@one:1,two:2/x?replica=three:3");
        let attributes = several.config.get_target_session_attrs();
        assert_eq!(attributes, TargetSessionAttrs::ReadWrite);
        let replica = several.replica.unwrap();
        assert_eq!(replica.get_ports(), [3]);
        assert_eq!(replica.get_target_session_attrs(), TargetSessionAttrs::Any);
    }
}
