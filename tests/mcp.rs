//! `twiceshy mcp` as clients meet it: a process, lines in, lines out.

mod client;
mod conversation;
mod first_words;
mod http;
mod malformed;
mod many;

use client::Client;
