//! A server on this machine for tests: it answers each request by a function of its text, and lists what it saw.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as a server saw it: its first line, and all of it.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) all: String,
}

/// A server on this machine that answers each request by a function of its text.
pub(crate) struct Server {
    pub(crate) at: String,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(request) = read(&stream) else { continue };
                let response = answer(&request.all);
                list.lock().unwrap().push(request);
                drop((&stream).write_all(response.as_bytes()));
            }
        });
        Self { at, seen }
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let (mut all, mut length) = (String::new(), 0);
    loop {
        let start = all.len();
        if reader.read_line(&mut all).ok()? == 0 {
            return None;
        }
        let line = all.get(start..)?.to_ascii_lowercase();
        if let Some(given) = line.strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    all.push_str(&String::from_utf8(body).ok()?);
    Some(Seen { line: all.lines().next()?.to_owned(), all })
}

pub(crate) fn response(status: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
