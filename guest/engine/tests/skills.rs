//! Skills: procedures as Markdown, their versions, and how they are found.

use crate::support::World;
use twiceshy_wit::memory::*;

const API: &str = "# Skill: API Endpoint Implementation

## Prerequisites
- OpenAPI spec exists at .loki/specs/openapi.yaml
- Database schema defined

## Steps
1. Read endpoint spec from openapi.yaml
2. Create route handler in src/routes/{resource}.ts
3. Implement request validation using spec schema
4. Implement business logic
5. Add database operations if needed
6. Return response matching spec schema
7. Write contract tests
8. Run tests, verify passing

## Common Errors & Fixes
- Missing return type: Add `: void` to handler
- Schema mismatch: Regenerate types from spec

## Exit Criteria
- All contract tests pass
- Response matches OpenAPI spec
- No TypeScript errors
";

const DEBUGGING: &str = "# Skill: Debugging\n\n## Steps\n1. Reproduce it\n2. Bisect the commits\n";

#[test]
fn a_skill_is_kept_as_it_was_written_and_read_by_its_sections() {
    let world = World::new();
    let engine = world.engine();
    let skill = Skills::put(&engine, "api-implementation", API).expect("a skill");
    assert_eq!(skill.markdown, API);
    assert_eq!(skill.title, "API Endpoint Implementation");
    assert_eq!(
        skill.prerequisites,
        [
            "OpenAPI spec exists at .loki/specs/openapi.yaml",
            "Database schema defined"
        ]
    );
    assert_eq!(skill.steps.len(), 8);
    assert_eq!(skill.steps[7], "Run tests, verify passing");
    assert_eq!(skill.common_errors[0].error, "Missing return type");
    assert_eq!(skill.common_errors[0].fix, "Add `: void` to handler");
    assert_eq!(skill.exit_criteria.len(), 3);
    assert_eq!((skill.version, skill.status), (1, LessonStatus::Candidate));
    assert_eq!(
        Skills::get(&engine, "api-implementation").as_ref(),
        Ok(&skill)
    );
    // It is a lesson beside it, which a person vouches for.
    let lesson = Lessons::get(&engine, &skill.id).expect("its lesson");
    assert_eq!(
        (lesson.kind, lesson.trust),
        (LessonKind::Skill, Trust::Vouched)
    );
    assert!(
        lesson
            .rule_text
            .contains("API Endpoint Implementation (api-implementation)")
    );
    assert_eq!(engine.verify(), Ok(Vec::new()));
}

#[test]
fn a_changed_skill_is_a_new_version_and_the_old_one_stays_on_record() {
    let world = World::new();
    let engine = world.engine();
    let first = Skills::put(&engine, "api", API).expect("a skill");
    world.pass(1_000);
    assert_eq!(
        Skills::put(&engine, "api", API),
        Ok(first.clone()),
        "the same text changes nothing"
    );
    let changed = API.replace("Write contract tests", "Write contract tests first");
    let second = Skills::put(&engine, "api", &changed).expect("a version");
    assert_eq!((second.version, &second.id), (2, &first.id));
    assert_eq!(second.markdown, changed);
    let history = Skills::history(&engine, "api").expect("versions");
    assert_eq!(history.len(), 1);
    assert_eq!((history[0].version, history[0].markdown.as_str()), (1, API));
    assert_eq!(Skills::all(&engine).expect("skills").len(), 1);
}

#[test]
fn a_retired_skill_is_out_of_use_until_it_is_written_anew() {
    let world = World::new();
    let engine = world.engine();
    Skills::put(&engine, "api", API).expect("a skill");
    let retired = Skills::retire(&engine, "api", "superseded").expect("retired");
    assert_eq!(retired.status, LessonStatus::Deprecated);
    assert_eq!(Skills::all(&engine), Ok(Vec::new()));
    assert_eq!(
        Skills::find(&engine, "implement an api endpoint", 5),
        Ok(Vec::new())
    );
    assert_eq!(
        Skills::get(&engine, "api").expect("on record").markdown,
        API
    );
    assert_eq!(
        Skills::retire(&engine, "api", "again")
            .expect("no change")
            .status,
        LessonStatus::Deprecated
    );
    let back = Skills::put(&engine, "api", API).expect("back");
    assert_eq!((back.version, back.status), (1, LessonStatus::Promoted));
    assert!(matches!(
        Skills::retire(&engine, "api", " "),
        Err(Error::InvalidArgument(_))
    ));
    assert!(matches!(
        Skills::retire(&engine, "none", "x"),
        Err(Error::NotFound(_))
    ));
}

#[test]
fn skills_are_found_by_keywords_best_first() {
    let world = World::new();
    let engine = world.engine();
    Skills::put(&engine, "api-implementation", API).expect("a skill");
    Skills::put(&engine, "debugging", DEBUGGING).expect("a skill");
    let hits = Skills::find(&engine, "implement an endpoint of the API", 5).expect("hits");
    assert_eq!(hits.len(), 1, "{hits:?}");
    assert_eq!(hits[0].skill.slug, "api-implementation");
    // `endpoint` and `api` are words of the title; `implement` is one of the steps.
    assert_eq!(hits[0].keywords, ["api", "endpoint", "implement"]);
    assert!(
        (hits[0].score - 2.5 / 3.0).abs() < 1e-9,
        "{}",
        hits[0].score
    );
    let both = Skills::find(&engine, "debugging of database tests", 5).expect("hits");
    let slugs: Vec<_> = both.iter().map(|hit| hit.skill.slug.as_str()).collect();
    assert_eq!(slugs, ["api-implementation", "debugging"], "{both:?}");
    assert_eq!(Skills::find(&engine, "the of and", 5), Ok(Vec::new()));
    assert_eq!(
        Skills::find(&engine, "debugging of database tests", 1)
            .expect("one")
            .len(),
        1
    );
    let request = TaskContext {
        task: "debugging".to_owned(),
        domain: "cli".to_owned(),
        recent_fingerprints: Vec::new(),
        limit: None,
        tokens: None,
    };
    let hints = Recall::for_task(&engine, &request).expect("hints");
    assert!(
        hints
            .iter()
            .any(|hint| hint.lesson.kind == LessonKind::Skill),
        "{hints:?}"
    );
}

#[test]
fn a_rare_keyword_outweighs_those_that_all_skills_have() {
    let world = World::new();
    let engine = world.engine();
    let skill = |title: &str| format!("# Skill: {title}\n\n## Steps\n\n1. Look at it\n");
    for number in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"] {
        let slug = format!("deploy-service-{number}");
        Skills::put(&engine, &slug, &skill(&format!("Deploy service {number}"))).expect("a skill");
    }
    Skills::put(&engine, "certificates", &skill("Certificates")).expect("a skill");
    let hits = Skills::find(&engine, "deploy service certificates", 3).expect("hits");
    assert_eq!(hits[0].skill.slug, "certificates", "{hits:?}");
    assert!(
        hits[0].score < hits[1].score,
        "it has fewer of the keywords"
    );
}

#[test]
fn a_skill_that_can_not_be_kept_is_refused_and_changes_nothing() {
    let world = World::new();
    let engine = world.engine();
    let long = format!("{DEBUGGING}{}", "x".repeat(64 << 10));
    for (slug, text, part) in [
        ("", DEBUGGING, "slug"),
        ("../up", DEBUGGING, "slug"),
        ("Upper", DEBUGGING, "slug"),
        ("-flag", DEBUGGING, "slug"),
        ("a.b", DEBUGGING, "slug"),
        (&"a".repeat(65), DEBUGGING, "64"),
        ("long", &long, "65536"),
        ("no-steps", "# Skill: x\n", "line 1"),
    ] {
        match Skills::put(&engine, slug, text) {
            Err(Error::InvalidArgument(message)) => assert!(message.contains(part), "{message}"),
            other => panic!("{slug}: {other:?}"),
        }
    }
    assert_eq!(Skills::all(&engine), Ok(Vec::new()));
    assert_eq!(engine.status().expect("status").lessons, 0);
}

#[test]
fn a_secret_in_a_skill_is_masked_before_it_is_kept() {
    let world = World::new();
    let engine = world.engine();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let text =
        format!("# Skill: Deploy\n\n## Steps\n1. curl -H 'Authorization: Bearer {token}' x\n");
    let skill = Skills::put(&engine, "deploy", &text).expect("a skill");
    assert!(!format!("{skill:?}").contains(&token));
    let lesson = Lessons::get(&engine, &skill.id).expect("its lesson");
    assert!(!format!("{lesson:?}").contains(&token));
}

#[test]
fn a_pattern_with_steps_becomes_a_skill_that_is_related_to_it() {
    let world = World::new();
    let engine = world.engine();
    let pattern = |content: serde_json::Value| -> NewPattern {
        serde_json::from_value(serde_json::json!({
            "name": "Release a version", "kind": "sequence", "summary": "How a version is released",
            "correct-approach": "tag last", "incorrect-approach": "tag first",
            "applicability": {"conditions": ["tests pass"]}, "content": content,
        }))
        .expect("a pattern")
    };
    let procedure = serde_json::json!({"procedure": {"steps": ["Bump the version", "Tag it"],
        "branching-logic": ["if CI fails, stop"], "termination-conditions": ["the tag is pushed"]}});
    let added = Patterns::add(&engine, &pattern(procedure)).expect("a pattern");
    let skill = Skills::make_of_pattern(&engine, &added.lesson.id, "release").expect("a skill");
    assert_eq!(skill.title, "Release a version");
    assert_eq!(skill.prerequisites, ["tests pass"]);
    assert_eq!(skill.steps, ["Bump the version", "Tag it"]);
    assert_eq!(skill.exit_criteria, ["the tag is pushed"]);
    assert_eq!(
        (
            skill.common_errors[0].error.as_str(),
            skill.common_errors[0].fix.as_str()
        ),
        ("tag first", "tag last")
    );
    assert!(
        skill
            .markdown
            .contains("## Branches\n- if CI fails, stop\n"),
        "{}",
        skill.markdown
    );
    let links = engine.of_memory(&skill.id).expect("links");
    assert_eq!(
        (links[0].relation, &links[0].target),
        (Relation::DerivedFrom, &added.lesson.id)
    );
    assert_eq!(engine.verify(), Ok(Vec::new()));
    let template =
        serde_json::json!({"template": {"structure": {"subtasks": [{"name": "Design"}, "Build"]}}});
    let mut other = pattern(template);
    other.summary = "How it is cut".to_owned();
    other.kind = LessonKind::Decomposition;
    other.correct_approach = Some("cut it".to_owned());
    let other = Patterns::add(&engine, &other).expect("a pattern");
    let skill = Skills::make_of_pattern(&engine, &other.lesson.id, "cut").expect("a skill");
    assert_eq!(skill.steps, ["Design", "Build"]);
    let rule = engine
        .propose(&crate::support::proposal("WRONG: a → CORRECT: b", "a: no"))
        .expect("a lesson");
    assert!(matches!(
        Skills::make_of_pattern(&engine, &rule.id, "rule"),
        Err(Error::Conflict(_))
    ));
    assert!(matches!(
        Skills::make_of_pattern(&engine, "none", "none"),
        Err(Error::NotFound(_))
    ));
}

#[test]
fn a_skill_in_use_is_found_behind_any_number_of_retired_ones() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..70 {
        let slug = format!("debugging-{number}");
        Skills::put(&engine, &slug, DEBUGGING).expect("a skill");
        engine.retire(&slug, "it is old").expect("retired");
    }
    let wordy = DEBUGGING.replace("Bisect", "Read the log, and think, then bisect all of");
    Skills::put(&engine, "zeal", &wordy).expect("a skill");
    let found = Skills::find(&engine, "bisect the commits", 5).expect("found");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].skill.slug, "zeal");
    assert_eq!(Skills::all(&engine).expect("listed").len(), 1);
}
