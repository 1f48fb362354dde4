/* Lines out of plain, zstd, xz and gzip files. A codec turns what is in `in` into more `out`; each
 * is there if the build found its library (HAVE_ZSTD, HAVE_LZMA, HAVE_ZLIB). */
#include "trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { BUFFER = 1 << 16, LINE_MAX_BYTES = 1 << 26, LZMA_MEMORY = 1 << 27 };

struct trace_file {
    FILE *stream;
    const struct codec *codec;
    unsigned char in[BUFFER], out[BUFFER];
    size_t in_at, in_end, out_at, out_end; /* what of the buffers is not used yet     */
    int at_end;                            /* the stream has no more for `in`         */
    int whole;                             /* the codec stands between two of its units */
    char *line;
    size_t room;
    char problem[160];
    union {
#ifdef HAVE_ZSTD
        ZSTD_DStream *zstd;
#endif
#ifdef HAVE_LZMA
        lzma_stream lzma;
#endif
#ifdef HAVE_ZLIB
        z_stream zlib;
#endif
        int none;
    } state;
};

/* `begin` and `step` answer 0 if they fail, and `step` may have said why in file->problem. NULL:
 * not in this build. */
struct codec {
    const char *name, *command;
    const char *magic;
    size_t magic_length;
    int (*begin)(struct trace_file *file);
    int (*step)(struct trace_file *file);
    void (*end)(struct trace_file *file);
};

#define NO_MEMORY "no memory to decompress"

static int broken(struct trace_file *file, const char *what, const char *more) {
    snprintf(file->problem, sizeof file->problem, "%s%s", what, more);
    return -1;
}

static int plain_step(struct trace_file *file) {
    size_t n = file->in_end - file->in_at;
    memcpy(file->out, file->in + file->in_at, n);
    file->in_at = file->in_end;
    file->out_end = n;
    file->whole = 1;
    return 1;
}

#ifdef HAVE_ZSTD
static int zstd_begin(struct trace_file *file) {
    file->state.zstd = ZSTD_createDStream();
    return file->state.zstd != NULL;
}
static int zstd_step(struct trace_file *file) {
    ZSTD_inBuffer in = {file->in, file->in_end, file->in_at};
    ZSTD_outBuffer out = {file->out, sizeof file->out, 0};
    size_t hint = ZSTD_decompressStream(file->state.zstd, &out, &in);
    file->in_at = in.pos;
    file->out_end = out.pos;
    file->whole = hint == 0;
    if (ZSTD_getErrorCode(hint) == ZSTD_error_frameParameter_windowTooLarge)
        broken(file,
               "its window is larger than 128 MB; use: zstd -dc --long=31 FILE | wsim replay -",
               "");
    if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation)
        broken(file, NO_MEMORY, "");
    return !ZSTD_isError(hint);
}
static void zstd_end(struct trace_file *file) {
    ZSTD_freeDStream(file->state.zstd);
}
#else
#define zstd_begin NULL
#define zstd_step NULL
#define zstd_end NULL
#endif

#ifdef HAVE_LZMA
static int lzma_begin(struct trace_file *file) {
    lzma_stream fresh = LZMA_STREAM_INIT;
    file->state.lzma = fresh;
    return lzma_stream_decoder(&file->state.lzma, LZMA_MEMORY, 0) == LZMA_OK;
}
static int lzma_step(struct trace_file *file) {
    lzma_stream *lzma = &file->state.lzma;
    lzma_ret answer;
    if (file->whole && file->in_at < file->in_end &&
        lzma_stream_decoder(lzma, LZMA_MEMORY, 0) != LZMA_OK)
        return broken(file, NO_MEMORY, "") > 0; /* one stream is over, another follows */
    lzma->next_in = file->in + file->in_at;
    lzma->avail_in = file->in_end - file->in_at;
    lzma->next_out = file->out;
    lzma->avail_out = sizeof file->out;
    answer = lzma_code(lzma, file->at_end ? LZMA_FINISH : LZMA_RUN);
    file->in_at = file->in_end - lzma->avail_in;
    file->out_end = sizeof file->out - lzma->avail_out;
    file->whole = answer == LZMA_STREAM_END;
    if (answer == LZMA_MEM_ERROR)
        broken(file, NO_MEMORY, "");
    if (answer == LZMA_MEMLIMIT_ERROR)
        broken(file, "it takes more than 128 MB to decompress; use: xz -dc FILE | wsim replay -",
               "");
    return answer == LZMA_OK || answer == LZMA_STREAM_END || answer == LZMA_BUF_ERROR;
}
static void lzma_finish(struct trace_file *file) {
    lzma_end(&file->state.lzma);
}
#else
#define lzma_begin NULL
#define lzma_step NULL
#define lzma_finish NULL
#endif

#ifdef HAVE_ZLIB
static int gzip_begin(struct trace_file *file) {
    memset(&file->state.zlib, 0, sizeof file->state.zlib);
    return inflateInit2(&file->state.zlib, 15 + 16) == Z_OK; /* 15: largest window, 16: gzip */
}
static int gzip_step(struct trace_file *file) {
    z_stream *zlib = &file->state.zlib;
    int answer;
    if (file->whole && file->in_at < file->in_end && inflateReset(zlib) != Z_OK)
        return 0; /* one member is over, another follows */
    zlib->next_in = file->in + file->in_at;
    zlib->avail_in = (uInt)(file->in_end - file->in_at);
    zlib->next_out = file->out;
    zlib->avail_out = sizeof file->out;
    answer = inflate(zlib, Z_NO_FLUSH);
    file->in_at = file->in_end - zlib->avail_in;
    file->out_end = sizeof file->out - zlib->avail_out;
    file->whole = answer == Z_STREAM_END;
    return answer == Z_OK || answer == Z_STREAM_END || answer == Z_BUF_ERROR;
}
static void gzip_end(struct trace_file *file) {
    inflateEnd(&file->state.zlib);
}
#else
#define gzip_begin NULL
#define gzip_step NULL
#define gzip_end NULL
#endif

static const struct codec codecs[] = {
    {"zstd", "zstd -dc", "\x28\xB5\x2F\xFD", 4, zstd_begin, zstd_step, zstd_end},
    {"xz", "xz -dc", "\xFD\x37zXZ\0", 6, lzma_begin, lzma_step, lzma_finish},
    {"gzip", "gzip -dc", "\x1F\x8B", 2, gzip_begin, gzip_step, gzip_end},
    {"plain", "cat", "", 0, NULL, plain_step, NULL}, /* any other first bytes */
};

/* More into an empty `in`. */
static int refill(struct trace_file *file) {
    file->in_at = 0;
    file->in_end = fread(file->in, 1, sizeof file->in, file->stream);
    if (ferror(file->stream))
        return broken(file, "cannot be read: ", strerror(errno));
    file->at_end = file->in_end == 0;
    return 1;
}

static int choose_codec(struct trace_file *file) {
    const struct codec *codec = codecs;
    if (refill(file) < 0)
        return -1;
    while (codec->magic_length > file->in_end ||
           memcmp(file->in, codec->magic, codec->magic_length) != 0)
        codec++;
    if (!codec->step) {
        snprintf(file->problem, sizeof file->problem,
                 "compressed with %s, which this build cannot read; use: %s FILE | wsim replay -",
                 codec->name, codec->command);
        return -1;
    }
    if (codec->begin && !codec->begin(file))
        return broken(file, NO_MEMORY, "");
    file->codec = codec;
    return 1;
}

/* True if the bytes after a unit can begin another. They are the first bytes of the codec, as far
 * as present, a skippable frame of zstd, or the zero padding of xz. */
static int goes_on(const struct trace_file *file) {
    const unsigned char *at = file->in + file->in_at;
    size_t n = file->in_end - file->in_at, length = file->codec->magic_length;
    if (n > length)
        n = length;
    return memcmp(at, file->codec->magic, n) == 0 ||
           (file->codec->step == zstd_step && (*at & 0xF0) == 0x50) ||
           (file->codec->step == lzma_step && *at == 0);
}

/* Zeros in fours. */
static void skip_filling(struct trace_file *file) {
    while (file->codec->step == lzma_step && file->whole && file->in_at < file->in_end &&
           file->in[file->in_at] == 0)
        file->in_at++;
}

/* More into an empty `out`; 0 at the end of the file. */
static int more(struct trace_file *file) {
    if (!file->codec && choose_codec(file) < 0)
        return -1;
    file->out_at = file->out_end = 0;
    while (file->out_end == 0) {
        skip_filling(file);
        if (file->in_at == file->in_end && !file->at_end) {
            if (refill(file) < 0)
                return -1;
            continue;
        }
        if (file->at_end && file->whole)
            return 0;
        if (file->whole && !goes_on(file))
            return broken(file, "other bytes follow the end of the data of ", file->codec->name);
        if (!file->codec->step(file))
            return file->problem[0] ? -1
                                    : broken(file, "damaged data, not that of ", file->codec->name);
        if (file->at_end && file->out_end == 0)
            return file->whole ? 0
                               : broken(file, "cut off in the middle of the compressed data", "");
    }
    return 1;
}

static int append(struct trace_file *file, size_t used, const void *bytes, size_t n) {
    if (used + n > file->room) {
        size_t room = 2 * (used + n);
        char *grown = used + n <= LINE_MAX_BYTES ? realloc(file->line, room) : NULL;
        if (!grown)
            return broken(file, "the line is too long", "");
        file->line = grown;
        file->room = room;
    }
    memcpy(file->line + used, bytes, n);
    return 1;
}

int trace_file_next(struct trace_file *file, const char **line, size_t *length) {
    size_t used = 0;
    for (;;) {
        const unsigned char *at = file->out + file->out_at;
        size_t n = file->out_end - file->out_at;
        const unsigned char *newline = memchr(at, '\n', n);
        if (newline)
            n = (size_t)(newline - at);
        if (append(file, used, at, n) < 0)
            return -1;
        used += n;
        file->out_at += n + (newline != NULL);
        *line = file->line;
        *length = used;
        if (newline)
            return 1;
        switch (more(file)) {
        case -1: return -1;
        case 0: return used > 0; /* the last line has no newline */
        }
    }
}

const char *trace_file_problem(const struct trace_file *file) {
    return file->problem;
}

size_t trace_file_read(struct trace_file *file, void *bytes, size_t most, int *failed) {
    size_t used = 0;
    int there = 1;
    while (used < most && (file->out_at < file->out_end || (there = more(file)) > 0)) {
        size_t n = file->out_end - file->out_at;
        n = n < most - used ? n : most - used;
        memcpy((unsigned char *)bytes + used, file->out + file->out_at, n);
        file->out_at += n;
        used += n;
    }
    *failed = there < 0;
    return used;
}

struct trace_file *trace_file_of(FILE *stream) {
    struct trace_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->stream = stream;
    file->room = 256;
    file->line = malloc(file->room);
    if (file->stream && file->line)
        return file;
    trace_file_close(file);
    return NULL;
}

struct trace_file *trace_file_open(const char *path) {
    return trace_file_of(strcmp(path, "-") == 0 ? stdin : fopen(path, "rb"));
}

void trace_file_close(struct trace_file *file) {
    int why = errno; /* of the open that failed */
    if (!file)
        return;
    if (file->codec && file->codec->end)
        file->codec->end(file);
    if (file->stream && file->stream != stdin)
        fclose(file->stream);
    free(file->line);
    free(file);
    errno = why;
}
