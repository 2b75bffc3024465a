//! What has to be changed in a list of documents so that it becomes another list, in the same order.
//!
//! Equal scores are ordered by arrival, so that two stores give the same answers only if their documents arrived in the
//! same order. A store only ever adds at the end and removes anywhere.

use std::collections::HashMap;

use super::Entry;

/// What has to be changed, in this order.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// The ids to remove from the target.
    pub removed: Vec<String>,
    /// The places in the source of what has to be written: new at the end, or over what is there.
    pub put: Vec<usize>,
}

/// Plans the way from `target` to `source`. `is_same` says of two entries of one id whether the second needs no writing.
pub fn plan(source: &[Entry], target: &[Entry], is_same: impl Fn(&Entry, &Entry) -> bool) -> Plan {
    let places: HashMap<&str, usize> = source
        .iter()
        .enumerate()
        .map(|(place, entry)| (entry.id.as_str(), place))
        .collect();
    let mut plan = Plan::default();
    // Of each entry of the source whether the target has it in its place, and whether it is the same.
    let mut is_done = vec![false; source.len()];
    let mut next = 0;
    for there in target {
        match places.get(there.id.as_str()) {
            Some(place) if *place == next => {
                is_done[next] = is_same(&source[next], there);
                next += 1;
            }
            // Gone, or it arrived anew after others: then it has to arrive anew here as well.
            _ => plan.removed.push(there.id.clone()),
        }
    }
    plan.put = (0..source.len()).filter(|place| !is_done[*place]).collect();
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries(ids: &str) -> Vec<Entry> {
        ids.chars()
            .map(|id| Entry {
                id: id.to_lowercase().to_string(),
                version: 1 + u32::from(id.is_uppercase()),
                mark: 0,
                bytes: 1,
            })
            .collect()
    }

    fn planned(source: &str, target: &str) -> (String, String) {
        let (source, target) = (entries(source), entries(target));
        let plan = plan(&source, &target, |a, b| a.version == b.version);
        let put = plan.put.iter().map(|place| source[*place].id.clone());
        (plan.removed.concat(), put.collect())
    }

    fn expect(source: &str, target: &str, removed: &str, put: &str) {
        let planned = planned(source, target);
        assert_eq!(
            (planned.0.as_str(), planned.1.as_str()),
            (removed, put),
            "{target} to {source}"
        );
    }

    #[test]
    fn only_what_differs_is_changed() {
        expect("abc", "", "", "abc");
        expect("abc", "abc", "", "");
        expect("aBc", "abc", "", "b");
        expect("abcd", "ab", "", "cd");
        expect("ac", "abc", "b", "");
        expect("acb", "abc", "b", "b");
        expect("", "abc", "abc", "");
    }

    #[test]
    fn what_became_visible_late_is_put_in_its_place() {
        expect("axbc", "abc", "bc", "xbc");
    }

    proptest! {
        #[test]
        fn after_a_plan_both_lists_are_equal(
            source in prop::sample::subsequence("abcdefgH".chars().collect::<Vec<_>>(), 0..8).prop_shuffle(),
            target in prop::sample::subsequence("abcdEFgh".chars().collect::<Vec<_>>(), 0..8).prop_shuffle(),
        ) {
            let source = entries(&source.into_iter().collect::<String>());
            let mut target = entries(&target.into_iter().collect::<String>());
            let plan = plan(&source, &target, |a, b| a.version == b.version);
            target.retain(|entry| !plan.removed.contains(&entry.id));
            for place in plan.put {
                match target.iter_mut().find(|entry| entry.id == source[place].id) {
                    Some(there) => *there = source[place].clone(),
                    None => target.push(source[place].clone()),
                }
            }
            prop_assert_eq!(source, target);
        }
    }
}
