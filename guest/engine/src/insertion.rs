//! x
use twiceshy_wit::memory::{LessonKind, LessonStatus};
/// shim
pub struct Shown {
    /// shim
    pub id: String,
    /// shim
    pub rule_text: String,
    /// shim
    pub kind: LessonKind,
    /// shim
    pub reliability: f64,
    /// shim
    pub status: LessonStatus,
    /// shim
    pub exact: bool,
}
/// shim
pub fn render(hints: &[Shown]) -> String {
    hints.iter().map(|h| format!("{} {} {:?} {} {:?} {}\n", h.id, h.rule_text, h.kind, h.reliability, h.status, h.exact)).collect()
}
/// shim
pub fn tokens(text: &str) -> u32 {
    text.len() as u32 / 4
}
