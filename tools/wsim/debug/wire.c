/* Messages; see wire.h. */
#include "wire.h"
#include "../common/memory.h"
#include "../common/tool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HEAD = 4096, BODY = 1 << 24, PIECE = 1 << 16 };

/* Reads available bytes. 0: none came, or the end. */
static int more(struct wire *wire, int wait) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    ssize_t n;
    if (!wait && poll(&in, 1, 0) <= 0)
        return 0;
    if (wire->room - wire->used < PIECE) {
        wire->room = 2 * wire->room + PIECE;
        wire->bytes = memory_grow(wire->bytes, wire->room);
    }
    do
        n = read(STDIN_FILENO, wire->bytes + wire->used, wire->room - wire->used);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        wire->ended = 1;
        if (wire->used)
            tool_error("standard input ends inside a message of the Debug Adapter Protocol");
        return 0;
    }
    wire->used += (size_t)n;
    return 1;
}

/* The length of the header with its empty line; 0: it is not complete. */
static size_t head_of(const struct wire *wire) {
    for (size_t i = 0; i + 4 <= wire->used; i++)
        if (memcmp(wire->bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4;
    return 0;
}

/* The number after Content-Length. 0: there is none. */
static size_t length_of(const struct wire *wire, size_t head) {
    static const char name[] = "Content-Length:";
    for (size_t at = 0; at + sizeof name < head; at++) {
        size_t i = at + sizeof name - 1, length = 0, digits = 0;
        if ((at && wire->bytes[at - 1] != '\n') ||
            strncasecmp(wire->bytes + at, name, sizeof name - 1) != 0)
            continue;
        while (wire->bytes[i] == ' ')
            i++;
        for (; wire->bytes[i] >= '0' && wire->bytes[i] <= '9' && digits < 9; digits++)
            length = 10 * length + (size_t)(wire->bytes[i++] - '0');
        return wire->bytes[i] == '\r' ? length : 0;
    }
    return 0;
}

static void drop(struct wire *wire, size_t bytes) {
    memmove(wire->bytes, wire->bytes + bytes, wire->used - bytes);
    wire->used -= bytes;
}

static json_t *wrong(struct wire *wire, const char *what) {
    tool_error("%s: a message of the Debug Adapter Protocol begins with Content-Length: BYTES and "
               "an empty line",
               what);
    wire->ended = 1;
    return NULL;
}

json_t *wire_read(struct wire *wire, int wait) {
    size_t head, length;
    json_t *message;
    while (!wire->ended) {
        head = head_of(wire);
        if (!head && wire->used > HEAD)
            return wrong(wire, "no empty line in 4096 bytes");
        length = head ? length_of(wire, head) : 0;
        if (head && (!length || length > BODY))
            return wrong(wire, "no length from 1 to 16 MiB");
        if (head && wire->used >= head + length) {
            message = json_loadb(wire->bytes + head, length, 0, NULL);
            drop(wire, head + length);
            if (!json_is_object(message)) {
                json_decref(message);
                message = json_object();
            }
            return message;
        }
        if (!more(wire, wait))
            return NULL;
    }
    return NULL;
}

void wire_close(struct wire *wire) {
    free(wire->bytes);
}

static void put(struct wire *wire, json_t *message) {
    char *text;
    json_object_set_new(message, "seq", json_integer(++wire->seq));
    text = json_dumps(message, JSON_COMPACT);
    if (!text)
        memory_out();
    printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(stdout);
    free(text);
    json_decref(message);
}

void wire_event(struct wire *wire, const char *event, json_t *body) {
    json_t *message = json_pack("{s:s, s:s}", "type", "event", "event", event);
    json_object_set_new(message, "body", body ? body : json_object());
    put(wire, message);
}

void wire_answer(struct wire *wire, const json_t *request, const char *message, json_t *body) {
    json_t *answer = json_pack("{s:s, s:b, s:I}", "type", "response", "success", message == NULL,
                               "request_seq", json_integer_value(json_object_get(request, "seq")));
    const json_t *command = json_object_get(request, "command");
    json_object_set_new(answer, "command",
                        json_is_string(command) ? json_copy((json_t *)(uintptr_t)command)
                                                : json_string(""));
    if (message) {
        json_object_set_new(answer, "message", tool_json_text(message));
        json_object_set_new(
            answer, "body",
            json_pack("{s:{s:i, s:o}}", "error", "id", 1, "format", tool_json_text(message)));
    }
    if (!message) /* clients take an empty body better than none */
        json_object_set_new(answer, "body", body ? json_incref(body) : json_object());
    json_decref(body);
    put(wire, answer);
}
