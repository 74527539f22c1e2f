# SPDX-License-Identifier: GPL-2.0-only
"""Makes a virtual environment, puts a package into it, and runs its console script."""
import glob
import os
import subprocess
import venv

venv.create("env", with_pip=False, symlinks=True)
site, = glob.glob("env/lib/python3*/site-packages")
os.makedirs(os.path.join(site, "greeter"))
with open(os.path.join(site, "greeter", "__init__.py"), "w") as f:
    f.write("import sys\n\ndef main():\n    print('hello from', sys.prefix)\n")
script = os.path.abspath("env/bin/greet")
with open(script, "w") as f:
    f.write("#!%s\nimport greeter\n\ngreeter.main()\n" % os.path.abspath("env/bin/python3"))
os.chmod(script, 0o755)
out = subprocess.check_output([script], text=True).strip()
assert out == "hello from " + os.path.abspath("env"), out
print("venv:", out)
