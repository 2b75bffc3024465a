//! The contract of the memory, served by the component: each call is passed to a lent instance.

use crate::memory::Memory;

twiceshy_wit::serve_memory!(Memory);
