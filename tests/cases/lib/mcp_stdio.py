# SPDX-License-Identifier: GPL-2.0-only
"""mcp_stdio.py: MCP over stdio in a few lines, for cases that copy it beside their own programs.

serve({name: function}) answers requests from stdin until it ends: a function takes the arguments by name and returns a
text, a list of contents, or a dict that becomes structured content; what it raises becomes an isError. Client("python3", "server.py").call("name", key=…) returns
the result, .text() its text (and raises Refused where it is an error).
"""
import json
import os
import select
import subprocess
import sys
import time

VERSION = "2025-06-18"


class Refused(Exception):
    pass


def reply(request, tools):
    """The answer to one request; None for a notification."""
    method, params = request.get("method"), request.get("params", {})
    answer = {"jsonrpc": "2.0", "id": request.get("id")}
    if "id" not in request:
        return None
    if method == "initialize":
        answer["result"] = {
            "protocolVersion": VERSION,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": os.path.basename(sys.argv[0]), "version": "1.0"},
        }
    elif method == "ping":
        answer["result"] = {}
    elif method == "tools/list":
        answer["result"] = {
            "tools": [{"name": n, "inputSchema": {"type": "object"}} for n in tools]
        }
    elif method != "tools/call":
        answer["error"] = {"code": -32601, "message": "Method not found: %s" % method}
    elif params.get("name") not in tools:
        answer["error"] = {"code": -32602, "message": "Unknown tool: %s" % params.get("name")}
    else:
        answer["result"] = run(tools[params["name"]], params.get("arguments", {}))
    return answer


def run(tool, arguments):
    try:
        content = tool(**arguments)
    except Exception as e:
        return {"content": [{"type": "text", "text": str(e)}], "isError": True}
    if isinstance(content, dict):
        text = [{"type": "text", "text": json.dumps(content)}]
        return {"content": text, "structuredContent": content, "isError": False}
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return {"content": content, "isError": False}


def serve(tools):
    for line in sys.stdin:
        answer = reply(json.loads(line), tools)
        if answer:
            print(json.dumps(answer), flush=True)


class Client:
    def __init__(self, *command, **more):
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more
        )
        self.held, self.number = b"", 0
        self.ask(
            "initialize",
            protocolVersion=VERSION,
            capabilities={},
            clientInfo={"name": "agent", "version": "1.0"},
        )
        self.notify("notifications/initialized")

    def write(self, message):
        self.server.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.stdin.flush()

    def notify(self, method, **params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method, **params):
        """Sends a request; its id."""
        self.number += 1
        self.write({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def line(self, seconds=None):
        """The next line; TimeoutError after these seconds, EOFError where the server has left."""
        end = seconds and time.monotonic() + seconds
        while b"\n" not in self.held:
            left = end and max(0, end - time.monotonic())
            if not select.select([self.server.stdout], [], [], left)[0]:
                raise TimeoutError("no answer within %s s" % seconds)
            data = os.read(self.server.stdout.fileno(), 65536)
            if not data:
                raise EOFError("the server has closed its output")
            self.held += data
        line, self.held = self.held.split(b"\n", 1)
        return line

    def wait(self, number, seconds=None):
        """The answer to that request."""
        while True:
            message = json.loads(self.line(seconds))
            if message.get("id") == number and "method" not in message:
                return message

    def ask(self, method, seconds=None, **params):
        answer = self.wait(self.send(method, **params), seconds)
        if "error" in answer:
            raise Refused("%(code)d: %(message)s" % answer["error"])
        return answer["result"]

    def call(self, tool, seconds=None, **arguments):
        return self.ask("tools/call", seconds, name=tool, arguments=arguments)

    def text(self, tool, **arguments):
        result = self.call(tool, **arguments)
        if result.get("isError"):
            raise Refused(result["content"][0]["text"])
        return result["content"][0]["text"]

    def close(self):
        self.server.stdin.close()
        return self.server.wait()
