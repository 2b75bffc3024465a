//! Calls itself without end, with something on the stack each time.

#[expect(unconditional_recursion, reason = "that is its deed")]
fn deeper(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 64]);
    deeper(depth + 1) + here[7]
}

twiceshy_hostile::guest!("recurses", || deeper(0).to_string());
