#!/bin/sh
# Tests the adapter and builds adapter.wasm. What it needs is installed into node_modules.
set -eu
cd "$(dirname "$0")"

[ -d node_modules ] || npm install --silent --no-audit --no-fund
npm test --silent
npm run build --silent
