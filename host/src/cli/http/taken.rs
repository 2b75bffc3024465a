//! A connection whose client has to take what it is sent.
//!
//! A client that asks and never reads would keep its place for ever, and so could keep all of them.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

/// A stream that fails when it could not be written to for a time.
pub(super) struct Taken<S> {
    stream: S,
    time: Duration,
    /// Since when nothing is taken, as the moment when that was too long.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Taken<S> {
    pub(super) fn new(stream: S, time: Duration) -> Self {
        Self {
            stream,
            time,
            waiting: None,
        }
    }

    fn within<T>(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if wrote.is_ready() {
            self.waiting = None;
            return wrote;
        }
        let time = self.time;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
        let too_long = waiting.as_mut().poll(context);
        too_long.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within(context, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.within(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.within(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.within(context, closed)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        runtime,
    };

    use super::*;

    #[test]
    fn a_client_that_takes_nothing_is_let_go_and_one_that_reads_is_not() {
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let (ours, theirs) = tokio::io::duplex(16);
            let mut taken = Taken::new(ours, Duration::from_millis(20));
            let error = taken
                .write_all(&[1; 1_000])
                .await
                .expect_err("nobody reads");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(theirs);

            let (ours, mut theirs) = tokio::io::duplex(16);
            let mut taken = Taken::new(ours, Duration::from_secs(60));
            let mut bytes = [0; 1_000];
            let (wrote, read) =
                tokio::join!(taken.write_all(&[1; 1_000]), theirs.read_exact(&mut bytes));
            assert!(wrote.is_ok() && read.is_ok() && bytes == [1; 1_000]);
        });
    }
}
