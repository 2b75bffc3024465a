//! A small server of our own that answers as it is told: well, late, with garbage, too much.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::{Value, json};

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub head: String,
    pub body: Value,
}

/// A server on this machine, on a port of its own.
pub struct Server {
    port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers every request by writing to its connection, which is closed afterwards.
    pub fn start(answer: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let server = Self {
            port,
            connections: Arc::clone(&connections),
            requests: Arc::clone(&requests),
        };
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                connections.fetch_add(1, Ordering::SeqCst);
                let (answer, requests) = (Arc::clone(&answer), Arc::clone(&requests));
                thread::spawn(move || {
                    let Some(request) = read(&mut stream) else {
                        return;
                    };
                    requests.lock().expect("a list").push(request.clone());
                    answer(&request, &mut stream);
                });
            }
        });
        server
    }

    /// Answers every request with these bytes.
    pub fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |_, stream| {
            let _ = stream.write_all(&bytes);
        })
    }

    /// A model that says this.
    pub fn model(content: &str) -> Self {
        Self::saying(completion(content))
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("a list").clone()
    }
}

/// A whole response.
pub fn response(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
}

/// What an OpenAI-compatible endpoint answers.
pub fn completion(content: &str) -> String {
    let body = json!({ "id": "c-1", "object": "chat.completion", "choices": [
        { "index": 0, "finish_reason": "stop",
          "message": { "role": "assistant", "content": content } } ] });
    response(
        "200 OK",
        "content-type: application/json\r\n",
        &body.to_string(),
    )
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let length = name.eq_ignore_ascii_case("content-length");
                length.then(|| value.trim().parse::<usize>().ok()).flatten()
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(Request {
                    head: head.to_owned(),
                    body: serde_json::from_str(body).unwrap_or(Value::Null),
                });
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
