# SPDX-License-Identifier: GPL-2.0-only
"""Runs Debian's headless Chromium once."""
import os
import subprocess
import sys

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-extensions", "--disable-dev-shm-usage"]


def run(url, *flags, profile="profile"):
    """What the browser says on its standard output; its log goes to chromium.log."""
    command = ["chromium", *FLAGS, "--user-data-dir=" + os.path.abspath(profile), *flags, url]
    got = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if got.returncode != 0:
        sys.stderr.write(got.stderr)
        raise SystemExit("chromium ended with status %d" % got.returncode)
    return got.stdout
