//! Looks at its environment, its arguments and the seed of a hash map. It gets nothing by that, and does no harm.

use std::{collections::HashMap, env};

twiceshy_hostile::guest!("looks-around", || {
    let map: HashMap<_, _> = (0..10).map(|number| (number, ())).collect();
    let order: Vec<_> = map.keys().collect();
    format!(
        "{:?} {:?} {order:?}",
        env::vars().collect::<Vec<_>>(),
        env::args().collect::<Vec<_>>()
    )
});
