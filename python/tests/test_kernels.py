"""Whole kernels on NumPy arrays."""

import ctypes
import gc
import pickle
import threading
import time

import numpy as np
import pytest

import wsim

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"

# Each block adds 1 to a counter, a variable of the module, and stores what it was before.
COUNTER = (
    HEAD
    + """.global .u32 counter;
.visible .entry count(.param .u64 out) { .reg .b32 %r<4>; .reg .b64 %d<3>;
    mov.u64 %d0, counter; atom.global.add.u32 %r0, [%d0], 1;
    ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r0; ret; }
"""
)

# One thread stores each parameter as it is.
TYPES = (
    HEAD
    + """.visible .entry types(.param .u64 out, .param .f32 f, .param .f64 d, .param .s16 h,
    .param .u8 b, .param .b32 w) {
    .reg .b64 %d<3>; .reg .f32 %f; .reg .f64 %e; .reg .b16 %h<2>; .reg .b32 %r;
    ld.param.u64 %d0, [out];
    ld.param.f32 %f, [f]; st.global.f32 [%d0], %f;
    ld.param.f64 %e, [d]; st.global.f64 [%d0+8], %e;
    ld.param.s16 %h0, [h]; st.global.u16 [%d0+16], %h0;
    ld.param.u8 %h1, [b]; st.global.u8 [%d0+18], %h1;
    ld.param.b32 %r, [w]; st.global.u32 [%d0+20], %r;
    ret; }
"""
)

# Warp 0 stores a word of shared memory that warp 1 reads without a barrier.
RACE = (
    HEAD
    + """.visible .entry race(.param .u64 out) { .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d<2>; .shared .u32 word;
    mov.u32 %r0, %tid.x; setp.ge.u32 %p, %r0, 32; mov.u32 %r1, 7;
    @!%p st.shared.u32 [word], %r1;
    @%p ld.shared.u32 %r1, [word];
    ld.param.u64 %d0, [out]; st.global.u32 [%d0], %r1; ret; }
"""
)

LOOP = (
    HEAD
    + """.visible .entry loop(.param .u64 out, .param .u32 n) { .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;
    ld.param.u32 %r0, [n]; mov.u32 %r1, 0;
again: add.u32 %r1, %r1, 3; sub.u32 %r0, %r0, 1; setp.ne.u32 %p, %r0, 0; @%p bra again;
    ld.param.u64 %d, [out]; st.global.u32 [%d], %r1; ret; }
"""
)


def saxpy(ptx):
    return wsim.Module(ptx("saxpy")).kernel()


def test_arrays_are_used_in_place(ptx):
    x, y = np.arange(200, dtype=np.float32), np.ones(200, np.float32)
    report = saxpy(ptx)[4, 64](0.5, x, y, 200)
    assert (y == x / 2 + 1).all() and report.findings == []
    # A part of an array is memory up to its end.
    saxpy(ptx)[1, 32](np.float16(2), x[10:42], y[:32], np.int64(32))
    assert (y[:32] == x[:32] / 2 + 1 + 2 * x[10:42]).all()


def test_findings_are_exceptions(ptx):
    x, y = np.zeros(16, np.float32), np.zeros(64, np.float32)
    with pytest.raises(wsim.Finding) as caught:
        saxpy(ptx)[1, 64](1.0, x, y, 64)
    found = caught.value
    assert (found.rule, found.file, found.line, found.block, found.thread, found.fatal) == (
        "memory.bounds",
        "saxpy.cu",
        5,
        (0, 0, 0),
        (16, 0, 0),
        True,
    )
    assert found.report.findings == found.findings and "saxpy.cu:5" in str(found) and "args[1]" in str(found)
    report = saxpy(ptx)[1, 64](1.0, x, y, 64, raise_findings=False)
    assert [one.rule for one in report.findings] == ["memory.bounds"]


def test_races_are_found_where_they_are_looked_for():
    kernel, out = wsim.Module(RACE).kernel(), np.zeros(1, np.uint32)
    with pytest.raises(wsim.Finding) as caught:
        kernel[1, 64](out)
    assert "race.shared" in [one.rule for one in caught.value.findings]
    assert caught.value.other_ptx_line
    for checks in (False, "memory", "memory,sync"):
        assert kernel[1, 64](out, checks=checks).findings == []
    with pytest.raises(wsim.Finding, match="memory.bounds"):  # no check turns that off
        kernel[1, 64](out[:0], checks=False)
    with pytest.raises(ValueError, match="races"):
        kernel[1, 64](out, checks="races")


TOO_EARLY = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry early()
{
    .reg .b32 %r<8>;
    .reg .pred %p<2>;
    .shared .align 4 .b8 _ZZ5earlyvE4tile[512];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, _ZZ5earlyvE4tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    st.shared.u32 [%r4], %r1;
    xor.b32 %r5, %r3, 128;
    add.u32 %r6, %r2, %r5;
    ld.shared.u32 %r7, [%r6];
    setp.eq.u32 %p1, %r7, 0x99999999;
    @%p1 trap;
    ret;
}
"""


def test_a_cause_is_raised_in_place_of_its_symptom():
    with pytest.raises(wsim.Finding) as caught:
        wsim.Module(TOO_EARLY).kernel()[3, 128]()
    found = caught.value
    assert found.rule == "race.shared" and found.severity == "mistake" and not found.explained
    assert found.different == {"addresses": 4, "registers": 0, "warps": 2, "blocks": 3, "ptx_lines": 2}
    assert [one.rule for one in found.explains] == ["init.shared"] and found.explains[0].explained
    said = str(found).splitlines()
    assert " tile+0x" in said[0] and said[2:] == [
        "  and 3 more addresses, 1 more warp, 2 more blocks (12 times)",
        "  explains: init.shared: reads uninitialised shared memory at tile+0x80, and the kernel branches on the value",
    ]
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found) and again.explains[0] is again.findings[1]


OPEN = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry open(.param .u64 in)
{
    .reg .b32 %r;
    .reg .b64 %d;
    .shared .align 16 .b8 tile[16];
    mov.u32 %r, tile;
    ld.param.u64 %d, [in];
    cp.async.ca.shared.global [%r], [%d], 4;
    cp.async.commit_group;
    ret;
}
"""


def test_notes_are_not_raised():
    report = wsim.Module(OPEN).kernel()[2, 1](np.ones(4, np.float32))
    (note,) = report.findings
    assert (note.rule, note.severity, note.count) == ("sync.group.leak", "note", 2)
    assert report.totals["findings"] == 0 and report.totals["notes"] == 2


def test_parameters_become_what_they_are():
    kernel, out = wsim.Module(TYPES).kernel(), np.zeros(24, np.uint8)
    kernel[1, 1](out, 0.1, 0.1, -2, 255, np.float32(-0.0))
    assert out[:4].view(np.float32)[0] == np.float32(0.1) and out[8:16].view(np.float64)[0] == 0.1
    assert out[16:18].view(np.int16)[0] == -2 and out[18] == 255 and out[20:24].view(np.uint32)[0] == 1 << 31
    kernel[1, 1](out, np.int8(3), 7, np.int64(300), True, -1)
    assert out[:4].view(np.float32)[0] == 3 and out[18] == 1 and out[20:24].view(np.int32)[0] == -1
    for bad in (
        (out, 1, 1, 40000 * 2, 0, 0),
        (out, 1, 1, 0, 256, 0),
        (out, 1, 1, 0, 0, 2**32),
        (out, 1, 1, 0, -129, 0),
    ):
        with pytest.raises(ValueError, match="has to be"):
            kernel[1, 1](*bad)
    for bad in (
        (out, 1, 1, 0, 0, 1.5),
        (out, "1", 1, 0, 0, 0),
        (out, 1, 1, 0, 0, out),
        (out, 1, 1, 0, 0, None),
        (out, 1j, 1, 0, 0, 0),
        (out, 1, 1, 0, 0, np.float64(1)),
        (out, 1, 1, 0, 0, b"12345"),
        (out, 1),
        (1.5, 1, 1, 0, 0, 0),
    ):
        with pytest.raises(TypeError):
            kernel[1, 1](*bad)


def test_null_and_foreign_pointers_are_findings():
    kernel = wsim.Module(COUNTER).kernel()
    for pointer in (None, 0, 64, np.uint64(2**63)):
        with pytest.raises(wsim.Finding) as caught:
            kernel[1, 1](pointer)
        assert caught.value.rule == "memory.bounds"
    # ... unless the caller names the array of the number.
    out = np.full(4, 9, np.uint32)
    kernel[1, 1](out.ctypes.data, buffers=[out])
    assert out[0] < 9


def test_variables_live_on_the_device():
    module, out = wsim.Module(COUNTER), np.zeros(1, np.uint32)
    for want in range(3):
        module.kernel()[1, 1](out)
        assert out[0] == want
    device = wsim.Device("a100")
    module.kernel("count")[1, 1](out, device=device)
    assert out[0] == 0 and device.read(module, "counter", np.uint32)[0] == 1
    device.write(module, "counter", np.array([40], np.uint32))
    module.kernel("count")[2, 1](out, device=device, checks=False)
    assert device.read(module, "counter", np.uint32)[0] == 42
    with pytest.raises(wsim.Refused):
        device.read(module, "count_er")
    with pytest.raises(ValueError):
        module.kernel()[1, 1](out, device=device, arch="h100")
    # The device outlives the module that ran on it.
    del module
    gc.collect()
    assert repr(device) == "wsim.Device('sm_80')"


def test_arrays_that_overlap_are_one_buffer():
    both = np.arange(64, dtype=np.float32)
    kernel = wsim.Module(
        HEAD
        + """.visible .entry copy(.param .u64 a, .param .u64 b) { .reg .b64 %d<4>; .reg .f32 %f; .reg .b32 %r;
        ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r, %tid.x; mul.wide.u32 %d2, %r, 4;
        add.s64 %d0, %d0, %d2; add.s64 %d1, %d1, %d2; ld.global.f32 %f, [%d0]; st.global.f32 [%d1], %f; ret; }"""
    ).kernel()
    kernel[1, 16](both[:32], both[16:48])
    assert (both[16:32] == np.arange(16)).all()
    kernel[1, 16](both, both[32:])
    kernel[1, 16](both[:16], both[:16])
    assert (both[32:48] == np.arange(16)).all()


def test_a_product_and_its_cost(ptx):
    rng = np.random.default_rng(5)
    a, b = rng.integers(-2, 3, (64, 64)).astype(np.float16), rng.integers(-2, 3, (64, 64)).astype(np.float16)
    c = np.zeros((64, 64), np.float32)
    report = wsim.Module(ptx("gemm_mma")).kernel()[(1, 1), 128](a, b, c, 64, 64, 64)
    assert (c == a.astype(np.float64) @ b.astype(np.float64).T).all()
    assert report.totals["shared"]["ld"]["wavefronts"] == report.totals["shared"]["ld"]["ideal"] > 0
    table = report.counters
    shared = report.totals["shared"]
    assert table["wavefronts"].sum() == sum(shared[kind]["wavefronts"] for kind in ("ld", "st", "atom", "copy"))
    assert {"ldmatrix" in one["opcode"] for one in report.lines if one["accesses"]} >= {True}
    assert report.totals["instructions"] == table["executed"].sum()


def test_tensor_maps_are_arguments(ptx):
    matrix = np.arange(64 * 64, dtype=np.uint32).reshape(64, 64)
    want = matrix + 1
    tma = wsim.tensor_map(matrix, box=(32, 32))
    wsim.Module(ptx("tma_add_one")).kernel("add_one_rows")[(2, 2), 1024](tma)
    assert (matrix == want).all()
    panels = wsim.tensor_map(matrix, box=(8, 32), swizzle="32B")
    wsim.Module(ptx("tma_add_one")).kernel("by_four")[(2, 2), 1024](panels)
    assert (matrix == want + 1).all()


def test_what_a_kernel_prints():
    module = wsim.Module(
        HEAD
        + """.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
        .global .align 1 .b8 text[7] = {104, 101, 108, 108, 111, 10, 0};
        .visible .entry hello() { .reg .b64 %d<3>; .reg .b32 %r;
        mov.u64 %d0, text; cvta.global.u64 %d1, %d0; mov.u64 %d2, 0;
        { .param .b64 p0; st.param.b64 [p0+0], %d1; .param .b64 p1; st.param.b64 [p1+0], %d2; .param .b32 q;
        call.uni (q), vprintf, (p0, p1); ld.param.b32 %r, [q+0]; } ret; }"""
    )
    assert module.kernel()[2, 1]().output == "hello\nhello\n"


def test_what_is_not_modelled_is_refused():
    module = wsim.Module(
        HEAD
        + ".visible .entry probe() { multimem.red; ret; }\n"
        + ".visible .entry fine() { ret; }"
    )
    assert "probe" in [problem.kernel for problem in module.problems]
    module.kernel("fine")[1, 1]()
    with pytest.raises(KeyError, match="no kernel"):
        module.kernel("\udc80")
    with pytest.raises(wsim.Unmodelled) as caught:
        module.kernel("probe")[1, 1]()
    assert caught.value.status == "unmodelled"
    with pytest.raises(wsim.Refused) as caught:
        wsim.Module(HEAD + ".visible .entry broken( {")
    assert caught.value.line == 4 and caught.value.rule
    with pytest.raises(KeyError, match="fine"):
        module.kernel("nothing")
    with pytest.raises(KeyError):
        module.kernel()
    with pytest.raises(FileNotFoundError):
        wsim.Module("no such file.ptx")


def test_several_texts_are_linked(tmp_path):
    caller = (
        HEAD
        + """.extern .func (.param .b32 r) twice(.param .b32 x);
        .visible .entry call(.param .u64 out) { .reg .b64 %d; .reg .b32 %r;
        { .param .b32 x; st.param.b32 [x], 21; .param .b32 r; call.uni (r), twice, (x); ld.param.b32 %r, [r]; }
        ld.param.u64 %d, [out]; st.global.u32 [%d], %r; ret; }"""
    )
    callee = (
        HEAD
        + """.visible .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r;
        ld.param.b32 %r, [x]; add.u32 %r, %r, %r; st.param.b32 [r], %r; ret; }"""
    )
    path, out = tmp_path / "callee.ptx", np.zeros(1, np.uint32)
    path.write_text(callee)
    wsim.Module([caller, path]).kernel()[1, 1](out)
    assert out[0] == 42
    with pytest.raises(wsim.Unmodelled):
        wsim.Module(caller).kernel()[1, 1](out)
    with pytest.raises(wsim.Refused):
        wsim.Module([caller, callee, callee])
    for bad in ([], [caller, None], [[caller]], [1]):
        with pytest.raises((ValueError, TypeError)):
            wsim.Module(bad)


def test_limits_of_a_launch(ptx):
    x = np.zeros(4, np.float32)
    kernel = saxpy(ptx)
    for sizes in (
        (0, 1),
        (1, 0),
        (1, 1025),
        ((1, 1, 1, 1), 1),
        (1, ()),
        (-1, 1),
        (2**32, 1),
        (1.5, 1),
        ("a", 1),
        (None, 1),
    ):
        with pytest.raises((ValueError, TypeError)):
            kernel[sizes](1.0, x, x, 4)
    for sizes in (1, (1,), (1, 1, 1), None):
        with pytest.raises(TypeError):
            kernel[sizes]
    with pytest.raises(TypeError, match=r"call kernel\[grid, block\]"):
        kernel(1.0, x, x, 4)
    with pytest.raises(wsim.Refused):
        kernel[1, 1](1.0, x, x, 4, shared=1 << 30)
    with pytest.raises(wsim.Refused):
        kernel[1, 1](1.0, x, x, 4, cluster=3)
    loop = wsim.Module(LOOP).kernel()
    with pytest.raises(wsim.Finding):
        loop[1, 1](np.zeros(1, np.uint32), 10**9, max_instructions=10**5)


@pytest.mark.parametrize(
    "array, error",
    [
        (np.zeros((8, 8), np.float32)[:, ::2], ValueError),
        (np.zeros((8, 8), np.float32).T, ValueError),
        (np.array([None] * 64), TypeError),
        (np.array(["text"] * 64, dtype=object), TypeError),
        (np.zeros(64, ">f4"), TypeError),
        (np.broadcast_to(np.float32(1), 64), ValueError),
        (np.frombuffer(bytes(256), np.float32), ValueError),
        ([0.0] * 64, TypeError),
        (memoryview(bytearray(256)), TypeError),
    ],
)
def test_arrays_that_are_no_memory_of_a_gpu(ptx, array, error):
    with pytest.raises(error, match=r"args\[2\]"):
        saxpy(ptx)[1, 64](1.0, np.zeros(64, np.float32), array, 64)


def test_names_from_outside_do_not_reach_the_terminal(ptx):
    text = ptx("saxpy").read_text().replace('"saxpy.cu"', '"sax\x1b[31m\u202epy.cu"')
    with pytest.raises(wsim.Finding) as caught:
        wsim.Module(text).kernel()[1, 1](1.0, np.zeros(0, np.float32), np.zeros(4, np.float32), 1)
    assert "\x1b" in caught.value.file and "\x1b" not in str(caught.value) and "\u202e" not in str(caught.value)


def test_an_array_of_nothing_is_a_pointer_to_nothing(ptx):
    with pytest.raises(wsim.Finding):
        saxpy(ptx)[1, 1](1.0, np.zeros(0, np.float32), np.zeros(4, np.float32), 1)


def test_other_threads_run_while_a_kernel_does():
    kernel, out, ticks, done = wsim.Module(LOOP).kernel(), np.zeros(1, np.uint32), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    helper = threading.Thread(target=tick)
    helper.start()
    begin = time.perf_counter()
    kernel[1, 1](out, 2_000_000, checks=False)
    end = time.perf_counter()
    done.set()
    helper.join()
    assert out[0] == 6_000_000
    # If the lock of the interpreter were held there could be no tick in the middle.
    assert any(begin + (end - begin) * 0.25 < at < begin + (end - begin) * 0.75 for at in ticks)


def test_threads_share_a_module(ptx):
    kernel, wrong = saxpy(ptx), []

    def work(seed):
        x = np.full(256, seed, np.float32)
        for _ in range(20):
            y = np.zeros(256, np.float32)
            kernel[4, 64](2.0, x, y, 256)
            if not (y == 2 * seed).all():
                wrong.append(seed)

    helpers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    assert wrong == []


def test_dynamic_shared_memory_that_is_missing():
    kernel = wsim.Module(
        HEAD
        + """.extern .shared .align 4 .b8 room[];
        .visible .entry fill() { .reg .b32 %r;
        mov.u32 %r, %tid.x; shl.b32 %r, %r, 2; st.shared.u32 [room], %r; ret; }"""
    ).kernel()
    with pytest.raises(wsim.Finding, match="the block has 0 bytes from 0x400; dynamic shared memory .* is 0 bytes"):
        kernel[1, 1]()
    assert kernel[1, 1](shared=16).findings == []
    with pytest.raises(TypeError, match=r"shared=BYTES"):
        kernel[1, 1, 16]
    for wrong, meant in {"smem": "shared", "clusters": "cluster", "max_instruction": "max_instructions"}.items():
        with pytest.raises(TypeError, match="no keyword '%s'; did you mean %s=" % (wrong, meant)):
            kernel[1, 1](**{wrong: 16})


def test_pictures_and_findings_have_no_folders(tmp_path, ptx):
    module = tmp_path / "saxpy.ptx"
    module.write_text(open(ptx("saxpy")).read().replace('"saxpy.cu"', '"/home/someone/kernels/saxpy.cu"'))
    kernel, x, y = wsim.Module(module).kernel(), *(wsim.aligned(np.zeros(64, np.float32)) for _ in range(2))
    report = kernel[1, 64](1.0, x, y, 64)
    assert report.lines[0]["file"].startswith("/home/")
    for form in ("text", "svg", "html", "csv"):
        text = report.picture().write(form)
        assert "saxpy.cu:5" in text and "/home" not in text
    assert "24 sectors" in report.picture().write("text")
    with pytest.raises(wsim.Finding) as found:
        kernel[1, 64](1.0, x[:4].copy(), y, 64)
    assert str(found.value).startswith("saxpy.cu:5: ") and found.value.file.startswith("/home/")


def test_structures_by_value():
    kernel = wsim.Module(
        HEAD
        + """.visible .entry pick(.param .u64 out, .param .align 8 .b8 s[16]) { .reg .b64 %d<2>; .reg .b32 %r;
        ld.param.u64 %d0, [out]; ld.param.u32 %r, [s+8]; st.global.u32 [%d0], %r; ret; }"""
    ).kernel()
    out, kind = np.zeros(1, np.uint32), np.dtype([("at", "u8"), ("n", "u4"), ("rest", "u4")])
    kernel[1, 1](out, np.array([(0, 77, 0)], kind)[0])
    assert out[0] == 77
    kernel[1, 1](out, bytes(8) + (5).to_bytes(4, "little") + bytes(4))
    assert out[0] == 5
    with pytest.raises(TypeError, match="16 bytes"):
        kernel[1, 1](out, bytes(15))
    with pytest.raises(TypeError):
        kernel[1, 1](out, np.array([(None, 1)], [("a", object), ("b", "u8")])[0])
    assert ctypes.sizeof(ctypes.c_void_p) == 8
