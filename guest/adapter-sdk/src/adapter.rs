//! The adapter: what its author writes, and how a step reaches it.
//!
//! Owns reading the payloads of a step into the author's types, and the component around it. What feedback a
//! step gets is the author's business.

use std::{fmt, marker::PhantomData};

use crate::contract::{Assess, Error, Feedback, Goal, Manifest, PastStep, Step};
use serde::de::DeserializeOwned;

use crate::{
    bounds::{bounded, bounded_refusal},
    payload::read,
};

/// A domain adapter.
pub trait Adapter: Sized {
    /// What was done. Refuses members that it does not know, so that a misspelt one is not lost.
    type Action: DeserializeOwned;
    /// What was seen, before the action or after it.
    type Observation: DeserializeOwned;
    /// What must hold after a step; its default expects nothing in particular.
    type Expectations: DeserializeOwned + Default;

    /// Says what this adapter is. Always the same.
    fn describe() -> Manifest;

    /// Judges one step. A pure function of what was seen. Texts that are longer than the contract allows are cut,
    /// and the line of the action is made one line.
    ///
    /// # Errors
    /// `invalid-input` for a payload that does not fit, `unsupported` for a step that can't be judged.
    fn assess(seen: &Seen<Self>) -> Result<Feedback, Error>;
}

/// A step as it was seen.
pub struct Seen<'s, A: Adapter> {
    /// The task in words. May be empty.
    pub task: &'s str,
    /// What must hold after the step.
    pub expectations: A::Expectations,
    /// What was seen before the action; none where it is not known.
    pub before: Option<A::Observation>,
    /// What was done.
    pub action: A::Action,
    /// What was seen after it.
    pub observation: A::Observation,
    /// Earlier steps, oldest first, at most 16, as they were given.
    pub recent: &'s [PastStep],
}

/// An earlier step.
pub struct Past<'s, A: Adapter> {
    /// What was seen before it; none where it is not known.
    pub before: Option<A::Observation>,
    /// What was done.
    pub action: A::Action,
    /// What was seen after it.
    pub observation: A::Observation,
    /// The feedback that was given on it.
    pub feedback: &'s Feedback,
}

impl<A: Adapter> Seen<'_, A> {
    /// Earlier steps, oldest first. One that can't be read any more is passed over: it may have been shortened
    /// or masked since.
    pub fn past(&self) -> impl DoubleEndedIterator<Item = Past<'_, A>> {
        self.recent.iter().filter_map(|past| {
            Some(Past {
                before: before(&past.step).ok()?,
                action: read("action", &past.step.action).ok()?,
                observation: read("observation", &past.step.observation).ok()?,
                feedback: &past.feedback,
            })
        })
    }
}

/// An adapter behind the contract's trait.
pub struct Judge<A>(PhantomData<A>);

impl<A> Judge<A> {
    /// The adapter `A`.
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<A> Default for Judge<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Adapter> fmt::Debug for Judge<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Judge")
            .field(&A::describe().name)
            .finish()
    }
}

impl<A: Adapter> Assess for Judge<A> {
    fn describe(&self) -> Manifest {
        A::describe()
    }

    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Result<Feedback, Error> {
        match seen::<A>(goal, recent, step).and_then(|seen| A::assess(&seen)) {
            Ok(feedback) => Ok(bounded(feedback)),
            Err(refusal) => Err(bounded_refusal(refusal)),
        }
    }
}

/// A step, read into the author's types.
fn seen<'s, A: Adapter>(
    goal: &'s Goal,
    recent: &'s [PastStep],
    step: &Step,
) -> Result<Seen<'s, A>, Error> {
    let domain = A::describe().domain;
    if goal.domain != domain {
        return Err(Error::Unsupported(format!(
            "this adapter judges steps of the domain {domain}, not of {:?}; use the adapter of that domain",
            goal.domain
        )));
    }
    let expectations = match goal.expectations.trim() {
        "" => A::Expectations::default(),
        text => read("expectations", text)?,
    };
    Ok(Seen {
        task: &goal.task,
        expectations,
        before: before(step)?,
        action: read("action", &step.action)?,
        observation: read("observation", &step.observation)?,
        recent,
    })
}

fn before<T: DeserializeOwned>(step: &Step) -> Result<Option<T>, Error> {
    match step.before.trim() {
        "" => Ok(None),
        text => read("before", text).map(Some),
    }
}

/// Makes a crate of type `cdylib` the component of an adapter, and a panic in it a message in the host's error. Does
/// nothing on any target that is not WebAssembly.
#[macro_export]
macro_rules! export {
    ($adapter:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            struct Component;

            impl $crate::bindings::exports::twiceshy::adapter::assess::Guest for Component {
                fn describe() -> $crate::Manifest {
                    $crate::last_words::report_panics();
                    $crate::Assess::describe(&$crate::Judge::<$adapter>::new())
                }

                fn assess(
                    goal: $crate::Goal,
                    recent: Vec<$crate::PastStep>,
                    step: $crate::Step,
                ) -> Result<$crate::Feedback, $crate::Error> {
                    $crate::last_words::report_panics();
                    let judge = $crate::Judge::<$adapter>::new();
                    $crate::Assess::assess(&judge, &goal, &recent, &step)
                }
            }

    $crate::bindings::export_component!(Component with_types_in $crate::bindings);
        };
    };
}
