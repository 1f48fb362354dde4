"""session.py PROGRAM KERNELS - sessions with `wsim debug`: breakpoints, steps, values, findings, hostile input."""

import base64
import os
import struct
import sys
import tempfile

from client import Client

program, kernels = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

SOURCE = """__device__ float twice(float x) { return 2 * x; }
__global__ void k(float *out)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = 1.5f * threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 3)
        out[threadIdx.x] = twice(tile[threadIdx.x + 1]);
}
"""
PTX = """.version 8.0
.target sm_80
.address_size 64
.file 1 "/home/user/k.cu"
.func (.reg .f32 %y) twice(.reg .f32 %x)
{
    .loc 1 1 40
    add.rn.f32 %y, %x, %x;
    ret;
}
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .f32 %f<8>;
    .reg .b64 %rd<4>;
    .shared .align 4 .b8 _ZZ1kPfE4tile[256];
    .loc 1 5 5
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, _ZZ1kPfE4tile;
    mad.lo.s32 %r3, %r1, 4, %r2;
    cvt.rn.f32.u32 %f4, %r1;
    mul.rn.f32 %f4, %f4, 0f3FC00000;
    st.shared.f32 [%r3], %f4;
    .loc 1 6 5
    bar.sync 0;
    .loc 1 7 5
    setp.gt.u32 %p1, %r1, 2;
    @%p1 bra DONE;
    .loc 1 8 9
    ld.shared.f32 %f5, [%r3+4];
    call (%f6), twice, (%f5);
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.f32 [%rd3], %f6;
DONE:
    .loc 1 9 1
    ret;
}
"""
LOOP = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, 0;
L:
    add.u32 %r1, %r1, 1;
    st.global.u32 [%rd1], %r1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra L;
    ret;
}
"""
work = tempfile.mkdtemp()
for name, text in (("k.cu", SOURCE), ("k.ptx", PTX), ("loop.ptx", LOOP)):
    with open(os.path.join(work, name), "w") as file:
        file.write(text)


def opened(file="k.ptx", breakpoints=(), source="/elsewhere/k.cu", filters=(), **arguments):
    client = Client(program, work)
    body = client.good("initialize", adapterID="wsim")
    assert body["supportsConfigurationDoneRequest"] and body["exceptionBreakpointFilters"][0]["filter"] == "findings"
    arguments = {"block": [40], "args": ["out[64]=0"], **arguments}
    client.good("launch", program=file, **arguments)
    client.event("initialized")
    set_ = client.good("setBreakpoints", source={"path": source}, breakpoints=[dict(line=n) for n in breakpoints])
    client.good("setExceptionBreakpoints", filters=list(filters))
    client.good("configurationDone")
    return client, set_["breakpoints"]


def frames(client, thread=1):
    return client.good("stackTrace", threadId=thread)["stackFrames"]


def scope(client, name, frame=None):
    frame = frame or frames(client)[0]["id"]
    for one in client.good("scopes", frameId=frame)["scopes"]:
        if one["name"] == name:
            return {
                v["name"]: v
                for v in client.good("variables", variablesReference=one["variablesReference"])["variables"]
            }
    raise AssertionError(name)


def value(client, expression, **more):
    return client.good("evaluate", expression=expression, **more)["result"]


def walk():
    """Breakpoints, frames, variables, steps, calls."""
    client, set_ = opened(breakpoints=[8, 4, 200])
    assert [(b["verified"], b["line"]) for b in set_] == [(True, 8), (True, 5), (False, 200)], set_
    assert client.stopped("breakpoint")["threadId"] == 1
    stack = frames(client)
    assert stack[0]["name"] == "k" and stack[0]["line"] == 5, stack
    assert stack[0]["source"]["path"].endswith("/k.cu") and os.path.exists(stack[0]["source"]["path"])
    assert stack[1]["name"].startswith("PTX line 19: ld.param.u64") and stack[1]["line"] == 19, stack
    assert [t["name"] for t in client.good("threads")["threads"]] == ["block (0,0,0) warp 0", "block (0,0,0) warp 1"]
    assert client.good("stackTrace", threadId=2)["totalFrames"] == 2
    client.bad("evaluate", "holds no value", expression="%f4")
    client.good("next", threadId=1)
    client.stopped("step")
    assert frames(client)[0]["line"] == 6
    assert value(client, "%r1/s32") == "0 (lane 0)" and value(client, "tid.x") == "0 (lane 0)"
    assert value(client, "tile/f32[3]") == "4.5"
    assert value(client, "tile/f32x4[1]").split() == ["6", "7.5", "9", "10.5"]
    assert value(client, "lane 7") == "registers show lane 7" and value(client, "%r1/u32") == "7 (lane 7)"
    held = scope(client, "Registers")
    assert held["%r3"]["type"] == "b32" and held["%r3"]["value"] == "0x0000041c (lane 7)", held["%r3"]
    lanes = client.good("variables", variablesReference=held["%r3"]["variablesReference"], start=30, count=2)[
        "variables"
    ]
    assert [(v["name"], v["value"]) for v in lanes] == [("lane 30", "0x00000478"), ("lane 31", "0x0000047c")], lanes
    assert "%f5" not in held
    memory = scope(client, "Variables")["_ZZ1kPfE4tile"]
    data = client.good("readMemory", memoryReference=memory["memoryReference"], offset=4, count=8)
    assert struct.unpack("<2f", base64.b64decode(data["data"])) == (1.5, 3.0)
    assert client.good("readMemory", memoryReference=memory["memoryReference"], count=300)["unreadableBytes"] == 44
    assert scope(client, "Parameters")["out"]["type"] == "u64"
    assert scope(client, "Special registers")["%tid.x"]["value"] == "7 (lane 7)"
    client.good("stepIn", threadId=1, granularity="instruction")  # bar.sync: the other warp comes first
    assert client.stopped("breakpoint")["threadId"] == 2
    assert frames(client, 1)[0]["line"] == 6  # it waits
    client.good("continue", threadId=1)
    assert client.stopped("breakpoint")["threadId"] == 1
    assert frames(client)[0]["line"] == 8
    assert len([f for f in frames(client) if f.get("presentationHint") == "label"]) == 1  # lanes 3-31 are elsewhere
    assert "%p1" not in scope(client, "Predicates")  # its last use is over
    client.good("stepIn", threadId=1)
    client.stopped("step")
    stack = frames(client)
    assert stack[0]["name"] == "twice" and stack[0]["line"] == 1 and stack[2]["name"] == "k", stack
    assert value(client, "%x") == "1.5 (lane 0)"
    assert scope(client, "Registers", stack[2]["id"])["%r1"]["value"].endswith("(lane 0)")
    client.good("stepOut", threadId=1)
    client.stopped("step")
    assert frames(client)[0]["line"] == 8 and value(client, "%f6") == "3 (lane 0)"
    client.good("next", threadId=1)
    client.stopped("step")
    client.good("continue", threadId=1)
    assert client.event("exited")["exitCode"] == 0
    client.event("terminated")
    client.bad("stackTrace", "runs", threadId=1)
    assert client.good("threads")["threads"][0]["id"] == 1
    client.good("disconnect")
    assert client.end() == 0


def next_over():
    """next does not enter the call; a breakpoint of the PTX; conditions."""
    client, _ = opened(breakpoints=[30], source="k.ptx")
    thread = client.stopped("breakpoint")["threadId"]
    assert thread == 2 and frames(client, thread)[1]["line"] == 30  # it came last to the barrier, and goes on first
    client.good("next", threadId=thread)
    client.stopped("step")
    assert frames(client, thread)[0]["line"] == 9
    client.good("setBreakpoints", source={"path": "k.cu"}, breakpoints=[{"line": 8}])
    client.good("continue", threadId=thread)
    client.stopped("breakpoint")
    client.good("continue", threadId=1)
    client.stopped("breakpoint")
    client.good("next", threadId=1)  # over the call
    client.stopped("step")
    assert frames(client)[0]["line"] == 9
    client.good("disconnect")
    assert client.end() == 0
    client = Client(program, work)
    client.good("launch", program="k.ptx", block=[40], args=["out[64]=0"], stopOnEntry=True)
    set_ = client.good(
        "setBreakpoints",
        source={"path": "k.cu"},
        breakpoints=[
            {"line": 6, "condition": "tid.x == 33"},
            {"line": 7, "condition": "nonsense"},
            {"line": 9, "hitCondition": "2"},
        ],
    )
    assert [b["verified"] for b in set_["breakpoints"]] == [True, False, True]
    client.good("configurationDone")
    client.stopped("entry")
    client.good("continue", threadId=1)
    assert client.stopped("breakpoint")["threadId"] == 2
    client.good("continue", threadId=1)
    client.stopped("breakpoint")
    client.good("terminate")
    client.event("terminated")
    assert client.end() == 0
    # A condition that names nothing stops once, and says so.
    client = Client(program, work)
    client.good("launch", program="k.ptx", block=[40], args=["out[64]=0"])
    client.good("setBreakpoints", source={"path": "k.cu"}, breakpoints=[{"line": 6, "condition": "x == 0"}])
    client.good("configurationDone")
    said = client.event("output")["output"]
    assert "no register, operand or variable 'x' here" in said, said
    client.stopped("breakpoint")
    client.good("continue", threadId=1)
    client.event("terminated")
    assert client.end() == 0


def findings():
    """Stops at a finding."""
    client, _ = opened(filters=["findings"], args=["out[8]=0"])
    body = client.stopped("exception")
    assert body["text"].startswith("memory.bounds: "), body
    info = client.good("exceptionInfo", threadId=body["threadId"])
    assert info["exceptionId"] == "memory.bounds" and info["breakMode"] == "always"
    assert frames(client, body["threadId"])[0]["line"] == 8
    client.good("continue", threadId=1)
    assert "memory.bounds" in client.event("output")["output"]
    assert client.event("exited")["exitCode"] == 1
    client.good("disconnect")
    assert client.end() == 0


def pause():
    """A kernel without an end: pause, breakpoints while it runs, and the end."""
    client, _ = opened("loop.ptx", block=[1])
    client.bad("continue", "does not stand", threadId=1)
    client.bad("scopes", "no such frame", frameId=1)
    client.good("pause", threadId=1)
    client.stopped("pause")
    assert int(value(client, "%r1/u32")) > 0
    client.good("continue", threadId=1)
    client.good("setBreakpoints", source={"path": "loop.ptx"}, breakpoints=[{"line": 13}])
    client.stopped("breakpoint")
    client.good("stepIn", threadId=1, granularity="instruction")
    client.stopped("step")
    assert frames(client)[0]["line"] == 14
    client.good("setBreakpoints", source={"path": "loop.ptx"}, breakpoints=[])
    client.good("continue", threadId=1)
    client.good("disconnect")
    assert client.end() == 0


def files():
    """A launch file with a matrix product: its fragments."""
    client = Client(program)
    client.good("initialize", linesStartAt1=False)
    client.good("launch", program=os.path.join(kernels, "mma_gemm", "f16.json"))
    set_ = client.good("setBreakpoints", source={"path": "mma_gemm.ptx"}, breakpoints=[{"line": 1085}])["breakpoints"]
    assert set_[0]["verified"] and set_[0]["line"] == 1085, set_
    client.good("configurationDone")
    thread = client.stopped("breakpoint")["threadId"]
    frame = frames(client, thread)[0]["id"]
    rows = value(client, "a", frameId=frame).split("\n")
    assert len(rows) == 16 and len(rows[0].split()) == 16, rows
    assert set(value(client, "c").split()) == {"0"}
    client.good("disconnect")
    assert client.end() == 0


def hostile():
    """Errors are responses, and the server goes on."""
    client = Client(program, work)
    client.bad("configurationDone", "launch a program")
    client.bad("launch", "'program'")
    client.bad("launch", "'program'", program=7)
    for key in ("kernel", "grid", "block", "shared", "arch", "sources"):
        for value in (True, 1.5, {}, [1, None]):
            client.bad("launch", "'%s' is text" % key, program="k.ptx", **{key: value})
    for key in ("args", "buffers", "symbols"):
        for value in (33, {}, ["out[64]=0", 5]):
            client.bad("launch", "'%s' is a list" % key, program="k.ptx", **{key: value})
    client.bad("launch", "nothing.ptx", program="nothing.ptx")
    assert client.end() == 0
    client = Client(program, work)
    for body in (
        b"x",
        b"[]",
        b"7",
        b"{}",
        b'{"command": 5}',
        b'{"seq": 1, "type": "request", "command": "next", "arguments": 3}',
    ):
        client.raw(body)
        answer = client.answer()
        assert answer["type"] == "response" and not answer["success"], answer
    for command in ("", "x" * 5000, "restart", "\u202e"):
        client.bad(command, "does not have")
    for command in ("continue", "next", "stepIn", "stepOut"):
        client.bad(command, "does not stand")
    client.bad("exceptionInfo", "finding")
    client.bad("setBreakpoints", "source")
    client.bad("setBreakpoints", "source", source={"path": "a.cu"}, breakpoints=5)
    client.good("setBreakpoints", source={"path": "b.cu"}, breakpoints=[{"line": 1}] * 4095)
    client.bad("setBreakpoints", "at most 4096", source={"path": "c.cu"}, breakpoints=[{"line": 1}] * 2)
    client.good("setBreakpoints", source={"path": "b.cu"}, breakpoints=[])
    client.bad("variables", "reference", variablesReference=-1)
    client.bad("evaluate", "missing")
    client.bad("readMemory", "runs", memoryReference="shared:0", count=4)
    client.good("pause", threadId=99)
    client.good("launch", program="k.ptx", block=32, args=["out[64]=0"], stopOnEntry=True)
    client.bad("launch", "already", program="k.ptx")
    client.good("configurationDone")
    client.stopped("entry")
    client.bad("stackTrace", "no such thread", threadId=77)
    for frame in (-1, 0, 99, 2**62, "x", None, {}):
        client.bad("scopes", "frame", frameId=frame)
    for reference in (0, -5, 2**62, [], None):
        client.bad("variables", "reference", variablesReference=reference)
    for text in (
        "",
        "%",
        "%r1/f99",
        "tile[",
        "tile/f32[9999]",
        "tile/f32[1][2][3]",
        "a",
        "lane 99",
        "lane x",
        "x" * 3000,
        "%none",
    ):
        answer = client.send("evaluate", expression=text)
        assert not answer["success"] and answer["message"], (text, answer)
    for text in ("", "x", "shared:", "what:0", "shared:0x", "0x10 "):
        client.bad("readMemory", "memoryReference", memoryReference=text, count=4)
    client.bad("readMemory", "count", memoryReference="shared:0x400", count=-1)
    client.bad("readMemory", "count", memoryReference="shared:0x400", count=2**40)
    assert (
        client.good("readMemory", memoryReference="0xFFFFFFFFFFFFFFF0", offset=2**62, count=64)["unreadableBytes"] == 64
    )
    assert client.good("readMemory", memoryReference="local:0", offset=-5, count=4)["unreadableBytes"] == 4
    client.good("continue")
    client.event("terminated")
    assert client.end() == 0
    for text, words in (
        (b"Content-Length: x\r\n\r\n", b"length"),
        (b"Content-Length: 99999999999\r\n\r\n", b"length"),
        (b"\r\n\r\n", b"length"),
        (b"x" * 9000, b"4096"),
        (b"Content-Length: 5\r\n\r\nab", b"ends inside a message"),
    ):
        client = Client(program, work)
        client.process.stdin.write(text)
        assert client.end() in (0, 2)
        assert words in client.process.stderr.read()


for test in (walk, next_over, findings, pause, files, hostile):
    try:
        test()
    except BaseException:
        print(test.__name__, file=sys.stderr)
        raise
