#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-javac
# report: healthy
# expect: none
# outcome: ok
# needs: javac java jar
# why: A class is compiled, packed and run; the virtual machine probes the host's limits.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v javac >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >Hello.java <<'END'
import java.nio.file.*;
public class Hello {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("case", ".txt");
        Files.writeString(file, "hello");
        System.out.println(Files.readString(file) + Files.exists(Path.of("absent")));
        Files.delete(file);
    }
}
END
javac -d classes Hello.java
jar --create --file hello.jar --main-class Hello -C classes .
java -Djava.io.tmpdir="$d" -jar hello.jar
