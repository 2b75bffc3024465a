"""A scripted stand-in for a language model on loopback, in the four forms that the hosts under test speak.

A script is a list of steps, one for each request that offers tools:
  {"shell": "make"}                                   call the host's shell
  {"call": "read_file", "arguments": {…}}             call another tool
  {"tool": "report_step", "arguments": {…}}           call a tool of our server, whatever the host calls it
  {"say": "done"}                                     end the turn
  {"if": "words", "then": STEP, "else": STEP}         by what is in the request
After the last step it says "done". Requests without tools (titles, summaries) are answered with a word. Every request with
tools is kept in `requests`, as text.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SHELLS = ("exec_command", "shell_command", "shell", "bash", "run_shell_command", "execute_command", "run_commands",
          "run_command", "execute_bash", "terminal", "local_shell", "Bash", "Shell")


class Model:
    """A server that plays one script."""

    def __init__(self, script, port=0):
        self.script, self.requests, self.lock = list(script), [], threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.answer({"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []})

            def do_POST(self):
                body = self.body()
                path = self.path.split("?")[0]
                if path.endswith("/responses"):
                    form = responses
                elif path.endswith("/chat/completions"):
                    form = chat
                elif "enerateContent" in path:
                    form = gemini
                elif path.endswith("/messages"):
                    form = messages
                else:
                    return self.answer({"totalTokens": 1})
                events, whole = form(*model.step(body))
                if not (body.get("stream") or "streamGenerateContent" in path):
                    return self.answer(whole)
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                for event in events:
                    name = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
                    data = event if isinstance(event, str) else json.dumps(event)
                    self.wfile.write(f"{name}data: {data}\n\n".encode())
                self.wfile.flush()
                self.close_connection = True

            def body(self):
                if "chunked" in self.headers.get("Transfer-Encoding", ""):
                    raw = b""
                    while size := int(self.rfile.readline().split(b";")[0], 16):
                        raw += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    return json.loads(raw)
                except ValueError:
                    return {}

            def answer(self, value):
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def step(self, body):
        """The words and the calls of the next answer, and its number."""
        tools = tools_of(body)
        with self.lock:
            if not tools:
                return "ok", [], 0
            text = json.dumps(body, ensure_ascii=False)
            self.requests.append(text)
            number = len(self.requests)
            step = self.script.pop(0) if self.script else {"say": "done"}
        while "if" in step:
            step = step["then"] if step["if"] in text else step["else"]
        if "say" in step:
            return step["say"], [], number
        if "shell" in step:
            name = next((name for name in SHELLS if name in tools), SHELLS[0])
            return "", [(name, arguments(tools.get(name, {}), step["shell"]))], number
        if "tool" in step:
            return "", [of_server(step["tool"], step["arguments"], tools, text)], number
        return "", [(step["call"], step["arguments"])], number

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def tools_of(body):
    """The tools that a request offers, by name, with the schemas of their arguments."""
    tools = {}
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":
            for one in tool["tools"]:
                tools[f"{tool['name']} {one['name']}"] = one.get("parameters") or {}
            continue
        for one in tool.get("functionDeclarations") or [tool.get("function") or tool]:
            schema = one.get("parametersJsonSchema") or one.get("parameters") or one.get("input_schema") or {}
            tools[one.get("name") or one.get("type", "")] = schema
    return tools


def of_server(tool, values, tools, text):
    """A call of a tool of our server, by the name under which the host offers it."""
    names = [name for name in tools if name.replace(" ", "_").endswith(tool) and ("twiceshy" in name or name == tool)]
    if names:
        schema = tools[names[0]]
        needed = [name for name in schema.get("required") or [] if name not in values]
        # A host may ask for members of its own.
        return names[0], {**values, **{name: "LOW" if "risk" in name else "scripted" for name in needed}}
    # Some keep the tools of servers behind a bridge, and only name them.
    bridged = re.search(rf"\bmcp__twiceshy__{tool}\b", text)
    return "tool_call", {"name": bridged.group(0) if bridged else tool, "arguments": values}


def arguments(schema, command):
    """The command in the member that a shell takes it in, and something for every other one that it needs."""
    members, values = schema.get("properties") or {}, {}
    plain = {"boolean": False, "number": 30, "integer": 30, "array": [], "object": {}}
    for name, member in members.items():
        kind = str(member.get("type", "string")).lower()
        if name in ("command", "cmd"):
            values[name] = ["bash", "-lc", command] if kind == "array" else command
        elif name == "commands":
            values[name] = [command]
        elif name in (schema.get("required") or []):
            values[name] = plain.get(kind, "scripted")
    return values or {"command": command}


def responses(words, calls, number):
    items = []
    if words:
        content = [{"type": "output_text", "text": words, "annotations": []}]
        items.append({"type": "message", "id": f"m{number}", "role": "assistant", "status": "completed", "content": content})
    for at, (name, values) in enumerate(calls):
        space, _, name = name.rpartition(" ")
        items.append({"type": "function_call", "id": f"f{number}{at}", "call_id": f"call_{number}_{at}", "name": name,
                      "arguments": json.dumps(values), "status": "completed", **({"namespace": space} if space else {})})
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 2,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 12}
    base = {"id": f"r{number}", "object": "response", "created_at": 0, "model": "scripted"}
    events = [{"type": "response.created", "response": {**base, "status": "in_progress", "output": []}}]
    for at, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": at, "item": item})
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    whole = {**base, "status": "completed", "output": items, "usage": usage}
    events.append({"type": "response.completed", "response": whole})
    return [{**event, "sequence_number": at} for at, event in enumerate(events)], whole


def chat(words, calls, number):
    made = [{"index": at, "id": f"call_{number}_{at}", "type": "function",
             "function": {"name": name, "arguments": json.dumps(values)}} for at, (name, values) in enumerate(calls)]
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    end = "tool_calls" if made else "stop"
    base = {"id": f"c{number}", "created": 0, "model": "scripted"}
    delta = {"role": "assistant", "content": words, **({"tool_calls": made} if made else {})}
    chunk = {**base, "object": "chat.completion.chunk"}
    events = [{**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
              {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}, "[DONE]"]
    whole = {**base, "object": "chat.completion", "choices": [{"index": 0, "message": delta, "finish_reason": end}], "usage": usage}
    return events, whole


def gemini(words, calls, number):
    parts = [{"text": words}] if words else []
    parts += [{"functionCall": {"id": f"call_{number}_{at}", "name": name, "args": values}}
              for at, (name, values) in enumerate(calls)]
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12}
    content = {"role": "model", "parts": parts}
    whole = {"candidates": [{"index": 0, "content": content, "finishReason": "STOP"}], "usageMetadata": usage,
             "modelVersion": "scripted", "responseId": f"g{number}"}
    return [whole], whole


def messages(words, calls, number):
    blocks = [{"type": "text", "text": words}] if words else []
    blocks += [{"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": values}
               for at, (name, values) in enumerate(calls)]
    end = "tool_use" if calls else "end_turn"
    whole = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted", "content": blocks,
             "stop_reason": end, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 2}}
    events = [{"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}]
    for at, block in enumerate(blocks):
        if block["type"] == "tool_use":
            start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        events += [{"type": "content_block_start", "index": at, "content_block": start},
                   {"type": "content_block_delta", "index": at, "delta": delta}, {"type": "content_block_stop", "index": at}]
    events += [{"type": "message_delta", "delta": {"stop_reason": end, "stop_sequence": None}, "usage": {"output_tokens": 2}},
               {"type": "message_stop"}]
    return events, whole
