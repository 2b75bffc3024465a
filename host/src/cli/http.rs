//! A small server of HTTP, for `twiceshy mcp --http` and `twiceshy serve`: connections, their bounds, and an end in order.
//!
//! Who answers what is the business of the two commands. **A client can keep nobody else waiting:** its headers have to
//! come within a time, it has to take what it is answered, and there are so many connections at once.

mod taken;

use std::{convert::Infallible, future::Future, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{CONTENT_TYPE, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use taken::Taken;

/// An answer to a request.
pub(crate) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// How long a client may take for its headers, between requests too, and to agree on encryption.
const HEADERS: Duration = Duration::from_secs(10);

/// How long a client may take nothing of an answer.
const TAKEN: Duration = Duration::from_secs(30);

/// How long requests may go on after the process was asked to end: longer than one waits for a database that is away, and
/// shorter than whoever asked waits before it kills.
const LAST_ANSWERS: Duration = Duration::from_secs(8);

/// How long what has arrived may take to be seen after the process was asked to end: a connection that still waits to be accepted, and
/// a request that stands in its buffer, were begun before.
const LAST_ARRIVALS: Duration = Duration::from_millis(200);

/// So many connections at once; further ones wait to be accepted.
const CONNECTIONS: usize = 1_024;

/// Answers requests until the process is asked to end, then those that were begun.
pub(crate) async fn serve<A, F>(
    listener: TcpListener,
    encryption: Option<TlsAcceptor>,
    answer: A,
    end: CancellationToken,
) where
    A: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let open = tokio_util::task::TaskTracker::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut closing = std::pin::pin!(arrivals_end(&end));
    loop {
        let accepted = async {
            let place = places.clone().acquire_owned().await;
            (listener.accept().await, place)
        };
        let (stream, place) = tokio::select! {
            accepted = accepted => match accepted {
                (Ok((stream, _)), place) => (stream, place),
                // Too many open files, or a client that has gone: neither is the end.
                (Err(_), _) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = closing.as_mut() => break,
        };
        let (encryption, answer, end) = (encryption.clone(), answer.clone(), end.clone());
        open.spawn(async move {
            welcome(stream, encryption, answer, end).await;
            drop(place);
        });
    }
    open.close();
    let _ = tokio::time::timeout(LAST_ANSWERS, open.wait()).await;
}

/// Waits until the process is asked to end, and what had arrived by then has been seen.
async fn arrivals_end(end: &CancellationToken) {
    end.cancelled().await;
    tokio::time::sleep(LAST_ARRIVALS).await;
}

/// Agrees on encryption, if there is any, and converses.
async fn welcome<A, F>(
    stream: TcpStream,
    encryption: Option<TlsAcceptor>,
    answer: A,
    end: CancellationToken,
) where
    A: Fn(Request<Incoming>) -> F,
    F: Future<Output = Answer>,
{
    let _ = stream.set_nodelay(true);
    match encryption {
        None => converse(stream, answer, end).await,
        Some(acceptor) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(HEADERS, acceptor.accept(stream)).await {
                converse(stream, answer, end).await;
            }
        }
    }
}

/// Answers the requests of one client until it goes, or until the process is asked to end.
async fn converse<A, F>(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: A,
    end: CancellationToken,
) where
    A: Fn(Request<Incoming>) -> F,
    F: Future<Output = Answer>,
{
    let answer = service_fn(move |request| {
        let answer = answer(request);
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(Taken::new(stream, TAKEN)), answer);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = arrivals_end(&end) => None,
    };
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// An answer of a media type.
pub(crate) fn answer(
    status: StatusCode,
    media_type: &'static str,
    body: impl Into<Bytes>,
) -> Answer {
    let mut response = Response::new(Full::new(body.into()).boxed());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(media_type);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// An answer in words.
pub(crate) fn plain(status: StatusCode, words: impl Into<Bytes>) -> Answer {
    answer(status, "text/plain; charset=utf-8", words)
}
