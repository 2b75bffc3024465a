#!/bin/sh
# Tests the adapter and builds adapter.wasm. What it needs is installed into .venv.
set -eu
cd "$(dirname "$0")"

[ -x .venv/bin/componentize-py ] || {
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
}
# The contract as Python modules, for the tests and for your editor.
rm -rf bindings
.venv/bin/componentize-py --quiet -d wit -w adapter bindings bindings
PYTHONPATH=src:bindings .venv/bin/python -m unittest discover -s tests

.venv/bin/componentize-py --quiet -d wit -w adapter componentize --stub-wasi -p src -o adapter.wasm component
