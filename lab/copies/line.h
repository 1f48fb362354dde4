/* line.h - a case as text: what it orders, its memory, its map by the driver. */
#ifndef COPIES_LINE_H
#define COPIES_LINE_H

#include "device.cuh"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

typedef std::vector<uint8_t> bytes;

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static bytes memory_of(const std::string &text) {
    bytes out;
    unsigned long long a, n, keep, set;
    unsigned b;
    if (sscanf(text.c_str(), "@mix:%llu:%llu", &a, &n) == 2) {
        out.resize(n);
        for (uint64_t i = 0; i < n; i++)
            out[i] = (uint8_t)(mix(a + i / 8 * 8) >> i % 8 * 8);
    } else if (sscanf(text.c_str(), "@bits:%16llx:%16llx:%llu:%llu", &keep, &set, &a, &n) == 4) {
        out.resize(n);
        for (uint64_t i = 0; i < n; i++)
            out[i] = (uint8_t)(((mix(a + i / 8 * 8) & keep) | set) >> i % 8 * 8);
    } else if (sscanf(text.c_str(), "@fill:%2x:%llu", &b, &n) == 2) {
        out.assign(n, (uint8_t)b);
    } else {
        for (size_t i = 0; i + 1 < text.size(); i += 2)
            out.push_back((uint8_t)strtoul(text.substr(i, 2).c_str(), NULL, 16));
    }
    return out;
}

static std::string field(const std::string &line, const char *name) {
    std::string key = std::string("\t") + name + "=";
    size_t at = line.find(key), end;
    if (at == std::string::npos)
        return "";
    at += key.size();
    end = line.find('\t', at);
    return line.substr(at, end == std::string::npos ? end : end - at);
}

static std::vector<long long> list(const std::string &line, const char *name) {
    std::vector<long long> out;
    std::string text = field(line, name);
    const char *at = text.c_str();
    while (*at) {
        char *end;
        out.push_back(strtoll(at, &end, 10));
        at = *end ? end + 1 : end;
    }
    return out;
}

static int index_in(const std::string &word, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (word == names[i])
            return i;
    return -1;
}

static const char *const types[] = {
    "UINT8",   "UINT16",  "UINT32",   "INT32",       "UINT64",   "INT64",        "FLOAT16",
    "FLOAT32", "FLOAT64", "BFLOAT16", "FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", NULL};
static const int type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
static const char *const interleaves[] = {"NONE", "16B", "32B", NULL};
static const char *const swizzles[] = {"NONE", "32B", "64B", "128B", NULL};
static const char *const fills[] = {"ZERO", "NAN", NULL};
static const char *const operations[] = {"add", "min", "max", "inc", "dec",
                                         "and", "or",  "xor", NULL};

template <class T> static void fill(T *out, const std::vector<long long> &in) {
    for (size_t i = 0; i < in.size(); i++)
        out[i] = (T)in[i];
}

/* The driver's answer; *tx: bytes of the tile. */
static int encode(const std::string &line, uint8_t *global, CUtensorMap *map, uint32_t *tx,
                  int *pixels) {
    cuuint64_t dims[8] = {1, 1, 1, 1, 1}, strides[8] = {0};
    cuuint32_t box[8] = {1, 1, 1, 1, 1}, steps[8] = {1, 1, 1, 1, 1};
    int lower[8] = {0}, upper[8] = {0};
    uint32_t rank = (uint32_t)atoi(field(line, "rank").c_str());
    int type = index_in(field(line, "dtype"), types),
        slices = index_in(field(line, "interleave"), interleaves);
    int swizzle = index_in(field(line, "swizzle"), swizzles),
        oob = index_in(field(line, "oob"), fills);
    int l2 = atoi(field(line, "l2").c_str());
    uint32_t channels = (uint32_t)atoi(field(line, "channels").c_str());
    uint32_t count = (uint32_t)atoi(field(line, "pixels").c_str());
    void *base = global + strtoull(field(line, "base").c_str(), NULL, 10);
    fill(dims, list(line, "dims"));
    fill(strides, list(line, "strides"));
    fill(box, list(line, "box"));
    fill(steps, list(line, "estrides"));
    fill(lower, list(line, "lower"));
    fill(upper, list(line, "upper"));
    *pixels = channels != 0;
    *tx = (uint32_t)(slices ? 16 * slices : type_bytes[type]);
    if (*pixels) {
        *tx *= (slices ? 1 : channels) * count;
        return (int)cuTensorMapEncodeIm2col(
            map, (CUtensorMapDataType)type, rank, base, dims, strides, lower, upper, channels,
            count, steps, (CUtensorMapInterleave)slices, (CUtensorMapSwizzle)swizzle,
            (CUtensorMapL2promotion)l2, (CUtensorMapFloatOOBfill)oob);
    }
    for (uint32_t i = 0; i < rank; i++)
        if (!(slices && i + 2 == rank))
            *tx *= i == 0 && !slices ? box[0] : (box[i] + steps[i] - 1) / steps[i];
    return (int)cuTensorMapEncodeTiled(map, (CUtensorMapDataType)type, rank, base, dims, strides,
                                       box, steps, (CUtensorMapInterleave)slices,
                                       (CUtensorMapSwizzle)swizzle, (CUtensorMapL2promotion)l2,
                                       (CUtensorMapFloatOOBfill)oob);
}

/* Takes `piece` out of a word; whether it was there. */
static int take(std::string &word, const std::string &piece) {
    size_t at = word.find(piece);
    if (at != std::string::npos)
        word.erase(at, piece.size());
    return at != std::string::npos;
}

static order plain_of(const std::string &line, std::string word, order o) {
    static const char *const stores[] = {
#define X(word, end) word end,
        PLAIN_STORES(X)
#undef X
            NULL};
    o.form |= word == PLAIN_CTA_WORD ? CTA : CLUSTER;
    o.what = word == PLAIN_LOAD_WORD || word == PLAIN_CTA_WORD ? PLAIN_LOAD : PLAIN_STORE;
    o.op = index_in(word, stores);
    o.tx = (uint32_t)strtoul(field(line, "bytes").c_str(), NULL, 10);
    return o;
}

static order order_of(const std::string &line) {
    order o = {};
    std::string word = line.substr(0, line.find('\t'));
    size_t d;
    o.at = (uint32_t)atoi(field(line, "smem_at").c_str());
    o.form = take(word, HINTED) ? HINT : 0;
    d = word.find("tensor.");
    if (d == std::string::npos)
        return plain_of(line, word, o);
    o.dims = word[d + 7] - '0';
    o.mode = word.find(".im2col") != std::string::npos ? PIXELS : TILE;
    o.what = word.compare(0, 9, "cp.reduce") == 0          ? REDUCE
             : word.find("d.global.") != std::string::npos ? STORE
                                                           : LOAD;
    if (o.what == LOAD)
        o.form |= word.find("d.shared::cta.") != std::string::npos ? CTA : CLUSTER;
    for (int i = 0; operations[i]; i++)
        if (word.find(std::string("cta.") + operations[i] + ".") != std::string::npos)
            o.op = i;
    fill(o.coord, list(line, "coord"));
    fill(o.offset, list(line, "offsets"));
    return o;
}

#endif
