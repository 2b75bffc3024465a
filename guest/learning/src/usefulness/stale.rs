//! Stale: when a lesson is archived for its age and disuse.

use twiceshy_text::instant::DAY_MS;
use twiceshy_wit::memory::LessonStatus;

use super::Evidence;

/// Days without use after which a lesson is archived.
const UNUSED_DAYS: u64 = 180;

/// The same for one that is little relied on, and for a candidate that was never shown.
const DOUBTFUL_DAYS: u64 = 90;

/// The same for a promoted one that is well relied on: a yearly task keeps what it needs.
const PROVEN_DAYS: u64 = 365;

/// Below this a lesson is little relied on.
const LOW_RELIABILITY: f64 = 0.4;

/// From here on it is well relied on.
const GOOD_RELIABILITY: f64 = 0.6;

/// Why a lesson is to be archived for age and disuse; none if it is not. Use is a showing in a run that did what the
/// lesson speaks of; a lesson that was never used, or that was set aside since, is as old as its last change.
pub fn stale(
    evidence: &Evidence,
    status: LessonStatus,
    updated_at: u64,
    now: u64,
) -> Option<String> {
    if status == LessonStatus::Archived {
        return None;
    }
    let used_at = match evidence.beside {
        0 => evidence.last_shown_at,
        _ => evidence.last_used_at,
    };
    let used_at = used_at.unwrap_or(updated_at).max(updated_at);
    let days = now.saturating_sub(used_at) / DAY_MS;
    let never = evidence.last_shown_at.is_none();
    let reliability = evidence.reliability;
    let promoted = status == LessonStatus::Promoted;
    let (limit, kind) = if reliability < LOW_RELIABILITY {
        (DOUBTFUL_DAYS, "of little reliability")
    } else if never && status == LessonStatus::Candidate {
        (DOUBTFUL_DAYS, "a candidate that was never shown")
    } else if promoted && reliability >= GOOD_RELIABILITY {
        (PROVEN_DAYS, "promoted and reliable")
    } else {
        (UNUSED_DAYS, "not well proven")
    };
    (days >= limit).then(|| {
        format!("unused for {days} days; {kind} (reliability {reliability:.2}), the limit is {limit} days")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_stale(status: LessonStatus, reliability: f64, shown: bool, days: u64) -> bool {
        let evidence = Evidence {
            reliability,
            last_shown_at: shown.then_some(0),
            ..Evidence::default()
        };
        stale(&evidence, status, 0, days * DAY_MS).is_some()
    }

    #[test]
    fn disuse_archives_sooner_what_is_less_relied_on() {
        use LessonStatus::{Candidate, Promoted, Suppressed};
        for (status, reliability, shown, days) in [
            (Candidate, 0.5, true, 180),
            (Candidate, 0.5, false, 90),
            (Candidate, 0.39, true, 90),
            (Suppressed, 0.2, true, 90),
            (Promoted, 0.5, true, 180),
            (Promoted, 0.8, true, 365),
        ] {
            assert!(
                is_stale(status, reliability, shown, days),
                "{status:?} {days}"
            );
            assert!(
                !is_stale(status, reliability, shown, days - 1),
                "{status:?} {days}"
            );
        }
    }

    #[test]
    fn to_be_shown_beside_what_is_done_is_no_use() {
        let evidence = Evidence {
            last_shown_at: Some(400 * DAY_MS),
            beside: 50,
            ..Evidence::default()
        };
        let is_stale = |evidence: &Evidence| {
            stale(evidence, LessonStatus::Candidate, 0, 400 * DAY_MS).is_some()
        };
        assert!(is_stale(&evidence));
        let used = Evidence {
            last_used_at: Some(390 * DAY_MS),
            ..evidence
        };
        assert!(!is_stale(&used));
    }

    #[test]
    fn what_is_archived_is_not_archived_again() {
        assert!(!is_stale(LessonStatus::Archived, 0.1, true, 9_999));
    }
}
