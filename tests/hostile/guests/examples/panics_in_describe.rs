//! Panics when it is asked what it is.

twiceshy_hostile::guest!(
    "panics-in-describe",
    String::new,
    panic!("no manifest at hand")
);
