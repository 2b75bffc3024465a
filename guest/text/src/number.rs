//! Functions of numbers whose results do not depend on the machine.
//!
//! Those of the standard library are the platform's: natively another one than in a component, with another last digit.

/// The natural logarithm.
pub fn ln(number: f64) -> f64 {
    libm::log(number)
}

/// The natural logarithm of one more.
pub fn ln_1p(number: f64) -> f64 {
    libm::log1p(number)
}

/// The exponential function.
pub fn exp(number: f64) -> f64 {
    libm::exp(number)
}

/// A power.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}
