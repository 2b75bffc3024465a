//! The bundle for a task: by its goal, with patterns, and at hand before it begins.

use twiceshy_wit::memory::{
    BriefingRequest, ContextRequest, LessonKind, LessonStatus, Lessons, NewPattern, Patterns,
    Recall, Runs, TaskBundle,
};

use crate::support::{World, ending, failure, pattern, run, success};

fn context(world: &World, goal: &str) -> TaskBundle {
    let request = ContextRequest {
        task: goal.to_owned(),
        domain: "cli".to_owned(),
        task_type: None,
        work: None,
        action: None,
        features: Vec::new(),
        limit: None,
        tokens: None,
    };
    world.engine().context(&request).unwrap()
}

fn add(world: &World, summary: &str) -> String {
    let engine = world.engine();
    let new = NewPattern {
        domain: Some("cli".to_owned()),
        ..pattern(LessonKind::Strategy, summary)
    };
    let id = Patterns::add(&engine, &new).unwrap().lesson.id;
    engine
        .set_status(&id, LessonStatus::Promoted, "proven elsewhere")
        .unwrap();
    id
}

fn patterns(bundle: &TaskBundle) -> Vec<&str> {
    let items = bundle.applicable_patterns.iter();
    items.map(|item| item.id.as_str()).collect()
}

#[test]
fn patterns_come_by_the_goal_and_by_nothing_else() {
    let world = World::new();
    let column = add(&world, "Backfill a new orders column in batches");
    let bread = add(&world, "Let the dough of the bread rest for a night");
    assert_eq!(
        patterns(&context(&world, "add a column to the orders table")),
        [column.as_str()]
    );
    assert_eq!(
        patterns(&context(&world, "bake bread from dough")),
        [bread.as_str()]
    );
    assert_eq!(patterns(&context(&world, "tune the piano")), [""; 0]);
}

#[test]
fn before_a_task_begins_what_is_known_of_it_is_at_hand_as_context_and_as_briefing() {
    let world = World::new();
    let engine = world.engine();
    let task = "count the rows of the sales sheet";
    let steps = [
        failure("gridtool count --rows 5", "gridtool: unknown option --rows"),
        success("gridtool count rows=5"),
    ];
    engine.submit(&run(task), &steps, &ending()).unwrap();
    let learned = Lessons::find(&engine, &Default::default())
        .unwrap()
        .remove(0)
        .id;
    let bundle = context(&world, task);
    assert!(bundle.text.contains(&learned), "{}", bundle.text);
    let open = engine.start(&run(task)).unwrap();
    let briefing = engine.brief(&open.id, &BriefingRequest::default()).unwrap();
    assert!(briefing.text.contains(&learned), "{}", briefing.text);
    assert_eq!(
        engine.latest_steps(&open.id, 1).unwrap(),
        [],
        "nothing was done yet"
    );
}
