/* wsim try: a folder with examples, and the commands that read them. The files are those of
 * examples/ and tests/lint; the build turns them into try_files.def (cmake/bytes.cmake). */
#include "../common/text.h"
#include "../common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char about[] =
    "Writes example files into FOLDER (wsim-try) and prints commands that read them. A file that\n"
    "exists with other contents stays as it is, and the command ends with exit status 2.\n";
static const char examples[] = "  wsim try\n"
                               "  wsim try elsewhere\n";

enum { LONGEST = 4096 };

struct file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

#define BYTES(...) ((const unsigned char[]){__VA_ARGS__})
#define FILE_OF(name, ...) {name, BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__)},
static const struct file files[] = {
#include "try_files.def"
};

/* A command for the folder, and its subject. */
static const struct step {
    const char *command, *about;
} steps[] = {
    {"wsim run reverse.ptx --block 64 --arg 'float x[64]=0'",
     "a kernel that lacks a __syncthreads(): the data race, and what it costs line by line"},
    {"wsim banks ld.shared.f32 --decl 'float tile[32][32]' --addr 'tile[threadIdx.x][0]'",
     "a column of a tile: all lanes meet in one bank; with --suggest: the padding that helps"},
    {"wsim why m16n8k16.f32.f16 --element 3,5 --a random:1 --b random:2",
     "one element of a tensor core's product, step by step, bit for bit"},
    {"wsim check garbage.cu", "inline assembly that compiles, and loads garbage"},
    {"wsim run --launch saxpy.json",
     "a launch file: kernel, grid, arguments and buffers of a test without a GPU"},
};

static void print_steps(void) {
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        printf("\n  %s\n      %s\n", steps[i].command, steps[i].about);
}

static int write_all(int to, const unsigned char *bytes, size_t size) {
    while (size) {
        ssize_t n = write(to, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        bytes += n;
        size -= (size_t)n;
    }
    return 1;
}

/* Whether `path` holds the bytes of `file`. */
static int is_there(const char *path, const struct file *file) {
    unsigned char bytes[512];
    size_t at = 0, n;
    struct stat about_path;
    FILE *in;
    /* A pipe has no end without a writer. */
    if (stat(path, &about_path) || !S_ISREG(about_path.st_mode) || !(in = fopen(path, "rb")))
        return 0;
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0 && at + n <= file->size &&
           memcmp(bytes, file->bytes + at, n) == 0)
        at += n;
    fclose(in);
    return n == 0 && at == file->size;
}

static int write_file(const char *folder, const struct file *file) {
    char path[LONGEST];
    int to, is_written;
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path)
        return tool_error("the name of the folder has more than %d bytes", LONGEST - 64);
    to = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (to < 0 && errno == EEXIST)
        return is_there(path, file)
                   ? TOOL_GO
                   : tool_error("'%s' exists with other contents: name another folder",
                                text_cut(path).text);
    if (to < 0)
        return tool_error("cannot write '%s': %s", text_cut(path).text, strerror(errno));
    is_written = write_all(to, file->bytes, file->size);
    if (close(to) || !is_written) {
        int why = errno;
        unlink(path); /* a part of a file would stop the next try */
        return tool_error("cannot write '%s': %s", text_cut(path).text, strerror(why));
    }
    return TOOL_GO;
}

static int run(struct tool *tool) {
    const char *folder = *tool->args ? *tool->args : "wsim-try";
    if (*tool->args && tool->args[1])
        return tool_error("unexpected argument '%s'", text_cut(tool->args[1]).text);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return tool_error("cannot make the folder '%s': %s", text_cut(folder).text,
                          strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int status = write_file(folder, &files[i]);
        if (status != TOOL_GO)
            return status;
    }
    printf("Folder '%s' has", text_cut(folder).text);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        printf(" %s", files[i].name);
    puts(".\nCommands to type in it:");
    print_steps();
    return TOOL_FINE;
}

static const struct tool_option rows[] = {TOOL_OPTIONS_END};

const struct tool_command try_command = {"[FOLDER]", about, examples, rows, 0, 0, NULL, run};
