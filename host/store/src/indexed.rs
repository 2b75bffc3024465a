//! Owns which attributes are in an index: those that some question begins with.

/// Attributes that no question begins with, by kind and name: they stand in the document alone. Answers do not depend
/// on it; an index that nobody begins with only costs room and time with every document.
pub const NOT_INDEXED: &[(&str, &str)] = &[
    ("step", "at"),
    ("step", "domain"),
    ("step", "index"),
    ("embedding", "agent"),
    ("embedding", "domain"),
    ("embedding", "facet"),
    ("embedding", "model"),
    ("embedding", "outcome"),
    ("embedding", "task-type"),
    ("embedding", "tool"),
    ("experience", "created-at"),
    ("experience", "dimensions"),
    ("experience", "domain"),
    ("experience", "has"),
    ("experience", "type"),
    ("experience", "model"),
    ("experience-use", "state"),
    ("fingerprint", "occurrences"),
    ("task", "domain"),
    #[cfg(test)]
    ("a-b", "y"),
];
