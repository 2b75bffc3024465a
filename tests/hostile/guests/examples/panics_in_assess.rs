//! Panics when it is asked to judge a step.

twiceshy_hostile::guest!("panics-in-assess", || panic!(
    "a step that nobody thought of: {}",
    6 * 7
));
