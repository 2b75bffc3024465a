//! x
/// shim
pub fn follows(rule: &str, action: &str) -> bool {
    rule.split("CORRECT: ").nth(1).is_some_and(|c| c == action)
}
/// shim
pub fn conflict(_: &str, _: &str) -> bool {
    false
}
/// shim
pub fn normalised(rule: &str) -> String {
    crate::text::terms(rule).join(" ")
}
