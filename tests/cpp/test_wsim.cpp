// wsim.hpp: objects, refusals both ways, instructions, kernels.
#include <wsim/wsim.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

static int failed;

#define NEED(holds)                                                                                \
    ((holds) ? (void)0 : (void)(failed++, std::printf("line %d: not %s\n", __LINE__, #holds)))

template <class F> static std::string rule_of(F &&call) {
    try {
        call();
    } catch (const wsim::error &e) {
        NEED(std::strlen(e.what()) > 10);
        return e.rule();
    }
    return "nothing was refused";
}

static const char spelling[] = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

static void refusals() {
    NEED(rule_of([] { wsim::arch none("sm_1"); }) == "arch.missing");
    NEED(rule_of([] { wsim::op none("mma.sink"); }) != "nothing was refused");
    auto none = wsim::op::try_parse("mma.sink");
    NEED(!none && none.refusal().status == WSIM_SYNTAX && none.refusal().rule);
    NEED(wsim::op("m16n8k16.f32.f16").spelling() == spelling);
    NEED(wsim::op("SM80_16x8x16_F32F16F16F32_TN").spelling() == spelling);
    auto several = wsim::op::try_parse("m16n8k16");
    NEED(!several && std::strstr(several.refusal().text, "can be 16 instructions"));
    NEED(!wsim::op::try_parse("mma.sync.m16n8k17.f32.f16"));
    NEED(wsim::op::try_parse("multimem.red").refusal().status == WSIM_UNMODELLED);
    NEED(std::strcmp(wsim::arch("RTX 4090").name(), "sm_89") == 0);
    NEED(rule_of([] { wsim::arch none("4090"); }) == "arch.missing");
    auto one = wsim::op::try_parse(spelling);
    NEED(one && one->spelling() == spelling && (*one).describe().k == 16);
    NEED(rule_of([] { wsim::op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").check("sm_70"); }) ==
         "arch.feature.missing");
    NEED(rule_of([] { wsim::op(spelling).layout(WSIM_SFA); }) != "nothing was refused");
    NEED(wsim::op(spelling).layout(WSIM_A, "h100").rows == 16);
    // An exception is copied without throwing.
    static_assert(std::is_nothrow_copy_constructible_v<wsim::error>);
}

// A B with A and B of small whole numbers, against sums of this program's own.
static void instruction() {
    wsim::op op(spelling);
    wsim_layout la = op.layout(WSIM_A), lb = op.layout(WSIM_B), ld = op.layout(WSIM_D);
    std::vector<uint64_t> a(16 * 16), b(16 * 8), c(16 * 8, 0);
    auto half = [](int n) {
        wsim_value v{static_cast<uint8_t>(n ? WSIM_FINITE : WSIM_ZERO), 0, 0,
                     static_cast<uint64_t>(n)};
        return wsim_format_encode(wsim_format_find("f16"), v, WSIM_RN);
    };
    for (int i = 0; i < 256; i++)
        a[i] = half(i * 7 % 11);
    for (int i = 0; i < 128; i++)
        b[i] = half(i * 5 % 13);
    wsim_regs d = wsim::mma(op, "a100", wsim::pack(la, a), wsim::pack(lb, b), wsim::pack(ld, c));
    std::vector<uint64_t> is = wsim::unpack(ld, d);
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++) {
            int sum = 0;
            for (int k = 0; k < 16; k++)
                sum += (row * 16 + k) * 7 % 11 * ((k * 8 + col) * 5 % 13);
            float wanted = static_cast<float>(sum);
            uint32_t bits;
            std::memcpy(&bits, &wanted, sizeof bits);
            NEED(is[row * 8 + col] == bits);
        }
    NEED(rule_of([&] { wsim::pack(la, b); }) == "operand.missing");
    NEED(rule_of([&] { wsim::exec(op, "h100", wsim_operands{}); }) == "operand.missing");
    wsim::code code(op, "h100");
    NEED(!code.try_run(wsim_io{}));
    NEED(!wsim::code::try_prepare(op, "sm_70"));
}

static void banks() {
    std::array<uint32_t, 32> addresses{};
    for (uint32_t lane = 0; lane < 32; lane++)
        addresses[lane] = lane * 128;
    NEED(wsim::banks("ld.shared.f32", "h100", addresses).wavefronts == 32);
    for (uint32_t lane = 0; lane < 32; lane++)
        addresses[lane] = wsim::swizzle<WSIM_SWIZZLE_128B>(lane % 8 * 128);
    NEED(wsim::banks("ldmatrix.sync.aligned.m8n8.x1.shared.b16", "h100", addresses).wavefronts ==
         1);
    NEED(
        !wsim::try_banks("ld.shared.f32", "h100", wsim::span<const uint32_t>(addresses.data(), 8)));
}

static const char ptx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 to, .param .f32 by, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [to];
    ld.param.f32 %f1, [by];
    ld.param.u32 %r5, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    setp.ge.u32 %p, %r4, %r5;
    @%p ret;
    mul.wide.u32 %d2, %r4, 4;
    add.u64 %d3, %d1, %d2;
    ld.global.f32 %f2, [%d3];
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%d3], %f2;
    ret;
}
)";

static void kernels() {
    wsim::ptx_module module(ptx);
    wsim::device gpu("a100");
    auto x = gpu.alloc<float>(100, "x");
    x.fill(1.5f);
    wsim::report report =
        wsim::launch("scale").grid(2).block(64).count().run(gpu, module, x, 2.0f, uint32_t{100});
    std::vector<float> y = x.read();
    for (float value : y)
        NEED(value == 3.0f);
    NEED(report.findings().empty() && report.totals().blocks == 2 && report.lines().size() > 10);
    NEED(report.output().empty() && module.problems().empty() && module.describe().kernels == 1);

    // Parameters are counted and measured.
    auto run = [&](auto... args) { wsim::launch("scale").run(gpu, module, args...); };
    NEED(rule_of([&] { run(uint64_t{0}, 2.0f); }) == "launch.params.size");
    NEED(rule_of([&] { run(uint64_t{0}, 2.0, uint32_t{1}); }) == "launch.params.size");
    NEED(rule_of([&] { wsim::launch("scall").run(gpu, module); }) != "nothing was refused");

    // A fatal finding comes with its report.
    try {
        wsim::launch("scale").grid(2).block(64).run(gpu, module, x, 2.0f, uint32_t{128});
        NEED(!"nothing was found");
    } catch (const wsim::launch_error &e) {
        NEED(e.rule() == std::string("memory.bounds") && e.report().findings().size() >= 1);
    }
    wsim::report found(nullptr);
    auto result = wsim::launch("scale").grid(2).block(64).try_run(gpu, module, &found, x, 2.0f,
                                                                  uint32_t{128});
    NEED(!result && found.findings().size() >= 1);

    // Buffers are moved; the one that is left is freed once.
    auto z = gpu.alloc<float>(4);
    auto w = std::move(z);
    z = gpu.alloc<float>(8);
    NEED(w.size() == 4 && z.size() == 8);
    NEED(rule_of([&] { w.write(std::vector<float>(5)); }) != "nothing was refused");
    NEED(!gpu.try_alloc<double>(SIZE_MAX / 2));
    NEED(!wsim::ptx_module::try_load("no ptx"));
}

int main() {
    refusals();
    instruction();
    banks();
    kernels();
    std::printf(failed ? "%d failed\n" : "fine\n", failed);
    return failed != 0;
}
