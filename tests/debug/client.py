"""A client of the Debug Adapter Protocol, as small as it can be: it starts `wsim debug` and talks to it."""

import json
import queue
import subprocess
import threading


class Client:
    def __init__(self, program, cwd=None):
        self.process = subprocess.Popen(
            [program, "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
        )
        self.seq, self.events, self.answers = 0, queue.Queue(), queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while True:
            head = {}
            for line in iter(stream.readline, b"\r\n"):
                if not line:
                    self.answers.put(None)
                    self.events.put(None)
                    return
                name, value = line.decode().split(":", 1)
                head[name] = value.strip()
            message = json.loads(stream.read(int(head["Content-Length"])))
            (self.events if message["type"] == "event" else self.answers).put(message)

    def raw(self, body):
        """Sends bytes as one message."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def answer(self):
        return self.answers.get(timeout=60)

    def send(self, command, **arguments):
        """The response to a request."""
        self.seq += 1
        self.raw({"seq": self.seq, "type": "request", "command": command, "arguments": arguments})
        answer = self.answer()
        assert answer["request_seq"] == self.seq and answer["command"] == command, answer
        return answer

    def good(self, command, **arguments):
        answer = self.send(command, **arguments)
        assert answer["success"], answer
        return answer.get("body", {})

    def bad(self, command, words, **arguments):
        answer = self.send(command, **arguments)
        assert not answer["success"] and words in answer["message"], answer

    def event(self, name):
        """The next event of this name; others in front of it are dropped."""
        while True:
            event = self.events.get(timeout=60)
            assert event is not None, "the server ended before the event " + name
            if event["event"] == name:
                return event.get("body", {})

    def stopped(self, reason):
        body = self.event("stopped")
        assert body["reason"] == reason, body
        return body

    def end(self):
        """The exit status after the end of the input."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self.process.wait(timeout=60)
