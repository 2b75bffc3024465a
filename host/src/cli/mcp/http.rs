//! The protocol over HTTP: for this machine alone, with a token, at one address.
//!
//! Whoever can reach a port of this machine, such as a page in a browser, must not reach the memory: only the loopback
//! address is bound, the names of host and origin are checked, and every request shows the token.

use std::{
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use hyper::{
    Request, StatusCode,
    body::Incoming,
    header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE},
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{server::Server, token::Token, workspace::Workspace};
use crate::cli::{
    failure::Failure,
    http::{self, Answer},
};

/// Where the protocol is spoken.
pub(crate) const PATH: &str = "/mcp";

/// The largest request: as the longest line over standard input.
const BODY_BYTES: usize = 16 << 20;

/// The protocol, as an answer to requests of HTTP.
pub(crate) type Service = StreamableHttpService<Server, LocalSessionManager>;

/// The protocol for requests to these hosts, from pages of these origins or from none.
pub(crate) fn service(
    workspace: Arc<Workspace>,
    hosts: impl IntoIterator<Item = String>,
    origins: impl IntoIterator<Item = String>,
    end: CancellationToken,
) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES)
        .with_cancellation_token(end);
    Service::new(
        move || Ok(Server::new(workspace.clone())),
        Arc::new(LocalSessionManager::default()),
        config,
    )
}

pub(super) async fn serve(
    workspace: Arc<Workspace>,
    port: u16,
    end: CancellationToken,
) -> Result<(), Failure> {
    let token = Arc::new(Token::of(&workspace.context().home)?);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Failure::other(format!(
            "127.0.0.1:{port}: {error}; choose another port, or 0 for any"
        ))
    })?;
    let port = listener.local_addr()?.port();
    announce(port, &token);
    let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
    let origins = hosts.clone().map(|host| format!("http://{host}"));
    let service = service(workspace, hosts, origins, end.clone());
    let answer = move |request| {
        let (service, token) = (service.clone(), token.clone());
        async move { answer(&service, &token, request).await }
    };
    http::serve(listener, None, answer, end).await;
    Ok(())
}

/// Says where it is, on standard error: standard output stays empty for who expects a protocol there.
fn announce(port: u16, token: &Token) {
    let place = match &token.file {
        Some(file) => format!("the token is in {}", file.display()),
        None => "the token is in TWICESHY_MCP_TOKEN".to_owned(),
    };
    let _ = writeln!(
        std::io::stderr(),
        "twiceshy: serving http://127.0.0.1:{port}{PATH}; {place}"
    );
}

async fn answer(service: &Service, token: &Token, request: Request<Incoming>) -> Answer {
    let shown = request.headers().get(AUTHORIZATION);
    if !shown.is_some_and(|header| token.is_shown(header.as_bytes())) {
        let mut refused = http::plain(
            StatusCode::UNAUTHORIZED,
            "Show the token: `Authorization: Bearer …`. `twiceshy mcp` says where it is.\n",
        );
        let scheme = HeaderValue::from_static("Bearer realm=\"twiceshy\"");
        refused.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        return refused;
    }
    if request.uri().path() != PATH {
        return http::plain(StatusCode::NOT_FOUND, "The protocol is spoken at /mcp.\n");
    }
    service.handle(request).await
}
