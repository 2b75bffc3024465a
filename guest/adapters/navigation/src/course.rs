//! The course: whether moves lead anywhere.
//!
//! Owns what is reported about a move without effect, of going and turning to and fro, and of a goal that recedes. It looks at
//! the recent moves; those that can't be read are passed over. What it says names what the agent stood before, never
//! where: the same trouble elsewhere is the same trouble.

use twiceshy_adapter::{Seen, Violation};

use crate::{
    Navigation,
    payload::Observation,
    point::{Point, distance, turned},
    way::{self, left},
};

/// Moves in a row without effect after which an agent does not get away by itself.
const STUCK: usize = 3;

/// Places, one after the other, that show going to and fro: as many as show a cycle of two places three times.
const VISITS: usize = 6;

/// The most places that going to and fro has.
const PLACES: usize = 3;

/// Turns on one spot, each against the one before, that show turning to and fro.
const REVERSALS: usize = 6;

/// Degrees on one spot, all in one direction, that show turning round and round: after one circle all has been seen.
const SPINNING: f64 = 720.0;

/// Moves in a row that lead away from the goal as the crow flies: a detour round an obstacle is shorter, or the
/// world knows the real way.
const RECEDING: usize = 4;

/// The conditions of a sensible course that do not hold.
pub(crate) fn violations(seen: &Seen<Navigation>) -> Vec<Violation> {
    if way::is_reached(seen) {
        return Vec::new();
    }
    let course = Course::new(seen);
    let mut violations = Vec::new();
    let mut tell = |condition: &str, evidence: String| {
        violations.push(Violation {
            condition: condition.to_owned(),
            evidence,
        });
    };
    if course.is_stuck() {
        // First what is the same however long it lasts.
        let action = seen.action.told(seen.before.as_ref());
        tell(
            "the move has an effect",
            format!("stuck: {action} changed nothing"),
        );
        if course.stuck_for() >= STUCK {
            tell(
                "the agent gets away",
                format!("still stuck: no move had an effect for {STUCK} moves or more"),
            );
        }
    } else if let Some(places) = course.to_and_fro() {
        tell(
            "the course leads on",
            format!("oscillating: the agent went to and fro between {places} places"),
        );
    } else if course.turns_to_and_fro() {
        tell(
            "the course leads on",
            "oscillating: the agent turned to and fro on one spot".to_owned(),
        );
    } else if course.turns_round() {
        tell(
            "the course leads on",
            "oscillating: the agent turned round and round on one spot".to_owned(),
        );
    }
    if course.recedes(seen) {
        tell(
            "the goal comes nearer",
            format!("receding: {RECEDING} moves in a row led away from the goal"),
        );
    }
    violations
}

/// What was seen before and after one move.
struct Moved {
    before: Option<Observation>,
    after: Observation,
    /// Whether it was meant to change anything.
    is_move: bool,
}

/// The recent moves and the last one, oldest first.
struct Course {
    moves: Vec<Moved>,
    resolution: f64,
    turn_resolution: f64,
}

impl Course {
    fn new(seen: &Seen<Navigation>) -> Self {
        let mut moves: Vec<_> = seen
            .past()
            .map(|past| Moved {
                before: past.before,
                after: past.observation,
                is_move: past.action.is_move(),
            })
            .collect();
        moves.push(Moved {
            before: seen.before.clone(),
            after: seen.observation.clone(),
            is_move: seen.action.is_move(),
        });
        Self {
            moves,
            resolution: seen.expectations.resolution(),
            turn_resolution: seen.expectations.turn_resolution(),
        }
    }

    fn is_stuck(&self) -> bool {
        self.stuck_for() > 0
    }

    /// The moves without effect at the end of the course.
    fn stuck_for(&self) -> usize {
        let without_effect = |one: &&Moved| {
            let before = one.before.as_ref();
            one.is_move && before.is_some_and(|before| self.is_unchanged(before, &one.after))
        };
        self.moves.iter().rev().take_while(without_effect).count()
    }

    /// Whether nothing of the world that an agent can see was changed.
    fn is_unchanged(&self, before: &Observation, after: &Observation) -> bool {
        self.is_same_place(&before.position, &after.position)
            && self.turn(before, after).is_none()
            && is_same_world(before, after)
            && before.ahead == after.ahead
    }

    fn is_same_place(&self, one: &Point, other: &Point) -> bool {
        distance(one, other).is_some_and(|distance| distance <= self.resolution)
    }

    /// By how much the heading changed, if it did.
    fn turn(&self, before: &Observation, after: &Observation) -> Option<f64> {
        let turn = turned(before.heading?, after.heading?);
        (turn.abs() > self.turn_resolution).then_some(turn)
    }

    /// What was seen at last and before it, the newest first, as long as nothing but the pose changed.
    fn same_world(&self) -> impl Iterator<Item = &Observation> {
        let newest = self.moves.last().map(|last| &last.after);
        let seen = self.moves.iter().rev().map(|one| &one.after);
        seen.take_while(move |one| newest.is_some_and(|newest| is_same_world(newest, one)))
    }

    /// The number of places that the agent went between lately, if it did nothing else: each of them was visited at
    /// least twice. Turning on the way does not make it another one.
    fn to_and_fro(&self) -> Option<usize> {
        let mut visits: Vec<&Point> = Vec::new();
        for one in self.same_world() {
            let last = visits.last();
            if !last.is_some_and(|last| self.is_same_place(last, &one.position)) {
                visits.push(&one.position);
            }
        }
        // It is reported when it comes to a place, not while it looks around there.
        let arrived = match &self.moves.last()?.before {
            Some(before) => !self.is_same_place(&before.position, visits.first()?),
            None => true,
        };
        let visits = visits.get(..VISITS).filter(|_| arrived)?;
        let mut places: Vec<(&Point, usize)> = Vec::new();
        for visit in visits {
            match places
                .iter_mut()
                .find(|(place, _)| self.is_same_place(place, visit))
            {
                Some((_, count)) => *count += 1,
                None => places.push((visit, 1)),
            }
        }
        let round = places.len() <= PLACES && places.iter().all(|(_, count)| *count > 1);
        round.then_some(places.len())
    }

    /// The turns on the spot at the end of the course, the newest first: moves that changed the heading and nothing else.
    fn turns(&self) -> Vec<f64> {
        let turns = self.moves.iter().rev().map_while(|one| {
            let before = one.before.as_ref()?;
            let stays = self.is_same_place(&before.position, &one.after.position)
                && is_same_world(before, &one.after);
            self.turn(before, &one.after).filter(|_| stays)
        });
        turns.collect()
    }

    fn turns_to_and_fro(&self) -> bool {
        let turns = self.turns();
        let last = turns.get(..REVERSALS);
        last.is_some_and(|last| last.windows(2).all(|pair| pair[0] * pair[1] < 0.0))
    }

    fn turns_round(&self) -> bool {
        let turns = self.turns();
        let Some(first) = turns.first() else {
            return false;
        };
        let same_direction = turns.iter().take_while(|turn| *turn * first > 0.0);
        same_direction.map(|turn| turn.abs()).sum::<f64>() >= SPINNING
    }

    /// Whether the last moves all led away from the goal. What leaves the distance as it is, such as a turn, is no
    /// step towards it.
    fn recedes(&self, seen: &Seen<Navigation>) -> bool {
        let before = self.moves.first().and_then(|first| first.before.as_ref());
        let observed = before
            .into_iter()
            .chain(self.moves.iter().map(|one| &one.after));
        let ways = observed.filter_map(|one| left(seen, one));
        let mut ways: Vec<f64> = ways.collect();
        let has_moved = ways
            .last_chunk::<2>()
            .is_some_and(|[before, after]| after - before > self.resolution);
        ways.dedup_by(|after, before| (*after - *before).abs() <= self.resolution);
        let grows = |pair: &[f64]| pair[1] > pair[0];
        has_moved
            && ways
                .last_chunk::<{ RECEDING + 1 }>()
                .is_some_and(|last| last.windows(2).all(grows))
    }
}

/// Whether nothing but the pose, and what is seen from it, is different.
fn is_same_world(one: &Observation, other: &Observation) -> bool {
    one.carrying == other.carrying && one.state == other.state
}
