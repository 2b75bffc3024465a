//! `twiceshy mcp`: the memory as a server of the Model Context Protocol, over standard input and output or over HTTP.
//!
//! Owns the command and the runtime: nothing else of twiceshy is asynchronous, so that it starts here and nowhere else. The
//! protocol is the SDK's business; what a tool does is in [`tools`].

mod answer;
mod completions;
mod connection;
mod http;
mod lines;
mod prompts;
mod resources;
mod schema;
mod server;
mod token;
mod tools;
mod workspace;

use std::{process::ExitCode, sync::Arc};

use clap::Args;
use nix::sys::signal::{SigHandler, Signal, signal};
use rmcp::ServiceExt;
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal as signals},
};
use tokio_util::sync::CancellationToken;

use super::{context::Context, failure::Failure, session};

pub(crate) use http::{PATH, Service, service};
use lines::Lines;
use server::Server;
pub(crate) use workspace::Workspace;

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy mcp                              # over standard input and output, as hosts of agents start it
  twiceshy mcp --memory ~/notes/.twiceshy    # another memory than that of the working directory
  twiceshy mcp --http 8808                  # over HTTP, on http://127.0.0.1:8808/mcp
  curl -H \"Authorization: Bearer $(cat ~/.local/share/twiceshy/mcp-token)\" http://127.0.0.1:8808/mcp

Over HTTP only this machine is served, and only with the token, which is made once and kept in the user's directory;
TWICESHY_MCP_TOKEN names another one. docs/MCP.md has the tools, and the settings of each host.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Serve HTTP on this port of 127.0.0.1 instead of standard input and output; 0 takes any free port.
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,
}

pub(crate) fn mcp(context: Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    // A client that has gone is the end of its connection, not of a commit.
    // SAFETY: no handler is installed.
    let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigIgn) };
    let host = match arguments.http {
        Some(_) => Vec::new(),
        None => session::host_processes(),
    };
    context.store().settle_beside();
    let workspace = Arc::new(Workspace::new(context, host));
    workspace.load_ahead();
    // One thread for the protocol: requests are begun in the order in which they come. The memory has its own threads.
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let ended = runtime.block_on(async {
        let end = end_of_service()?;
        match arguments.http {
            Some(port) => http::serve(workspace, port, end).await,
            None => over_standard_streams(workspace, end).await,
        }
    });
    // Somebody may still wait for a line on standard input, which may never come.
    runtime.shutdown_background();
    ended.map(|()| ExitCode::SUCCESS)
}

/// Is cancelled when somebody asks the process to end.
pub(crate) fn end_of_service() -> Result<CancellationToken, Failure> {
    let end = CancellationToken::new();
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        let mut asked = signals(kind)?;
        let end = end.clone();
        tokio::spawn(async move {
            asked.recv().await;
            end.cancel();
        });
    }
    Ok(end)
}

async fn over_standard_streams(
    workspace: Arc<Workspace>,
    end: CancellationToken,
) -> Result<(), Failure> {
    let (read, write) = rmcp::transport::stdio_pipes();
    let server = Server::new(workspace);
    let connection = server.connection();
    let served = server.serve_with_ct(Lines::new(read, write), end).await;
    // Who goes before a word was said has done nothing wrong.
    if let Ok(running) = served {
        let _ = running.waiting().await;
    }
    connection.settle();
    Ok(())
}
