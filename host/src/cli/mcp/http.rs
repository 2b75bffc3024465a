//! The server over HTTP: for this machine alone, with a token, at one address.
//!
//! Whoever can reach a port of this machine, such as a page in a browser, must not reach the memory: only the loopback
//! address is bound, the names of host and origin are checked, and every request shows the token.

use std::{
    convert::Infallible,
    io::Write,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::{server::Server, token::Token, workspace::Workspace};
use crate::cli::failure::Failure;

/// Where the protocol is spoken.
const PATH: &str = "/mcp";

/// The largest request: as the longest line over standard input.
const BODY_BYTES: usize = 16 << 20;

/// How long a client may take for its headers.
const HEADERS: Duration = Duration::from_secs(10);

/// How long requests may go on after the process was asked to end.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

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
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts([format!("127.0.0.1:{port}"), format!("localhost:{port}")])
        .with_allowed_origins([
            format!("http://127.0.0.1:{port}"),
            format!("http://localhost:{port}"),
        ])
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES)
        .with_cancellation_token(end.clone());
    let service = Service::new(
        move || Ok(Server::new(workspace.clone())),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let open = tokio_util::task::TaskTracker::new();
    loop {
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Too many open files, or a client that has gone: neither is the end.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = end.cancelled() => break,
        };
        open.spawn(converse(
            stream,
            service.clone(),
            token.clone(),
            end.clone(),
        ));
    }
    open.close();
    let _ = tokio::time::timeout(LAST_ANSWERS, open.wait()).await;
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

/// Answers the requests of one client until it goes, or until the process is asked to end.
async fn converse(stream: TcpStream, service: Service, token: Arc<Token>, end: CancellationToken) {
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request| {
        let (service, token) = (service.clone(), token.clone());
        async move { Ok::<_, Infallible>(answer(&service, &token, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(stream), answer);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = end.cancelled() => None,
    };
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

async fn answer(service: &Service, token: &Token, request: Request<Incoming>) -> Answer {
    let shown = request.headers().get(AUTHORIZATION);
    if !shown.is_some_and(|header| token.is_shown(header.as_bytes())) {
        let mut refused = plain(
            StatusCode::UNAUTHORIZED,
            "Show the token: `Authorization: Bearer …`. `twiceshy mcp` says where it is.\n",
        );
        let scheme = HeaderValue::from_static("Bearer realm=\"twiceshy\"");
        refused.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        return refused;
    }
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, "The protocol is spoken at /mcp.\n");
    }
    service.handle(request).await
}

fn plain(status: StatusCode, words: &'static str) -> Answer {
    let mut response = Response::new(Full::new(Bytes::from_static(words.as_bytes())).boxed());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
