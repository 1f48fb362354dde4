/* wsim.hpp - the library for C++17: objects that free themselves, refusals as exceptions or as
 * values.
 *
 *     wsim::ptx_module kernels(ptx);
 *     wsim::device gpu("h100");
 *     auto x = gpu.alloc<float>(1024, "x");
 *     x.write(values);
 *     wsim::report report = wsim::launch("scale").grid(4).block(256).run(gpu, kernels, x, 2.0f);
 *     std::vector<float> y = x.read();
 *
 * A refusal is thrown as a wsim::error with the rule and its sentence. Each call that can be
 * refused has a second form, try_..., which throws nothing and returns a wsim::result: the value or
 * the refusal. Programs use the structs of the C headers directly, and the functions without
 * anything to free too.
 *
 * Objects are as thread-safe as those of the C library: threads may share a module.
 * index.hpp, which is included, has constants for static_assert and kernels.
 */
#ifndef WSIM_WSIM_HPP
#define WSIM_WSIM_HPP

#include "index.hpp"
#include "wsim.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace wsim {

/* --- refusals --- */

class error : public std::runtime_error {
  public:
    explicit error(const wsim_diag &diag) : std::runtime_error(diag.text), diag_(diag) {}
    const wsim_diag &diag() const noexcept {
        return diag_;
    }
    enum wsim_status status() const noexcept {
        return diag_.status;
    }
    /* "memory.bounds" and so on, see `wsim why --rules`; never NULL. */
    const char *rule() const noexcept {
        return diag_.rule ? diag_.rule : "";
    }

  private:
    wsim_diag diag_;
};

/* Throws. Without exceptions it prints the refusal and aborts. */
[[noreturn]] inline void refuse(const wsim_diag &diag) {
#ifdef __cpp_exceptions
    throw error(diag);
#else
    std::fprintf(stderr, "wsim: %s\n", diag.text);
    std::abort();
#endif
}

/* A value or a refusal. */
template <class T> class [[nodiscard]] result {
  public:
    result(T value) : is_(std::in_place_index<0>, std::move(value)) {}
    result(const wsim_diag &diag) : is_(std::in_place_index<1>, diag) {}

    explicit operator bool() const noexcept {
        return is_.index() == 0;
    }
    /* Only with a value. */
    T &operator*() &noexcept {
        return *std::get_if<0>(&is_);
    }
    T &&operator*() &&noexcept {
        return std::move(*std::get_if<0>(&is_));
    }
    T *operator->() noexcept {
        return std::get_if<0>(&is_);
    }
    /* Only without a value. */
    const wsim_diag &refusal() const noexcept {
        return *std::get_if<1>(&is_);
    }
    /* Returns the value, or throws the refusal. */
    T value() && {
        if (!*this)
            refuse(refusal());
        return std::move(**this);
    }

  private:
    std::variant<T, wsim_diag> is_;
};

struct nothing {};

/* The result of a call without a value. */
inline result<nothing> answer(enum wsim_status status, const wsim_diag &diag) noexcept {
    if (status == WSIM_OK)
        return nothing{};
    return diag;
}

namespace detail {
/* A refusal by this header, under a rule of the library. */
template <class... Values>
wsim_diag refusal(const char *name, const char *format, Values... values) noexcept {
    wsim_diag diag{};
    wsim_rule rule{};
    wsim_rule_find(name, &rule);
    diag.status = rule.status;
    diag.rule = rule.name;
    std::snprintf(diag.text, sizeof diag.text, format, values...);
    return diag;
}
inline wsim_diag size_of(const char *what, std::size_t is, std::size_t needed) noexcept {
    return refusal("operand.missing", "%s has %zu elements, not %zu", what, is, needed);
}
} /* namespace detail */

/* --- spans --- */

/* A view of elements that another object owns. */
template <class T> class span {
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /* From any object with data() and size(): std::vector, std::array, std::span ... */
    template <class C, class = std::enable_if_t<
                           std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr span(C &&c) noexcept : data_(c.data()), size_(c.size()) {}

    constexpr T *data() const noexcept {
        return data_;
    }
    constexpr std::size_t size() const noexcept {
        return size_;
    }
    constexpr T &operator[](std::size_t i) const noexcept {
        return data_[i];
    }
    constexpr T *begin() const noexcept {
        return data_;
    }
    constexpr T *end() const noexcept {
        return data_ + size_;
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* --- architectures, operations, layouts --- */

/* A row of the table, as a value; valid for the whole program. */
class arch {
  public:
    /* "sm_90a", "90a", "h100". */
    static result<arch> try_find(const char *name) noexcept {
        if (const wsim_arch *found = wsim_arch_called(name))
            return arch(found);
        return detail::refusal("arch.missing",
                               "no architecture is called '%.40s'; names are such as sm_90a, h100 "
                               "or RTX 4090 (wsim arch lists them)",
                               name);
    }
    arch(const char *name) : arch(try_find(name).value()) {}
    explicit arch(const wsim_arch *row) noexcept : row_(row) {}

    const char *name() const noexcept {
        return wsim_arch_name(row_);
    }
    const wsim_arch *get() const noexcept {
        return row_;
    }

  private:
    const wsim_arch *row_;
};

/* An instruction by its spelling. */
class op {
  public:
    /* Takes a spelling, or a text that names one instruction for wsim_op_find: some words of a
     * spelling, an atom of CuTe, machine code. A text with .sync is a whole spelling. */
    static result<op> try_parse(const char *spelling) noexcept {
        op read;
        wsim_diag diag{}, other{};
        std::size_t count = 0;
        if (wsim_op_parse(spelling, &read.op_, &diag) == WSIM_OK)
            return read;
        if (diag.status == WSIM_UNMODELLED || std::strstr(spelling, ".sync"))
            return diag;
        if (wsim_op_find(spelling, &read.op_, 1, &count, &other) != WSIM_OK)
            return diag.col == 1 ? other : diag;
        if (count == 1)
            return read;
        std::snprintf(diag.text, sizeof diag.text,
                      "'%.64s' can be %lu instructions; add more words: shape, types, such as "
                      "m16n8k16.f32.f16",
                      spelling, static_cast<unsigned long>(count));
        return diag;
    }
    op(const char *spelling) : op(try_parse(spelling).value()) {}
    explicit op(const wsim_op &is) noexcept : op_(is) {}

    std::string spelling() const {
        char text[WSIM_SPELLING_MAX];
        wsim_op_spell(&op_, text);
        return text;
    }
    wsim_op_info describe() const noexcept {
        return wsim_op_describe(&op_);
    }
    result<nothing> try_check(const arch &on) const noexcept {
        wsim_diag diag{};
        return answer(wsim_op_check(&op_, on.get(), &diag), diag);
    }
    void check(const arch &on) const {
        try_check(on).value();
    }
    result<wsim_layout> try_layout(enum wsim_operand operand) const noexcept {
        return layout_on(nullptr, operand);
    }
    result<wsim_layout> try_layout(enum wsim_operand operand, const arch &on) const noexcept {
        return layout_on(on.get(), operand);
    }
    wsim_layout layout(enum wsim_operand operand) const {
        return try_layout(operand).value();
    }
    wsim_layout layout(enum wsim_operand operand, const arch &on) const {
        return try_layout(operand, on).value();
    }
    const wsim_op &get() const noexcept {
        return op_;
    }

  private:
    op() noexcept = default;
    result<wsim_layout> layout_on(const wsim_arch *on, enum wsim_operand operand) const noexcept {
        wsim_layout layout{};
        wsim_diag diag{};
        if (wsim_op_layout(&op_, on, operand, &layout, &diag) != WSIM_OK)
            return diag;
        return layout;
    }
    wsim_op op_{};
};

/* Packs a matrix into registers of a warp, and unpacks it: raw bits, batch by batch, row by row.
 * `matrix` has batches * rows * cols elements. For layouts of a warpgroup use wsim_words_pack. */
inline result<wsim_regs> try_pack(const wsim_layout &layout, span<const uint64_t> matrix) noexcept {
    std::size_t needed = std::size_t{layout.batches} * layout.rows * layout.cols;
    wsim_regs regs{};
    if (matrix.size() != needed)
        return detail::size_of("the matrix", matrix.size(), needed);
    if (layout.lanes != WSIM_LANES)
        return detail::size_of("a register", layout.lanes, WSIM_LANES);
    wsim_fragment_pack(&layout, matrix.data(), &regs);
    return regs;
}
inline wsim_regs pack(const wsim_layout &layout, span<const uint64_t> matrix) {
    return try_pack(layout, matrix).value();
}
inline std::vector<uint64_t> unpack(const wsim_layout &layout, const wsim_regs &regs) {
    std::vector<uint64_t> matrix(std::size_t{layout.batches} * layout.rows * layout.cols);
    if (layout.lanes != WSIM_LANES)
        refuse(detail::size_of("a register", layout.lanes, WSIM_LANES));
    wsim_fragment_unpack(&layout, &regs, matrix.data());
    return matrix;
}

/* --- one instruction --- */

/* An instruction that is prepared once and run many times: wsim_prepare (code.h). */
class code {
  public:
    static result<code> try_prepare(const op &is, const arch &on, uint32_t flags = 0) noexcept {
        code made;
        wsim_diag diag{};
        if (wsim_prepare(&is.get(), on.get(), flags, &made.code_, &diag) != WSIM_OK)
            return diag;
        return made;
    }
    code(const op &is, const arch &on, uint32_t flags = 0)
        : code(try_prepare(is, on, flags).value()) {}

    result<nothing> try_run(const wsim_io &io) const noexcept {
        wsim_diag diag{};
        return answer(wsim_run(&code_, &io, &diag), diag);
    }
    void run(const wsim_io &io) const {
        try_run(io).value();
    }
    const wsim_code &get() const noexcept {
        return code_;
    }

  private:
    code() noexcept = default;
    wsim_code code_{};
};

/* wsim_exec (exec.h), with operands in structs of registers. */
inline result<nothing> try_exec(const op &is, const arch &on, const wsim_operands &io) noexcept {
    wsim_diag diag{};
    return answer(wsim_exec(&is.get(), on.get(), &io, &diag), diag);
}
inline void exec(const op &is, const arch &on, const wsim_operands &io) {
    try_exec(is, on, io).value();
}

/* D = A B + C of an mma without metadata and scale factors. */
inline wsim_regs mma(const op &is, const arch &on, const wsim_regs &a, const wsim_regs &b,
                     const wsim_regs &c) {
    wsim_regs d{};
    wsim_operands io{};
    io.d = &d;
    io.a = &a;
    io.b = &b;
    io.c = &c;
    exec(is, on, io);
    return d;
}

/* The cost of a warp access to shared memory (banks.h). It takes 32 byte addresses, one a lane.
 * Lanes whose bit of `mask` is 0 do not take part. */
inline result<wsim_banks> try_banks(const op &is, const arch &on, span<const uint32_t> addresses,
                                    uint32_t mask = UINT32_MAX) noexcept {
    wsim_banks cost{};
    wsim_diag diag{};
    if (addresses.size() != WSIM_LANES)
        return detail::size_of("the list of addresses", addresses.size(), WSIM_LANES);
    if (wsim_banks_count(&is.get(), on.get(), addresses.data(), mask, &cost, &diag) != WSIM_OK)
        return diag;
    return cost;
}
inline wsim_banks banks(const op &is, const arch &on, span<const uint32_t> addresses,
                        uint32_t mask = UINT32_MAX) {
    return try_banks(is, on, addresses, mask).value();
}

/* --- whole kernels --- */

namespace detail {
struct free_module {
    void operator()(wsim_module *m) const noexcept {
        wsim_module_free(m);
    }
};
struct free_device {
    void operator()(wsim_device *d) const noexcept {
        wsim_device_free(d);
    }
};
struct free_report {
    void operator()(wsim_report *r) const noexcept {
        wsim_report_free(r);
    }
};
} /* namespace detail */

/* PTX, decoded. */
class ptx_module {
  public:
    /* `flags`: WSIM_MODULE_... */
    static result<ptx_module> try_load(std::string_view ptx, uint32_t flags = 0) noexcept {
        wsim_module *made = nullptr;
        wsim_diag diag{};
        enum wsim_status status = wsim_module_load(ptx.data(), ptx.size(), flags, &made, &diag);
        if (status != WSIM_OK) {
            wsim_module_free(made);
            return diag;
        }
        return ptx_module(made);
    }
    explicit ptx_module(std::string_view ptx, uint32_t flags = 0)
        : ptx_module(try_load(ptx, flags).value()) {}

    wsim_module_info describe() const noexcept {
        wsim_module_info info{};
        wsim_module_describe(get(), &info);
        return info;
    }
    /* The parts that are not modelled. */
    std::vector<wsim_problem> problems() const {
        std::vector<wsim_problem> all;
        wsim_problem one{};
        while (wsim_module_problem(get(), all.size(), &one))
            all.push_back(one);
        return all;
    }
    wsim_module *get() const noexcept {
        return module_.get();
    }

  private:
    explicit ptx_module(wsim_module *made) noexcept : module_(made) {}
    std::unique_ptr<wsim_module, detail::free_module> module_;
};

template <class T> class buffer;

/* Global memory. A device can be moved but not copied, and outlives its buffers. */
class device {
  public:
    static result<device> try_make(const arch &of) noexcept {
        wsim_device *made = nullptr;
        wsim_diag diag{};
        if (wsim_device_make(of.get(), &made, &diag) != WSIM_OK)
            return diag;
        return device(made);
    }
    explicit device(const arch &of) : device(try_make(of).value()) {}
    explicit device(const char *of) : device(arch(of)) {}

    /* Makes a buffer of `count` uninitialised elements; findings use its `name`. */
    template <class T>
    result<buffer<T>> try_alloc(std::size_t count, const char *name = nullptr) noexcept;
    template <class T> buffer<T> alloc(std::size_t count, const char *name = nullptr) {
        return try_alloc<T>(count, name).value();
    }
    wsim_device *get() const noexcept {
        return device_.get();
    }

  private:
    explicit device(wsim_device *made) noexcept : device_(made) {}
    std::unique_ptr<wsim_device, detail::free_device> device_;
};

/* A buffer of a device, freed with the device or before. */
template <class T> class buffer {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are what a kernel sees of it");

  public:
    buffer(buffer &&other) noexcept
        : device_(std::exchange(other.device_, nullptr)), address_(other.address_),
          size_(other.size_) {}
    buffer &operator=(buffer &&other) noexcept {
        std::swap(device_, other.device_);
        std::swap(address_, other.address_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~buffer() {
        if (device_)
            wsim_device_release(device_, address_, nullptr);
    }

    /* The address in a kernel. */
    uint64_t address() const noexcept {
        return address_;
    }
    std::size_t size() const noexcept {
        return size_;
    }
    result<nothing> try_write(span<const T> from, std::size_t first = 0) noexcept {
        wsim_diag diag{};
        return answer(wsim_device_write(device_, address_ + first * sizeof(T), from.data(),
                                        from.size() * sizeof(T), &diag),
                      diag);
    }
    result<nothing> try_read(span<T> to, std::size_t first = 0) const noexcept {
        wsim_diag diag{};
        return answer(wsim_device_read(device_, address_ + first * sizeof(T), to.data(),
                                       to.size() * sizeof(T), &diag),
                      diag);
    }
    void write(span<const T> from, std::size_t first = 0) {
        try_write(from, first).value();
    }
    void fill(T value) {
        write(std::vector<T>(size_, value));
    }
    std::vector<T> read() const {
        std::vector<T> all(size_);
        try_read(all).value();
        return all;
    }

  private:
    friend class device;
    buffer(wsim_device *on, uint64_t address, std::size_t size) noexcept
        : device_(on), address_(address), size_(size) {}
    wsim_device *device_;
    uint64_t address_;
    std::size_t size_;
};

template <class T>
result<buffer<T>> device::try_alloc(std::size_t count, const char *name) noexcept {
    uint64_t address = 0;
    wsim_diag diag{};
    enum wsim_status status = WSIM_NO_MEMORY;
    if (count <= SIZE_MAX / sizeof(T))
        status = wsim_device_alloc(get(), name, count * sizeof(T), 0, &address, &diag);
    else
        diag.status = status;
    if (status != WSIM_OK)
        return diag;
    return buffer<T>(get(), address, count);
}

/* The findings, output and costs of a launch. */
class report {
  public:
    explicit report(wsim_report *made) noexcept : report_(made) {}
    wsim_totals totals() const noexcept {
        wsim_totals sums{};
        if (report_)
            wsim_report_totals(get(), &sums);
        return sums;
    }
    /* Their texts stay valid as long as the report. */
    std::vector<wsim_finding> findings() const {
        return all<wsim_finding>(wsim_report_finding);
    }
    std::vector<wsim_line> lines() const {
        return all<wsim_line>(wsim_report_line);
    }
    std::string_view output() const noexcept {
        std::size_t size = 0;
        const char *text = report_ ? wsim_report_output(get(), &size) : "";
        return {text, size};
    }
    const wsim_report *get() const noexcept {
        return report_.get();
    }

  private:
    template <class T>
    std::vector<T> all(int (*next)(const wsim_report *, std::size_t, T *)) const {
        std::vector<T> list;
        T one{};
        while (report_ && next(get(), list.size(), &one))
            list.push_back(one);
        return list;
    }
    std::unique_ptr<wsim_report, detail::free_report> report_;
};

/* A launch that a GPU would stop, with its findings up to this point. */
class launch_error : public error {
  public:
    launch_error(const wsim_diag &diag, wsim::report &&found)
        : error(diag), report_(std::make_shared<wsim::report>(std::move(found))) {}
    const wsim::report &report() const noexcept {
        return *report_;
    }

  private:
    std::shared_ptr<wsim::report> report_;
};

/* Sizes and checks of a launch. All checks are on by default. */
class launch {
  public:
    /* The name of the kernel in the PTX. Without a name, the module has one kernel only. */
    explicit launch(const char *kernel = nullptr) noexcept {
        launch_.name = kernel;
        launch_.checks = WSIM_CHECK_ALL;
    }
    launch &grid(uint32_t x, uint32_t y = 1, uint32_t z = 1) noexcept {
        return set(launch_.grid, x, y, z);
    }
    launch &block(uint32_t x, uint32_t y = 1, uint32_t z = 1) noexcept {
        return set(launch_.block, x, y, z);
    }
    launch &cluster(uint32_t x, uint32_t y = 1, uint32_t z = 1) noexcept {
        return set(launch_.cluster, x, y, z);
    }
    /* Bytes of dynamic shared memory. */
    launch &shared(uint32_t bytes) noexcept {
        launch_.shared = bytes;
        return *this;
    }
    /* WSIM_CHECK_...; 0: none. */
    launch &checks(uint32_t which) noexcept {
        launch_.checks = which;
        return *this;
    }
    /* Counters of each line. */
    launch &count() noexcept {
        launch_.count = 1;
        return *this;
    }
    launch &seed(uint64_t seed) noexcept {
        launch_.seed = seed;
        return *this;
    }
    launch &late() noexcept {
        launch_.async = WSIM_ASYNC_LATE;
        return *this;
    }
    launch &threads(uint32_t of_the_host) noexcept {
        launch_.threads = of_the_host;
        return *this;
    }

    /* Runs the launch. Parameters are buffers, or values with the bytes of the kernel's parameter;
     * another size is refused. Throws launch_error for a finding that stops a GPU. The report has
     * other findings. */
    template <class... Args>
    wsim::report run(device &on, const ptx_module &of, const Args &...args) const {
        wsim_diag diag{};
        wsim_report *made = nullptr;
        enum wsim_status status = start(on, of, made, diag, args...);
        wsim::report found(made);
        if (status == WSIM_OK)
            return found;
#ifdef __cpp_exceptions
        if (made)
            throw launch_error(diag, std::move(found));
#endif
        refuse(diag);
    }
    /* Runs the launch without exceptions. `found`, if not NULL, receives the report in every case.
     */
    template <class... Args>
    result<nothing> try_run(device &on, const ptx_module &of, wsim::report *found,
                            const Args &...args) const noexcept {
        wsim_diag diag{};
        wsim_report *made = nullptr;
        enum wsim_status status = start(on, of, made, diag, args...);
        wsim::report has(made);
        if (found)
            *found = std::move(has);
        return answer(status, diag);
    }
    const wsim_launch &get() const noexcept {
        return launch_;
    }

  private:
    launch &set(uint32_t (&extent)[3], uint32_t x, uint32_t y, uint32_t z) noexcept {
        extent[0] = x;
        extent[1] = y;
        extent[2] = z;
        return *this;
    }

    struct param {
        const void *bytes;
        std::size_t size;
        uint64_t address; /* of a buffer */
    };
    template <class T> static param param_of(const buffer<T> &b) noexcept {
        return {nullptr, sizeof(uint64_t), b.address()};
    }
    template <class T> static param param_of(const T &value) noexcept {
        static_assert(std::is_trivially_copyable_v<T>, "bytes are what a kernel sees of it");
        return {&value, sizeof value, 0};
    }

    template <class... Args>
    enum wsim_status start(device &on, const ptx_module &of, wsim_report *&made, wsim_diag &diag,
                           const Args &...args) const noexcept {
        const std::array<param, sizeof...(Args)> given{param_of(args)...};
        return start_given(on, of, made, diag, given.data(), given.size());
    }
    enum wsim_status start_given(device &on, const ptx_module &of, wsim_report *&made,
                                 wsim_diag &diag, const param *given,
                                 std::size_t count) const noexcept {
        unsigned char bytes[32768] = {0}; /* no kernel has more */
        wsim_launch with = launch_;
        wsim_kernel_info kernel{};
        with.kernel = wsim_module_find(of.get(), launch_.name);
        if (with.kernel)
            wsim_kernel_describe(with.kernel, &kernel);
        std::size_t known = with.kernel ? kernel.params : count;
        if (known != count)
            return wrong(diag, detail::refusal("launch.params.size",
                                               "the kernel has %zu parameters; %zu are given",
                                               known, count));
        for (std::size_t i = 0; i < count; i++) {
            wsim_kernel_param is{};
            if (!wsim_kernel_param_at(with.kernel, i, &is))
                break; /* no such kernel, which wsim_launch_run says */
            if (is.bytes != given[i].size || is.offset + std::size_t{is.bytes} > sizeof bytes)
                return wrong(diag,
                             detail::refusal("launch.params.size",
                                             "parameter %zu, %.60s, has %u bytes; %zu are given", i,
                                             is.name, unsigned{is.bytes}, given[i].size));
            std::memcpy(bytes + is.offset, given[i].bytes ? given[i].bytes : &given[i].address,
                        given[i].size);
        }
        with.params = bytes;
        with.param_bytes = kernel.param_bytes;
        return wsim_launch_run(on.get(), of.get(), &with, &made, &diag);
    }
    static enum wsim_status wrong(wsim_diag &diag, const wsim_diag &why) noexcept {
        diag = why;
        return diag.status;
    }
    wsim_launch launch_{};
};

} /* namespace wsim */

#endif
