//! `twiceshy serve`: the memory over HTTP, for workers, hosts and browsers that can't open it themselves.
//!
//! Owns the command, its tokens and the address. What is answered is in [`routes`]; what a function does is the memory's
//! business, as everywhere.

mod health;
mod metrics;
mod openapi;
mod rates;
mod routes;
mod scope;
mod tokens;

use std::{
    fs,
    io::Write,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use clap::Args;
use nix::sys::signal::{SigHandler, Signal, signal};
use serde_json::{Value, json};
use tokio::{net::TcpListener, runtime, sync::Semaphore};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};
use tokio_util::sync::CancellationToken;
use twiceshy::Memory;

use self::{
    health::Health,
    metrics::Metrics,
    rates::Rates,
    routes::Routes,
    scope::Scope,
    tokens::{Token, Tokens},
};
use super::{
    call::Callee,
    consolidate,
    context::Context,
    failure::Failure,
    http,
    mcp::{self, Workspace},
    show,
};

/// Where functions are called.
const CALLS: &str = "/v1/call/";

/// How often a service looks whether its memory is due to be consolidated.
const CARE_PAUSE: Duration = Duration::from_secs(3_600);

/// Threads that the memory is called on; further calls wait.
const THREADS: usize = 32;

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy serve tokens --add worker-1 --scope write --days 90   # prints the token, once
  twiceshy serve                                              # http://127.0.0.1:8809, for this machine
  twiceshy serve --listen 0.0.0.0:8809 --certificate cert.pem --key key.pem
  twiceshy serve --listen 10.0.0.5:8809 --behind-proxy        # TLS is the proxy's business
  curl -H \"Authorization: Bearer $TOKEN\" -d '{\"evidence\": \"No module named x\", \"domain\": \"cli\", \"task\": \"\"}' \\
       http://127.0.0.1:8809/v1/call/recall.on-error

Paths:
  POST /v1/call/INTERFACE.FUNCTION   any function of the contract, its arguments as a JSON object
  POST /mcp                          the Model Context Protocol (see twiceshy mcp), for tokens that may write
  GET  /openapi.json                 the description of all functions, without a token
  GET  /health                       whether the memory can be used, without a token
  GET  /metrics                      counts and times for Prometheus

Ctrl-C answers what was begun, then ends.";

pub(crate) const TOKEN_EXAMPLES: &str = "\
Examples:
  twiceshy serve tokens
  twiceshy serve tokens --add ci --scope read --days 30
  twiceshy serve tokens --remove ci";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The address and port to listen on; port 0 takes any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8809")]
    listen: SocketAddr,
    /// The certificate chain for TLS, a PEM file.
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// The private key of the certificate, a PEM file.
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
    /// Serve other machines without TLS, because a proxy in front has it.
    #[arg(long, conflicts_with = "certificate")]
    behind_proxy: bool,
    /// The name by which clients call this service, if it is not the address; may be repeated.
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// Let pages of this origin ask, such as https://example.org; may be repeated.
    #[arg(long, value_name = "ORIGIN")]
    origin: Vec<String>,
    /// Requests a second for each token, twice that at once after a pause; 0 for any number.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    rate: u32,
}

pub(crate) fn serve(context: Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if !arguments.listen.ip().is_loopback()
        && arguments.certificate.is_none()
        && !arguments.behind_proxy
    {
        return Err(Failure::usage(format!(
            "{} is seen by other machines, which would send their tokens unencrypted; pass --certificate and --key, or \
             --behind-proxy if a proxy encrypts",
            arguments.listen
        )));
    }
    // A client that has gone is the end of its connection, not of a commit.
    // SAFETY: no handler is installed.
    let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigIgn) };
    let encryption = match (&arguments.certificate, &arguments.key) {
        (Some(certificate), Some(key)) => Some(encryption(certificate, key)?),
        _ => None,
    };
    let tokens = Tokens::of(&context.home);
    if tokens.all()?.is_empty() {
        return Err(Failure::input(
            "There is no token, so that nobody could ask anything. Make one with `twiceshy serve tokens --add NAME`.",
        ));
    }
    let callee = Callee::of(&context)?;
    let settings = &context.settings;
    let times = (settings.consolidate_hours, settings.undo_days);
    context.store().settle_beside();
    let memory = Arc::new(context.memory()?);
    let workspace = Arc::new(Workspace::new(context, Vec::new()));
    workspace.load_ahead();
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()?;
    let ended = runtime.block_on(async {
        let end = mcp::end_of_service()?;
        let listener = TcpListener::bind(arguments.listen).await.map_err(|error| {
            Failure::other(format!(
                "{}: {error}; choose another address or port with --listen",
                arguments.listen
            ))
        })?;
        let address = listener.local_addr()?;
        announce(address, encryption.is_some(), &tokens);
        tokio::spawn(care(memory, times, end.clone()));
        let routes = Arc::new(Routes {
            callee,
            protocol: protocol(arguments, address, workspace, end.clone()),
            tokens,
            rates: Rates::new(arguments.rate),
            metrics: Metrics::default(),
            health: Health::default(),
            large: Arc::new(Semaphore::new(routes::LARGE_AT_ONCE)),
            origins: arguments.origin.clone(),
        });
        http::serve(
            listener,
            encryption,
            move |request| routes.clone().answer(request),
            end,
        )
        .await;
        Ok(())
    });
    runtime.shutdown_background();
    ended.map(|()| ExitCode::SUCCESS)
}

/// Consolidates the memory whenever the last time is so many hours ago, 0 for never, so that it can be undone for so many
/// days. What keeps it from that is told, and tried again.
async fn care(memory: Arc<Memory>, times: (u32, u32), end: CancellationToken) {
    if times.0 == 0 {
        return;
    }
    loop {
        // A service that has just begun has others to answer.
        tokio::select! {
            () = end.cancelled() => return,
            () = tokio::time::sleep(CARE_PAUSE) => {}
        }
        let (memory, stop) = (memory.clone(), end.clone());
        let done = tokio::task::spawn_blocking(move || {
            consolidate::if_due(&memory, times, || stop.is_cancelled())
        });
        if let Ok(Err(error)) = done.await {
            let _ = writeln!(
                std::io::stderr(),
                "twiceshy: the memory was not consolidated: {error}"
            );
        }
    }
}

/// The protocol of agents, for requests that name this service.
fn protocol(
    arguments: &Arguments,
    address: SocketAddr,
    workspace: Arc<Workspace>,
    end: CancellationToken,
) -> mcp::Service {
    let port = address.port();
    let mut hosts = vec![address.to_string(), format!("localhost:{port}")];
    for host in &arguments.host {
        hosts.extend([host.clone(), format!("{host}:{port}")]);
    }
    let mut origins = arguments.origin.clone();
    for host in &hosts {
        origins.extend(["http", "https"].map(|scheme| format!("{scheme}://{host}")));
    }
    mcp::service(workspace, hosts, origins, end)
}

fn announce(address: SocketAddr, is_encrypted: bool, tokens: &Tokens) {
    let scheme = if is_encrypted { "https" } else { "http" };
    let _ = writeln!(
        std::io::stderr(),
        "twiceshy: serving {scheme}://{address}; the tokens are in {}",
        tokens.file().display()
    );
}

/// Encryption by a certificate and its key.
fn encryption(certificate: &Path, key: &Path) -> Result<TlsAcceptor, Failure> {
    let wrong = |file: &Path, why: String| Failure::input(format!("{}: {why}", file.display()));
    let read = |file: &Path| fs::read(file).map_err(|error| wrong(file, error.to_string()));
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&read(certificate)?)
        .collect::<Result<_, _>>()
        .map_err(|error| wrong(certificate, format!("{error}; it must be a PEM file")))?;
    let secret = PrivateKeyDer::from_pem_slice(&read(key)?).map_err(|error| {
        wrong(
            key,
            format!("{error}; it must be a PEM file with a private key"),
        )
    })?;
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder
                .with_no_client_auth()
                .with_single_cert(chain, secret)
        })
        .map_err(|error| {
            wrong(
                certificate,
                format!("{error}; do certificate and key belong together?"),
            )
        })?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

#[derive(Debug, Args)]
pub(crate) struct TokenArguments {
    /// Make a token of this name, and print it: nobody can be told again.
    #[arg(long, value_name = "NAME", conflicts_with = "remove")]
    add: Option<String>,
    /// Remove the token of this name; a service that runs refuses it from now on.
    #[arg(long, value_name = "NAME")]
    remove: Option<String>,
    /// What it may do: read, write, or admin, which also removes for good, imports and changes settings.
    #[arg(long, value_enum, default_value_t = Scope::Write, requires = "add")]
    scope: Scope,
    /// After how many days it is refused. Default: never.
    #[arg(long, value_name = "N", requires = "add", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: Option<u32>,
}

/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

pub(crate) fn tokens(context: &Context, arguments: &TokenArguments) -> Result<ExitCode, Failure> {
    let tokens = Tokens::of(&context.home);
    if let Some(name) = &arguments.add {
        let lasts = arguments.days.map(|days| u64::from(days) * DAY_MS);
        let (token, secret) = tokens.add(name, arguments.scope, lasts)?;
        let mut answer = described(&token);
        answer["token"] = secret.as_str().into();
        return context.print(&answer, || vec![secret.clone()]);
    }
    if let Some(name) = &arguments.remove {
        if !tokens.remove(name)? {
            return Err(Failure::other(format!(
                "There is no token `{name}`. `twiceshy serve tokens` lists all of them."
            )));
        }
        return context.print(&json!({ "removed": name }), || {
            vec![format!("removed {name}")]
        });
    }
    let tokens = tokens.all()?;
    let rows: Vec<_> = tokens.iter().map(described).collect();
    context.print(&rows, || match tokens.is_empty() {
        true => {
            vec!["no tokens; `twiceshy serve tokens --add NAME` makes one".to_owned()]
        }
        false => tokens.iter().map(line).collect(),
    })
}

fn described(token: &Token) -> Value {
    json!({
        "name": token.name,
        "scope": token.scope,
        "created": token.created,
        "expires": token.expires,
    })
}

fn line(token: &Token) -> String {
    let end = match token.expires {
        Some(end) => format!("until {}", show::time(end)),
        None => "never expires".to_owned(),
    };
    format!("{}  {}  {end}", token.name, token.scope)
}
