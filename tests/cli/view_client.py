"""A view under test: started with the program, asked over HTTP, its packets unpacked."""

import array
import http.client
import json
import re
import signal
import struct
import threading
import urllib.parse

KINDS = {"f32": "f", "f64": "d", "u32": "I", "i32": "i", "u8": "B"}


def unpack(data):
    """Head and arrays of a packet (src/view/packet.hpp)."""
    if data[:4] != b"SCRV":
        raise ValueError(f"no packet: {data[:80]}")
    length = struct.unpack("<I", data[4:8])[0]
    head = json.loads(data[8:8 + length])
    arrays = {}
    for name, a in head["arrays"].items():
        values = array.array(KINDS[a["type"]])
        start = 8 + length + a["offset"]
        values.frombytes(data[start:start + a["count"] * values.itemsize])
        arrays[name] = values
    return head, arrays


class View:
    """Of a test (ProgramTest): `arguments` as on the command line. Ends with the test."""

    def __init__(self, test, *arguments):
        self.process = test.start(*arguments)
        test.addCleanup(self.end)
        self.lines = []
        line = self.process.stdout.readline()
        found = re.match(r"view at (http://(.+):(\d+)/([^/]+)/)", line)
        if not found:
            raise AssertionError(f"no address: {line}{self.process.stderr.read()}")
        self.url, self.host, self.port, self.token = found[1], found[2], int(found[3]), found[4]
        # What the program says further on must not fill a pipe.
        self.readers = [threading.Thread(target=lambda s=stream: self.lines.extend(s), daemon=True) for stream in (self.process.stdout, self.process.stderr)]
        for reader in self.readers:
            reader.start()

    def end(self):
        """Ends it as Ctrl-C does, and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=60)
        for reader in self.readers:
            reader.join(timeout=10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def request(self, path, method="GET", headers=None, body=None, token=None):
        """Status, headers and content of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, f"/{self.token if token is None else token}/{path}", body=body, headers=headers or {})
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()
        finally:
            connection.close()

    def packet(self, name, **parameters):
        query = urllib.parse.urlencode(parameters, doseq=True)
        status, _, content = self.request(name + ("?" + query if query else ""))
        if status != 200:
            raise AssertionError(f"{name} {parameters}: {status} {content.decode()}")
        return unpack(content)

    def stream(self):
        """An open stream of events: (connection, answer)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", f"/{self.token}/events")
        return connection, connection.getresponse()
