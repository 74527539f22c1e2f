#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-openssl
# report: healthy
# expect: none
# outcome: ok
# needs: openssl
# why: A certificate is made, checked and served over TLS on the loopback.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out cert -days 2 -subj /CN=localhost 2>/dev/null
openssl x509 -in cert -noout -subject
openssl verify -CAfile cert cert
cat >t.py <<'END'
import socket, ssl, threading
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert", "key")
listener = socket.create_server(("127.0.0.1", 0))
def serve():
    with context.wrap_socket(listener.accept()[0], server_side=True) as s:
        s.sendall(b"hi\n")
t = threading.Thread(target=serve)
t.start()
client = ssl.create_default_context(cafile="cert")
client.check_hostname = False
with client.wrap_socket(socket.create_connection(listener.getsockname())) as s:
    print(s.recv(10))
t.join()
END
python3 t.py
head -c 1000 /dev/urandom >plain
openssl enc -aes-256-cbc -pbkdf2 -k secret -in plain | openssl enc -d -aes-256-cbc -pbkdf2 -k secret | cmp - plain
openssl dgst -sha256 plain >/dev/null
