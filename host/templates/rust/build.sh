#!/bin/sh
# Tests the adapter and builds adapter.wasm. It needs the target: rustup target add wasm32-wasip2
set -eu
cd "$(dirname "$0")"

# Wherever else things are built here: this is where the component is looked for.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}"
cargo test --quiet
cargo build --quiet --release --target wasm32-wasip2
cp "$CARGO_TARGET_DIR/wasm32-wasip2/release/adapter.wasm" adapter.wasm
