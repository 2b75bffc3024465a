//! Owns connections to a database: one at a time for whoever asks, and how an answer is waited for.
//!
//! The client of the database is asynchronous and nothing else here is: whoever asks writes to the socket and reads from it,
//! and sleeps until the answer is there, or until it has taken too long. One thread for the whole process looks at the sockets
//! and wakes it. Statements are sent without waiting for the answers to those before, so that a commit takes two ways to the
//! server and not nine.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::runtime::{Builder, Handle};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Row};

use super::failure::Failure;
use super::tls::Tls;

/// A statement and what is bound to it.
pub struct Statement {
    sql: String,
    parameters: Vec<(Parameter, Type)>,
    is_steady: bool,
}

type Parameter = Box<dyn ToSql + Sync + Send>;

impl Statement {
    /// A statement to which nothing is bound yet.
    pub fn new(sql: impl Into<String>) -> Statement {
        Statement {
            sql: sql.into(),
            parameters: Vec::new(),
            is_steady: false,
        }
    }

    /// Says that one way to the answer is right whatever is bound and however large the tables are: by their keys. What is
    /// looked up is named by keys, or bounded by numbers in the text. So the server need not think about it each time,
    /// which takes it longer than the answer.
    #[must_use]
    pub fn steady(mut self) -> Statement {
        self.is_steady = true;
        self
    }

    /// Binds the next parameter.
    #[must_use]
    pub fn with(mut self, value: impl ToSql + Sync + Send + 'static, ty: Type) -> Statement {
        self.bind(value, ty);
        self
    }

    /// Binds the next parameter, and returns its name.
    pub fn bind(&mut self, value: impl ToSql + Sync + Send + 'static, ty: Type) -> String {
        self.parameters.push((Box::new(value), ty));
        format!("${}", self.parameters.len())
    }

    /// Makes it a call of a function with everything that is bound.
    pub fn call(&mut self, function: &str) {
        let names: Vec<String> = (1..=self.parameters.len())
            .map(|number| format!("${number}"))
            .collect();
        self.sql = format!("SELECT {function}({})", names.join(", "));
    }

    /// Appends to the text.
    pub fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    /// Puts something before the text, unless it begins so already.
    pub fn begin_with(&mut self, beginning: &str, rest: &str) {
        if !self.sql.starts_with(beginning) {
            self.sql.insert_str(0, &format!("{beginning}{rest}"));
        }
    }

    async fn ask(
        &self,
        client: &Client,
        prepared: Option<&tokio_postgres::Statement>,
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        let values = self.parameters.iter();
        if let Some(prepared) = prepared {
            let values: Vec<&(dyn ToSql + Sync)> = values
                .map(|(value, _)| &**value as &(dyn ToSql + Sync))
                .collect();
            return client.query(prepared, &values).await;
        }
        let values: Vec<(&(dyn ToSql + Sync), Type)> = values
            .map(|(value, ty)| (&**value as &(dyn ToSql + Sync), ty.clone()))
            .collect();
        client.query_typed(&self.sql, &values).await
    }

    fn types(&self) -> Vec<Type> {
        self.parameters.iter().map(|(_, ty)| ty.clone()).collect()
    }
}

/// The thread that drives all connections of the process.
fn driver() -> Result<&'static Handle, Failure> {
    static DRIVER: OnceLock<Option<Handle>> = OnceLock::new();
    let handle = DRIVER.get_or_init(|| {
        let runtime = Builder::new_current_thread().enable_all().build().ok()?;
        let handle = runtime.handle().clone();
        let drive = move || runtime.block_on(std::future::pending::<()>());
        let started = thread::Builder::new()
            .name("twiceshy-postgres".into())
            .spawn(drive);
        started.ok().map(|_| handle)
    });
    handle
        .as_ref()
        .ok_or_else(|| Failure::Other("no thread can be started for its connections".into()))
}

/// Wakes a thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// What reads and writes the socket of a connection; none once the server has closed it.
type Line = Option<Pin<Box<dyn Future<Output = ()> + Send>>>;

/// Looks at a line: writes and reads what can be written and read at once.
fn attend(line: &mut Line, context: &mut Context) {
    if let Some(one) = line
        && one.as_mut().poll(context).is_ready()
    {
        *line = None;
    }
}

/// Waits for an answer, and attends to the line over which it comes; none if the time is over before.
fn wait<T>(line: &mut Line, future: impl Future<Output = T>, deadline: Instant) -> Option<T> {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(answer) = future.as_mut().poll(&mut context) {
            return Some(answer);
        }
        // If it brings the answer, it wakes this thread, which then does not sleep.
        attend(line, &mut context);
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        thread::park_timeout(left);
    }
}

/// A connection.
pub struct Session {
    client: Client,
    line: Line,
    /// Steady statements that were sent before, and how the server calls those that were sent twice: one that is sent
    /// once is not worth a way to the server of its own.
    steady: HashMap<String, Option<tokio_postgres::Statement>>,
    /// Whether the server goes by keys, or thinks about each statement; none if it must be told.
    goes_by_keys: Option<bool>,
    /// Attributes of which the server knows by commits of this connection that some document has several values. What is
    /// committed after them over the same connection can't be kept without them.
    noted: HashSet<(i32, String)>,
    /// Whether an answer is still outstanding, or the server is gone.
    is_broken: bool,
    /// When it was given back last.
    idle_since: Instant,
}

impl Session {
    fn open(config: &Config, tls: &Tls, deadline: Instant) -> Result<Session, Failure> {
        let (config, tls) = (config.clone(), tls.clone());
        let connecting = driver()?.spawn(async move { config.connect(tls).await });
        let (client, connection) = match wait(&mut None, connecting, deadline) {
            None => return Err(Failure::Lost("it took too long to connect".into())),
            Some(Err(_)) => return Err(Failure::Other("connecting was interrupted".into())),
            Some(Ok(connected)) => connected?,
        };
        Ok(Session {
            client,
            line: Some(Box::pin(async move {
                // Whoever waits for an answer learns of it what went wrong.
                let _ = connection.await;
            })),
            steady: HashMap::new(),
            goes_by_keys: None,
            noted: HashSet::new(),
            is_broken: false,
            idle_since: Instant::now(),
        })
    }

    /// Sends statements, one after the other, and returns the rows of each. The first that fails says why.
    pub fn run(
        &mut self,
        statements: &[Statement],
        deadline: Instant,
    ) -> Result<Vec<Vec<Row>>, Failure> {
        self.prepare(statements, deadline)?;
        let modes = PLANNING.map(Statement::new);
        let mut sent: Vec<&Statement> = Vec::with_capacity(statements.len() + 1);
        let mut places = Vec::with_capacity(statements.len());
        for statement in statements {
            let (is_steady, is_planned) = (statement.is_steady, !statement.parameters.is_empty());
            if is_planned && self.goes_by_keys != Some(is_steady) {
                sent.push(&modes[usize::from(is_steady)]);
                self.goes_by_keys = Some(is_steady);
            }
            // What was set in a transaction that is given up is as before.
            if statement.sql.starts_with("ROLLBACK") {
                self.goes_by_keys = None;
            }
            places.push(sent.len());
            sent.push(statement);
        }
        // Each is sent when it is first polled, which happens in their order.
        let prepared = |one: &Statement| self.steady.get(&one.sql).and_then(Option::as_ref);
        let asked = sent.iter().map(|one| one.ask(&self.client, prepared(one)));
        let answers = wait(&mut self.line, join_all(asked), deadline);
        let Some(answers) = answers else {
            self.is_broken = true;
            return Err(Failure::Lost("it took too long to answer".into()));
        };
        let mut rows = Vec::with_capacity(answers.len());
        for answer in answers {
            match answer {
                Ok(one) => rows.push(one),
                Err(error) => return Err(self.failed(error)),
            }
        }
        let mut rows: Vec<Option<Vec<Row>>> = rows.into_iter().map(Some).collect();
        let taken = places.into_iter().map(|place| rows[place].take());
        Ok(taken.map(Option::unwrap_or_default).collect())
    }

    fn failed(&mut self, error: tokio_postgres::Error) -> Failure {
        let failure = Failure::from(error);
        self.goes_by_keys = None;
        self.steady.clear();
        self.is_broken |= matches!(failure, Failure::Lost(_)) || self.client.is_closed();
        failure
    }

    /// Lets the server prepare the steady statements that are sent for the second time.
    fn prepare(&mut self, statements: &[Statement], deadline: Instant) -> Result<(), Failure> {
        if self.steady.len() > MOST_STEADY {
            self.steady.clear();
        }
        let mut again: Vec<&Statement> = Vec::new();
        let steady = |one: &&Statement| one.is_steady && !one.parameters.is_empty();
        for one in statements.iter().filter(steady) {
            match self.steady.get(&one.sql) {
                None => drop(self.steady.insert(one.sql.clone(), None)),
                Some(None) if again.iter().all(|other| other.sql != one.sql) => again.push(one),
                Some(_) => {}
            }
        }
        if again.is_empty() {
            return Ok(());
        }
        let types: Vec<Vec<Type>> = again.iter().map(|one| one.types()).collect();
        let asked = again.iter().zip(&types);
        let asked = asked.map(|(one, types)| self.client.prepare_typed(&one.sql, types));
        let Some(answers) = wait(&mut self.line, join_all(asked), deadline) else {
            self.is_broken = true;
            return Err(Failure::Lost("it took too long to answer".into()));
        };
        for (one, answer) in again.into_iter().zip(answers) {
            let prepared = answer.map_err(|error| self.failed(error))?;
            self.steady.insert(one.sql.clone(), Some(prepared));
        }
        Ok(())
    }

    /// Whether the server has closed it, as far as is known.
    fn is_closed(&mut self) -> bool {
        attend(&mut self.line, &mut Context::from_waker(Waker::noop()));
        self.client.is_closed()
    }

    /// Whether the server knows of an attribute that some document has several values.
    pub fn has_noted(&self, name: &(i32, String)) -> bool {
        self.noted.contains(name)
    }

    /// Remembers that it knows.
    pub fn note(&mut self, names: Vec<(i32, String)>) {
        if self.noted.len() > MOST_NOTED {
            self.noted.clear();
        }
        self.noted.extend(names);
    }

    /// Sends one statement.
    pub fn one(&mut self, statement: Statement, deadline: Instant) -> Result<Vec<Row>, Failure> {
        let mut rows = self.run(&[statement], deadline)?;
        Ok(rows.pop().unwrap_or_default())
    }

    /// Ends a transaction that failed.
    pub fn roll_back(&mut self) {
        if !self.is_broken {
            let soon = Instant::now() + Duration::from_secs(2);
            let ended = self.run(&[Statement::new("ROLLBACK")], soon);
            self.is_broken |= ended.is_err();
        }
    }
}

impl Drop for Session {
    /// Leaves the line to the thread of the process, which says goodbye to the server.
    fn drop(&mut self) {
        if let (Some(line), Ok(driver)) = (self.line.take(), driver()) {
            driver.spawn(line);
        }
    }
}

/// What lets the server think about each statement, and what lets it go by keys.
const PLANNING: [&str; 2] = [
    "SELECT set_config('plan_cache_mode', 'auto', false), set_config('enable_seqscan', 'on', false),
     set_config('enable_bitmapscan', 'on', false), set_config('enable_hashjoin', 'on', false),
     set_config('enable_mergejoin', 'on', false)",
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),
     set_config('enable_bitmapscan', 'off', false), set_config('enable_hashjoin', 'off', false),
     set_config('enable_mergejoin', 'off', false)",
];

/// A connection remembers so many steady statements, and so many attributes.
const MOST_STEADY: usize = 256;
const MOST_NOTED: usize = 1_024;

/// The connections of a store.
pub struct Pool {
    config: Config,
    tls: Tls,
    most: usize,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Session>,
    lent: usize,
}

/// An idle connection that is older may have been closed by something in between, and is not used for a commit.
const STALE: Duration = Duration::from_secs(240);

impl Pool {
    /// Connections to one server. None is opened yet.
    pub fn new(config: Config, tls: Tls, most: usize) -> Pool {
        Pool {
            config,
            tls,
            most,
            state: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Connections of its own to the same server.
    pub fn another(&self, most: usize) -> Pool {
        Pool::new(self.config.clone(), self.tls.clone(), most)
    }

    /// Lends a connection; waits for one if all are lent.
    pub fn lend(&self, deadline: Instant) -> Result<Lent<'_>, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            while let Some(mut session) = state.idle.pop() {
                if !session.is_closed() && session.idle_since.elapsed() < STALE {
                    state.lent += 1;
                    return Ok(Lent {
                        pool: self,
                        session: Some(session),
                    });
                }
            }
            if state.lent < self.most {
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let most = self.most;
                return Err(Failure::Crossed(format!(
                    "all {most} connections of this process are in use; allow more with `connections` in the address"
                )));
            }
            let waited = self.returned.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.lent += 1;
        drop(state);
        let mut lent = Lent {
            pool: self,
            session: None,
        };
        lent.session = Some(Session::open(&self.config, &self.tls, deadline)?);
        Ok(lent)
    }

    /// Closes what is idle: after a server has failed, the others are connections to it as well.
    pub fn forget_idle(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.idle.clear();
    }
}

/// A connection that is lent; it goes back when this is dropped.
pub struct Lent<'p> {
    pool: &'p Pool,
    session: Option<Session>,
}

impl Lent<'_> {
    /// The connection.
    pub fn session(&mut self) -> Result<&mut Session, Failure> {
        self.session
            .as_mut()
            .ok_or_else(|| Failure::Other("a connection was lent that was never opened".into()))
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut state = self
            .pool
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.lent -= 1;
        if let Some(mut session) = self.session.take().filter(|session| !session.is_broken) {
            session.idle_since = Instant::now();
            state.idle.push(session);
        }
        self.pool.returned.notify_one();
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("Pool")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_with_the_answer_or_with_the_time() {
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(wait(&mut None, std::future::ready(7), soon), Some(7));
        assert_eq!(wait(&mut None, std::future::pending::<()>(), soon), None);
    }
}
