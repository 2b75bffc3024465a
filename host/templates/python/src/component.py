"""The component: what `build.sh` makes `adapter.wasm` from. The adapter itself is in `api.py`."""

from api import Api
from twiceshy_adapter import component
from wit_world.imports import diagnostics

Assess = component(Api(), diagnostics.report)
