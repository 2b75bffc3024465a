#!/bin/sh
# Installs what the agent needs beside Node: Debian's Chromium, unless it is there.
set -eu
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] && exit 0
export DEBIAN_FRONTEND=noninteractive
# Another installation may be under way: what can't be had now is tried again.
for pause in 5 15 30 60 0; do
    if apt-get update -q && apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium; then
        exit 0
    fi
    sleep "$pause"
done
echo "install.sh: chromium can't be installed; install it by hand, or set CHROMIUM to the program" >&2
exit 1
