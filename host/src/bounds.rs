//! Bounds on what a component may allocate.
//!
//! Owns the counting over a whole store: a component may hold several memories and tables, and a cap
//! on each would be no cap on their sum.

use wasmtime::ResourceLimiter;

/// What one store may allocate, and what it has.
#[derive(Debug)]
pub(crate) struct Bounds {
    most_bytes: usize,
    most_elements: usize,
    most_items: usize,
    bytes: usize,
    elements: usize,
    /// Whether something was refused: the guest's own error then only says that it gave up.
    pub(crate) refused: bool,
}

impl Bounds {
    pub(crate) fn new(most_bytes: usize, most_elements: usize, most_items: usize) -> Self {
        Self {
            most_bytes,
            most_elements,
            most_items,
            bytes: 0,
            elements: 0,
            refused: false,
        }
    }

    /// The bytes of all linear memories together.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    fn grow(&mut self, total: usize, most: usize) -> bool {
        self.refused |= total > most;
        total <= most
    }
}

impl ResourceLimiter for Bounds {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.bytes.saturating_add(desired - current);
        let allowed = self.grow(total, self.most_bytes);
        if allowed {
            self.bytes = total;
        }
        Ok(allowed)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.elements.saturating_add(desired - current);
        let allowed = self.grow(total, self.most_elements);
        if allowed {
            self.elements = total;
        }
        Ok(allowed)
    }

    fn instances(&self) -> usize {
        self.most_items
    }

    fn tables(&self) -> usize {
        self.most_items
    }

    fn memories(&self) -> usize {
        self.most_items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_memories_share_one_bound() {
        let mut bounds = Bounds::new(100, 10, 4);
        assert!(bounds.memory_growing(0, 60, None).unwrap());
        assert!(!bounds.memory_growing(0, 60, None).unwrap());
        assert!(bounds.refused);
        assert!(bounds.memory_growing(0, 40, None).unwrap());
        assert_eq!(bounds.bytes(), 100);
    }
}
