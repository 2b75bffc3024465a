#!/bin/sh
# Installs the small tools that the set of real invocations runs and that are missing, where that is possible.
# What can't be installed is skipped by the test, which says so.
missing=
for tool in sqlite3 jq make; do
    command -v "$tool" > /dev/null || missing="$missing $tool"
done
[ -z "$missing" ] && exit 0
command -v apt-get > /dev/null || exit 0
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing > /dev/null 2>&1 ||
    { apt-get update > /dev/null 2>&1 &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing > /dev/null 2>&1; } ||
    echo "could not install:$missing"
