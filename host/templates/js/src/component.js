// The component: what `build.sh` makes `adapter.wasm` from. The adapter itself is in `api.js`.

import { report } from 'twiceshy:adapter/diagnostics@0.1.0';
import { api } from './api.js';
import { component } from './twiceshy-adapter.js';

export const assess = component(api, report);
