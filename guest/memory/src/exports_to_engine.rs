//! The component's exports, served by the engine.

use twiceshy_wit::{memory::Error, rpc};

use crate::{Component, exports::twiceshy::memory::rpc::Guest, ports_from_imports::engine};

twiceshy_wit::serve_exports!(
    Component,
    crate::ports_from_imports::engine,
    crate::exports::twiceshy::memory
);

impl Guest for Component {
    fn call(method: String, arguments: String) -> Result<String, Error> {
        rpc::call(&engine(), &method, &arguments)
    }
}
