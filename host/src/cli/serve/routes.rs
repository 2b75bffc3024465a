//! Who answers what: each request is let in by its token, counted, and passed to the memory.
//!
//! **Nothing but health and the description is answered without a token**, and nothing of a request is believed before it
//! was shown: not its path, not its body.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::{
    Method, Request, StatusCode,
    body::{Body, Bytes, Incoming},
    header::{self, HeaderName, HeaderValue},
};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use twiceshy::limits;

use super::{
    CALLS, health::Health, metrics::Metrics, openapi, rates::Rates, scope::Scope, tokens::Tokens,
};
use crate::cli::{
    call::Callee,
    failure::Failure,
    http::{self, Answer},
    mcp,
};

/// How long a client may take for the body of a request.
const BODY: Duration = Duration::from_secs(30);

/// A body of more bytes is large, and so is one whose length is not said beforehand.
const LARGE_BODY: u64 = 64 << 10;

/// So many calls with a large body at once, others wait: each is held in memory from its first byte to its answer.
pub(super) const LARGE_AT_ONCE: usize = 16;

/// What answers need.
pub(super) struct Routes {
    pub(super) callee: Callee,
    pub(super) protocol: mcp::Service,
    pub(super) tokens: Tokens,
    pub(super) rates: Rates,
    pub(super) metrics: Metrics,
    pub(super) health: Health,
    /// Places for calls with large bodies.
    pub(super) large: Arc<Semaphore>,
    /// Pages of these origins may ask, too.
    pub(super) origins: Vec<String>,
}

impl Routes {
    /// Answers one request.
    pub(super) async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Answer {
        let begun = Instant::now();
        let _open = self.metrics.begin();
        let origin = request.headers().get(header::ORIGIN).cloned();
        let (route, mut answer) = self.clone().routed(request).await;
        self.allow(origin.as_ref(), &mut answer);
        let status = answer.status().as_u16();
        self.metrics.record(&route, status, begun.elapsed());
        answer
    }

    /// The answer, and the name that it is counted by.
    async fn routed(self: Arc<Self>, request: Request<Incoming>) -> (String, Answer) {
        let path = request.uri().path().to_owned();
        match (request.method(), path.as_str()) {
            (&Method::OPTIONS, _) => return named("preflight", empty()),
            (&Method::GET | &Method::HEAD, "/health") => {
                return named("health", self.health().await);
            }
            (&Method::GET | &Method::HEAD, "/openapi.json") => {
                return named("openapi", json_answer(StatusCode::OK, openapi::text()));
            }
            _ => {}
        }
        let scope = match self.let_in(&request) {
            Ok(scope) => scope,
            Err(refused) => return named("refused", *refused),
        };
        if path == "/metrics" {
            let text = self.metrics.text();
            let kind = "text/plain; version=0.0.4; charset=utf-8";
            return named("metrics", http::answer(StatusCode::OK, kind, text));
        }
        if path == mcp::PATH {
            let answer = match require(scope, Scope::Write, "the tools of agents") {
                Ok(()) => self.protocol.handle(request).await,
                Err(refused) => *refused,
            };
            return named("mcp", answer);
        }
        let Some(method) = path.strip_prefix(CALLS) else {
            let words = "There is nothing here. Functions are called by `POST /v1/call/INTERFACE.FUNCTION`; /openapi.json has all of them.";
            return named("unknown", error(StatusCode::NOT_FOUND, "not-found", words));
        };
        let Some(function) = openapi::functions().find(|one| one.method() == method) else {
            let words = "There is no such function; /openapi.json has all of them.";
            return named("unknown", error(StatusCode::NOT_FOUND, "not-found", words));
        };
        let method = function.method();
        if request.method() != Method::POST {
            let words = "Functions are called by POST, with their arguments as a JSON object.";
            let refused = error(StatusCode::METHOD_NOT_ALLOWED, "invalid-argument", words);
            return (method, with(refused, header::ALLOW, "POST"));
        }
        if let Err(refused) = require(scope, Scope::needed(&method), &format!("`{method}`")) {
            return (method, *refused);
        }
        let place = match self.place(&request).await {
            Ok(place) => place,
            Err(refused) => return (method, *refused),
        };
        let answer = match body(request).await {
            Ok(arguments) => self.call(method.clone(), arguments).await,
            Err(refused) => *refused,
        };
        drop(place);
        (method, answer)
    }

    /// The scope of whoever asks.
    fn let_in(&self, request: &Request<Incoming>) -> Result<Scope, Box<Answer>> {
        let header = request.headers().get(header::AUTHORIZATION);
        let shown = header.map_or(Ok(None), |header| self.tokens.shown(header.as_bytes()));
        let token = match shown {
            Ok(Some(token)) => token,
            Ok(None) => {
                let words = "Show a token: `Authorization: Bearer …`. `twiceshy serve tokens --add NAME` makes one.";
                let refused = error(StatusCode::UNAUTHORIZED, "denied", words);
                let scheme = "Bearer realm=\"twiceshy\"";
                return Err(with(refused, header::WWW_AUTHENTICATE, scheme).into());
            }
            // What is wrong with the file of tokens is for its owner alone.
            Err(failure) => {
                eprintln!("twiceshy: {}", failure.message());
                let words = "The service can't read its tokens; its log says why.";
                return Err(error(StatusCode::SERVICE_UNAVAILABLE, "other", words).into());
            }
        };
        self.rates
            .take(&token.name, Instant::now())
            .map_err(|seconds| {
                let words = format!("Too many requests with this token; try again in {seconds} s.");
                let refused = error(StatusCode::TOO_MANY_REQUESTS, "busy", &words);
                Box::new(with(refused, header::RETRY_AFTER, &seconds.to_string()))
            })?;
        Ok(token.scope)
    }

    /// A place for a call with a large body, which is not read before; a small one needs none.
    async fn place(
        &self,
        request: &Request<Incoming>,
    ) -> Result<Option<OwnedSemaphorePermit>, Box<Answer>> {
        let most = request.body().size_hint().upper();
        if most.is_some_and(|most| most <= LARGE_BODY) {
            return Ok(None);
        }
        let place = self.large.clone().acquire_owned();
        match tokio::time::timeout(BODY, place).await {
            Ok(place) => Ok(place.ok()),
            Err(_) => {
                let words = "Too many large requests at once; try again in 1 s.";
                let refused = error(StatusCode::SERVICE_UNAVAILABLE, "busy", words);
                Err(with(refused, header::RETRY_AFTER, "1").into())
            }
        }
    }

    /// Calls a function on a thread of its own: the memory is synchronous.
    async fn call(self: Arc<Self>, method: String, arguments: String) -> Answer {
        let called = tokio::task::spawn_blocking(move || self.callee.call(&method, &arguments));
        match called.await {
            Ok(Ok(result)) => json_answer(StatusCode::OK, result),
            Ok(Err(failure)) => failed(&failure),
            Err(_) => {
                let words = "twiceshy failed; its log says how.";
                error(StatusCode::INTERNAL_SERVER_ERROR, "other", words)
            }
        }
    }

    /// Whether the memory can be used.
    async fn health(self: Arc<Self>) -> Answer {
        let callee = self.clone();
        let look = move || callee.callee.look().is_ok();
        let (status, said) = match self.health.is_well(look).await {
            true => (
                StatusCode::OK,
                json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }),
            ),
            false => (
                StatusCode::SERVICE_UNAVAILABLE,
                json!({ "status": "unusable" }),
            ),
        };
        json_answer(status, said.to_string())
    }

    /// Lets a page of an allowed origin read the answer.
    fn allow(&self, origin: Option<&HeaderValue>, answer: &mut Answer) {
        let Some(origin) = origin else { return };
        let is_allowed = |one: &String| one == "*" || one.as_bytes() == origin.as_bytes();
        if !self.origins.iter().any(is_allowed) {
            return;
        }
        let headers = answer.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
            (
                header::ACCESS_CONTROL_ALLOW_HEADERS,
                "authorization, content-type",
            ),
            (header::ACCESS_CONTROL_MAX_AGE, "600"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

fn named(route: &str, answer: Answer) -> (String, Answer) {
    (route.to_owned(), answer)
}

/// Refuses who may not do what they ask for.
fn require(scope: Scope, needed: Scope, what: &str) -> Result<(), Box<Answer>> {
    if scope >= needed {
        return Ok(());
    }
    let words = format!("This token may {scope}, and {what} needs one that may {needed}.");
    Err(error(StatusCode::FORBIDDEN, "denied", &words).into())
}

/// The body of a request, as text.
async fn body(request: Request<Incoming>) -> Result<String, Box<Answer>> {
    let limited = Limited::new(request.into_body(), limits::REQUEST_BYTES);
    let too_large = || {
        let most = limits::REQUEST_BYTES >> 20;
        let words = format!("The request has more than {most} MiB; send less at once.");
        error(StatusCode::PAYLOAD_TOO_LARGE, "invalid-argument", &words)
    };
    let collected = match tokio::time::timeout(BODY, limited.collect()).await {
        Ok(Ok(collected)) => collected.to_bytes(),
        Ok(Err(why)) if why.is::<LengthLimitError>() => return Err(too_large().into()),
        Ok(Err(_)) => {
            let words = "The request broke off.";
            return Err(error(StatusCode::BAD_REQUEST, "invalid-argument", words).into());
        }
        Err(_) => {
            let words = "The request took too long.";
            return Err(error(StatusCode::REQUEST_TIMEOUT, "invalid-argument", words).into());
        }
    };
    String::from_utf8(collected.into()).map_err(|_| {
        let words = "The request is not valid UTF-8.";
        error(StatusCode::BAD_REQUEST, "invalid-argument", words).into()
    })
}

/// What a failure is over HTTP.
fn failed(failure: &Failure) -> Answer {
    let status = match failure.kind() {
        "invalid-argument" | "usage" => StatusCode::BAD_REQUEST,
        "not-found" => StatusCode::NOT_FOUND,
        "conflict" => StatusCode::CONFLICT,
        "denied" => StatusCode::FORBIDDEN,
        "busy" => StatusCode::SERVICE_UNAVAILABLE,
        "unavailable" => StatusCode::NOT_IMPLEMENTED,
        "storage" => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let answer = json_answer(status, json!({ "error": failure.json() }).to_string());
    match status {
        StatusCode::SERVICE_UNAVAILABLE => with(answer, header::RETRY_AFTER, "1"),
        _ => answer,
    }
}

fn error(status: StatusCode, kind: &str, words: &str) -> Answer {
    let body = json!({ "error": { "kind": kind, "message": words } });
    json_answer(status, body.to_string())
}

fn json_answer(status: StatusCode, body: impl Into<Bytes>) -> Answer {
    http::answer(status, "application/json", body)
}

fn empty() -> Answer {
    http::plain(StatusCode::NO_CONTENT, "")
}

fn with(mut answer: Answer, name: HeaderName, value: &str) -> Answer {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
    answer
}
