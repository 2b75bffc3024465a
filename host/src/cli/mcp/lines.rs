//! Messages as lines: the transport over standard input and output, which answers whatever comes.
//!
//! Owns the reading and writing of lines, and the answers to what is no message: the SDK's own transport drops what it
//! can't parse, ends when a notification comes too early, and leaves the answers of a client that closes its side at
//! once to a timer. Here, every line that is not a message gets an error, two open requests never have one id, and
//! the end of the input is the end only when every request has its answer.
//!
//! `receive` may be dropped at any point and called again: what it has not handed out is in the struct.

use std::{
    collections::HashSet,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, RequestId,
        ServerJsonRpcMessage,
    },
    transport::Transport,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::Instant,
};

/// The longest line that is read: what a tool takes, as often escaped as it can be, fits.
const LINE_BYTES: usize = 16 << 20;

/// Lines that wait to be written.
const QUEUE: usize = 64;

/// How long answers are waited for after the end of the input: compiling the components for the first time takes its time.
const LAST_ANSWERS: Duration = Duration::from_secs(60);

/// How a byte order mark looks.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The two ends of a connection.
pub(super) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The rest of a line that is too long is being read over.
    skipping: bool,
    /// An answer that waits for its place in the queue.
    answer: Option<Vec<u8>>,
    queue: Option<mpsc::Sender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    open: Open,
    /// A request came that begins a conversation.
    has_begun: bool,
    /// When to give up waiting, once the input has ended.
    deadline: Option<Instant>,
}

/// The requests without an answer.
#[derive(Clone, Default)]
struct Open {
    ids: Arc<Mutex<HashSet<RequestId>>>,
    answered: Arc<Notify>,
}

/// What a line is.
enum Read {
    Line,
    TooLong,
    End,
}

/// What becomes of a line.
enum Taken {
    Message(Box<ClientJsonRpcMessage>),
    Answer(Value),
    Nothing,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    pub(super) fn new<W: AsyncWrite + Send + Unpin + 'static>(read: R, write: W) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            skipping: false,
            answer: None,
            queue: Some(queue),
            writer: Some(tokio::spawn(write_all(write, waiting))),
            open: Open::default(),
            has_begun: false,
            deadline: None,
        }
    }

    /// Reads the rest of a line.
    async fn read_line(&mut self) -> Read {
        loop {
            let part = match self.read.fill_buf().await {
                Ok(part) => part,
                Err(_) => return Read::End,
            };
            if part.is_empty() {
                // The last line may have no end.
                return match self.line.is_empty() || self.skipping {
                    true => Read::End,
                    false => Read::Line,
                };
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(part.len(), |end| end + 1);
            let was_skipping = self.skipping;
            if !self.skipping {
                self.line.extend_from_slice(&part[..length]);
            }
            self.read.consume(length);
            self.skipping |= self.line.len() > LINE_BYTES;
            if self.skipping {
                self.line.clear();
            }
            match end {
                Some(_) if self.skipping => {
                    self.skipping = false;
                    // Said when it was found.
                    if !was_skipping {
                        return Read::TooLong;
                    }
                }
                Some(_) => return Read::Line,
                None if self.skipping && !was_skipping => return Read::TooLong,
                None => {}
            }
        }
    }

    fn take(&mut self) -> Taken {
        let line = std::mem::take(&mut self.line);
        let text = line.strip_prefix(MARK).unwrap_or(&line);
        if text.iter().all(u8::is_ascii_whitespace) {
            return Taken::Nothing;
        }
        let message = match serde_json::from_slice::<Value>(text) {
            Ok(message) => message,
            Err(error) => {
                let words = format!("This line is not JSON: {error}.");
                return Taken::Answer(refusal(Value::Null, ErrorCode::PARSE_ERROR, &words));
            }
        };
        match understood(message) {
            Ok(message) => self.pass(message),
            Err(Some(answer)) => Taken::Answer(answer),
            Err(None) => Taken::Nothing,
        }
    }

    /// Hands a message on, if it is its time.
    fn pass(&mut self, message: ClientJsonRpcMessage) -> Taken {
        match &message {
            ClientJsonRpcMessage::Request(request) => {
                if !self.open.insert(&request.id) {
                    let words = "Another request with this id has no answer yet; use another id.";
                    let id = request.id.clone().into_json_value();
                    return Taken::Answer(refusal(id, ErrorCode::INVALID_REQUEST, words));
                }
                self.has_begun |= !matches!(
                    request.request,
                    ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                );
            }
            // Nothing was asked, and nobody listens yet.
            _ if !self.has_begun => return Taken::Nothing,
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
        Taken::Message(Box::new(message))
    }

    /// Waits until every request has its answer.
    async fn last_answers(&mut self) {
        let deadline = *self
            .deadline
            .get_or_insert_with(|| Instant::now() + LAST_ANSWERS);
        let open = self.open.clone();
        let _ = tokio::time::timeout_at(deadline, open.all_answered()).await;
    }
}

impl Open {
    fn ids(&self) -> std::sync::MutexGuard<'_, HashSet<RequestId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, id: &RequestId) -> bool {
        self.ids().insert(id.clone())
    }

    fn remove(&self, id: &RequestId) {
        self.ids().remove(id);
        self.answered.notify_one();
    }

    async fn all_answered(&self) {
        while !self.ids().is_empty() {
            self.answered.notified().await;
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let queue = self.queue.clone();
        let open = self.open.clone();
        async move {
            let gone = || io::Error::new(io::ErrorKind::NotConnected, "the client has gone");
            let id = match &message {
                ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
                ServerJsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let line = serde_json::to_vec(&message)?;
            let sent = match queue {
                Some(queue) => queue.send(line).await.map_err(|_| gone()),
                None => Err(gone()),
            };
            if let Some(id) = id {
                open.remove(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.answer.is_some() {
                let queue = self.queue.as_ref()?;
                let place = queue.reserve().await.ok()?;
                if let Some(answer) = self.answer.take() {
                    place.send(answer);
                }
            }
            let taken = match self.read_line().await {
                Read::Line => self.take(),
                Read::TooLong => {
                    let words = format!("The line is longer than {LINE_BYTES} bytes; send less.");
                    Taken::Answer(refusal(Value::Null, ErrorCode::INVALID_REQUEST, &words))
                }
                Read::End => {
                    self.last_answers().await;
                    return None;
                }
            };
            match taken {
                Taken::Message(message) => return Some(*message),
                Taken::Answer(answer) => self.answer = serde_json::to_vec(&answer).ok(),
                Taken::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.await;
        }
        Ok(())
    }
}

/// The message that a value is, or the answer to one that is none. What is no request has no answer, however bad it is.
fn understood(message: Value) -> Result<ClientJsonRpcMessage, Option<Value>> {
    let invalid = |id, words: &str| Some(refusal(id, ErrorCode::INVALID_REQUEST, words));
    let Some(members) = message.as_object() else {
        let words = match message.is_array() {
            true => "Batches are not supported; send each message on its own line.",
            false => "A message is a JSON object.",
        };
        return Err(invalid(Value::Null, words));
    };
    let id = members.get("id").cloned();
    // An id that can be used is used even if nothing else can.
    let known_id = id.clone().filter(|id| id.is_string() || id.is_i64());
    let known_id = known_id.unwrap_or_default();
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        let words = "`jsonrpc` must be \"2.0\".";
        return Err(invalid(known_id, words));
    }
    let method = match members.get("method") {
        Some(Value::String(method)) => Some(method.clone()),
        Some(_) => return Err(invalid(known_id, "`method` must be a string.")),
        None => None,
    };
    if let Some(id) = &id
        && known_id.is_null()
        && method.is_some()
    {
        let words = format!("`id` must be a string or a whole number, not {id}.");
        return Err(invalid(Value::Null, &words));
    }
    let outcomes = ["result", "error"].map(|name| members.contains_key(name));
    let asks = match (&method, outcomes) {
        (Some(_), [false, false]) => id.is_some(),
        (None, [true, false] | [false, true]) => false,
        _ => true,
    };
    let parsed = serde_json::from_value::<ClientJsonRpcMessage>(message);
    match (parsed, method) {
        (Ok(ClientJsonRpcMessage::Request(request)), Some(method))
            if is_unreadable(&request.request) =>
        {
            let words = format!("The `params` of `{method}` are not what the protocol says.");
            Err(Some(refusal(known_id, ErrorCode::INVALID_PARAMS, &words)))
        }
        (Ok(message), _) => Ok(message),
        (Err(_), _) if !asks => Err(None),
        // The rest of it was looked at.
        (Err(_), Some(method)) if outcomes == [false, false] => {
            let words = format!("The `params` of `{method}` must be an object.");
            Err(Some(refusal(known_id, ErrorCode::INVALID_PARAMS, &words)))
        }
        (Err(_), _) => {
            let words = "This is neither a request nor a notification nor a response.";
            Err(invalid(known_id, words))
        }
    }
}

/// A request of the protocol whose parameters are other ones is taken for one of somebody else's making.
pub(super) fn is_unreadable(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::CustomRequest(custom) if matches!(
        custom.method.as_str(),
        "initialize" | "server/discover" | "ping" | "completion/complete" | "logging/setLevel" | "prompts/get"
            | "prompts/list" | "resources/list" | "resources/read" | "resources/templates/list"
            | "resources/subscribe" | "resources/unsubscribe" | "subscriptions/listen" | "tools/call" | "tools/list"
    ))
}

fn refusal(id: Value, code: ErrorCode, words: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code.0, "message": words } })
}

/// Writes what is in the queue, as much as there is at once, until nobody puts anything in or nobody reads.
async fn write_all<W: AsyncWrite + Unpin>(mut write: W, mut waiting: mpsc::Receiver<Vec<u8>>) {
    let mut lines = Vec::new();
    while waiting.recv_many(&mut lines, QUEUE).await > 0 {
        let mut bytes = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines.drain(..) {
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
        }
        if write.write_all(&bytes).await.is_err() || write.flush().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is answered to these bytes without a server, by lines.
    fn answers(input: &[u8]) -> Vec<Value> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let (write, mut read) = tokio::io::duplex(1 << 20);
        runtime.block_on(async {
            let mut lines = Lines::new(io::Cursor::new(input.to_vec()), write);
            while let Some(message) = lines.receive().await {
                if let ClientJsonRpcMessage::Request(request) = message {
                    let error = rmcp::ErrorData::internal_error("passed on", None);
                    let answer = ServerJsonRpcMessage::error(error, Some(request.id));
                    lines.send(answer).await.expect("a place");
                }
            }
            lines.close().await.expect("it closes");
            drop(lines);
            let mut text = String::new();
            tokio::io::AsyncReadExt::read_to_string(&mut read, &mut text)
                .await
                .expect("text");
            text.lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect()
        })
    }

    fn code_and_id(line: &str) -> (i64, Value) {
        let answers = answers(line.as_bytes());
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        let code = answers[0]["error"]["code"].as_i64().expect("a code");
        (code, answers[0]["id"].clone())
    }

    #[test]
    fn whatever_is_no_message_gets_an_error_with_the_id_that_it_has() {
        for (line, code, id) in [
            ("{", -32700, Value::Null),
            ("\u{1}", -32700, Value::Null),
            (r#"{"a":"\ud800"}"#, -32700, Value::Null),
            ("7", -32600, Value::Null),
            ("[]", -32600, Value::Null),
            ("{}", -32600, Value::Null),
            (
                r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
                -32600,
                json!(7),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                -32600,
                Value::Null,
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                -32600,
                Value::Null,
            ),
            (
                r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
                -32600,
                Value::Null,
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","method":7}"#,
                -32600,
                json!("a"),
            ),
            (r#"{"jsonrpc":"2.0","id":"a"}"#, -32600, json!("a")),
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"ping","result":{}}"#,
                -32600,
                json!(3),
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#,
                -32602,
                json!(3),
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}"#,
                -32602,
                json!(3),
            ),
        ] {
            assert_eq!(code_and_id(line), (code, id), "{line}");
        }
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(code_and_id(&deep).0, -32700);
        assert_eq!(code_and_id(&"x".repeat(LINE_BYTES + 2)).0, -32600);
    }

    #[test]
    fn what_comes_after_a_line_that_is_too_long_is_read() {
        let long = "x".repeat(LINE_BYTES * 2);
        let input = format!("{long}\n{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}\n");
        let answers = answers(input.as_bytes());
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[1]["id"], 1);
    }

    #[test]
    fn notifications_and_responses_before_the_first_request_are_not_passed_on() {
        let input = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\
            {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n\n\r\n\
            {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        let answers = answers(input);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0]["error"]["message"], "passed on");
    }
}
