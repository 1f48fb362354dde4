/* printf of a kernel. The host's printf does the conversions of C. Text that device printf cannot
 * convert (* as a precision, and the sizes j, z and t) is printed unchanged, and takes no argument.
 *
 * Each hh loses one argument: the last ones are the bytes of the format, which lies behind the
 * arguments. Recorded on an H200 (driver 580). */
#include "output.h"

#include <stdio.h>

#define MOST_FORMAT 8192
#define MOST_PIECE 1200

/* One conversion: "%-8.3lld" in pieces. */
struct conversion {
    char flags[8];
    int width, precision; /* -1: none */
    uint8_t long_number;  /* 64 bits  */
    uint8_t half;         /* how many h */
    uint8_t given;        /* the width is an argument: * */
    char letter;
};

static const char *read_number(const char *at, int *number) {
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        if (*number < 1000)
            *number = *number * 10 + (*at - '0');
    return at;
}

/* Reads a conversion after its %. Returns NULL at the end of the text. */
static const char *read_conversion(const char *at, struct conversion *conversion) {
    unsigned flags = 0;
    *conversion = (struct conversion){.width = -1, .precision = -1};
    for (; *at && strchr("-+ #0", *at); at++)
        if (flags + 1 < sizeof conversion->flags)
            conversion->flags[flags++] = *at;
    if (*at == '*')
        conversion->given = 1, at++;
    else if (*at >= '0' && *at <= '9')
        at = read_number(at, &conversion->width);
    if (*at == '.')
        at = read_number(at + 1, &conversion->precision);
    for (; *at == 'l' || *at == 'h'; at++)
        if (*at == 'h')
            conversion->half++;
        else
            conversion->long_number = 1;
    conversion->letter = *at;
    return *at ? at + 1 : NULL;
}

/* The format of one argument for the host, of `length` "ll" or "". */
static void host_format(char format[40], const struct conversion *conversion, const char *length) {
    struct base_text text = {.at = format, .size = 40};
    base_put(&text, "%%%s", conversion->flags);
    if (conversion->width >= 0)
        base_put(&text, "%d", conversion->width);
    if (conversion->precision >= 0)
        base_put(&text, ".%d", conversion->precision);
    base_put(&text, "%s%c", length, conversion->letter);
}

static uint64_t as_integer(const struct conversion *conversion, uint64_t value) {
    int is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    static const uint8_t short_bits[] = {32, 16, 8};
    const unsigned halves = conversion->half < 2 ? conversion->half : 2;
    unsigned bits = conversion->long_number ? 64 : short_bits[halves];
    uint64_t sign = UINT64_C(1) << (bits - 1);
    if (bits < 64)
        value &= 2 * sign - 1;
    return is_signed ? (value ^ sign) - sign : value;
}

/* The text of one argument. Returns its length. */
static int convert(char piece[MOST_PIECE], const struct conversion *conversion, uint64_t value,
                   const char *string) {
    char format[40], address[24] = "(nil)";
    union {
        uint64_t bits;
        double number; /* only to be printed */
    } real = {value};
    switch (conversion->letter) {
    case 's':
        host_format(format, conversion, "");
        return snprintf(piece, MOST_PIECE, format, string);
    case 'c':
        host_format(format, conversion, "");
        return snprintf(piece, MOST_PIECE, format, (int)(value & 0xFF));
    case 'p':
        if (value)
            snprintf(address, sizeof address, "0x%llx", (unsigned long long)value);
        return snprintf(piece, MOST_PIECE, strchr(conversion->flags, '-') ? "%-*s" : "%*s",
                        conversion->width < 0 ? 0 : conversion->width, address);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        host_format(format, conversion, "ll");
        return snprintf(piece, MOST_PIECE, format,
                        (unsigned long long)as_integer(conversion, value));
    default:
        host_format(format, conversion, "");
        return snprintf(piece, MOST_PIECE, format, real.number);
    }
}

static uint32_t bytes_of(const struct conversion *conversion) {
    if (strchr("fFeEgGaAps", conversion->letter))
        return 8;
    return conversion->long_number ? 8 : 4;
}

/* The arguments of a format. */
struct arguments {
    uint64_t at; /* the next one */
    int n, kept; /* that were printed; that there are */
    const char *format;
};

/* A number out of the bytes of the format. */
static uint64_t format_bytes(const struct arguments *arguments, uint32_t bytes) {
    const size_t from = 8 * (size_t)(arguments->n - arguments->kept);
    const size_t length = strlen(arguments->format);
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes && from + i < length; i++)
        value |= (uint64_t)(uint8_t)arguments->format[from + i] << 8 * i;
    return value;
}

/* The value of an argument of 4 or 8 bytes. `text`: it is the address of a string. */
static int next_value(struct run_warp *warp, const struct run_op *op, unsigned lane, uint32_t bytes,
                      int text, struct arguments *arguments, uint64_t *value) {
    arguments->at = (arguments->at + bytes - 1) / bytes * bytes;
    if (!library_read(warp, op, lane, arguments->at, bytes, value))
        return 0;
    arguments->at += bytes;
    if (arguments->n >= arguments->kept && !text)
        *value = format_bytes(arguments, bytes);
    arguments->n++;
    return 1;
}

/* A width that is an argument; a negative one aligns to the left. */
static void set_width(struct conversion *conversion, uint64_t value) {
    enum { MOST = 1000 };
    const int width = (int)as_integer(&(struct conversion){.letter = 'd'}, value);
    const size_t flags = strlen(conversion->flags);
    conversion->width = width < -MOST || width > MOST ? MOST : width < 0 ? -width : width;
    if (width < 0 && flags + 1 < sizeof conversion->flags)
        conversion->flags[flags] = '-';
}

/* One argument: read from memory, converted, printed. */
static enum run_next print_argument(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                    struct conversion *conversion, struct arguments *arguments) {
    char piece[MOST_PIECE], string[MOST_PIECE] = "(null)";
    uint64_t value;
    int length;
    if (conversion->given) {
        if (!next_value(warp, op, lane, 4, 0, arguments, &value))
            return RUN_STOP;
        set_width(conversion, value);
    }
    if (!next_value(warp, op, lane, bytes_of(conversion), conversion->letter == 's', arguments,
                    &value))
        return RUN_STOP;
    if (conversion->letter == 's' && value &&
        !library_text(warp, op, lane, value, string, sizeof string))
        return RUN_STOP;
    length = convert(piece, conversion, value, string);
    if (length >= MOST_PIECE)
        length = MOST_PIECE - 1;
    return length > 0 ? run_print(warp, piece, (size_t)length) : RUN_ON;
}

/* Reads a conversion after its % and the letter of a size. NULL: the text ends before. */
static const char *read_whole(const char *at, struct conversion *conversion, int *takes) {
    const char *behind = read_conversion(at, conversion);
    *takes = 0;
    if (!behind)
        return NULL;
    if (conversion->letter == 'j' || conversion->letter == 'z' || conversion->letter == 't')
        return behind + (*behind != '\0'); /* a size has its letter behind it */
    *takes = strchr("diouxXcspfFeEgGaA", conversion->letter) != NULL;
    return behind;
}

/* The arguments that a format keeps. */
static int count_kept(const char *at) {
    struct conversion conversion;
    int kept = 0, takes;
    while (at && *(at += strcspn(at, "%"))) {
        at = read_whole(at + 1, &conversion, &takes);
        kept += at && takes ? (conversion.half < 2) + conversion.given : 0;
    }
    return kept;
}

/* A conversion, or text up to the next one. Returns the rest of the text; NULL: a finding. */
static const char *print_next(struct run_warp *warp, const struct run_op *op, unsigned lane,
                              const char *at, struct arguments *arguments) {
    size_t plain = strcspn(at, "%");
    struct conversion conversion;
    const char *behind;
    int takes;
    if (plain)
        return run_print(warp, at, plain) ? NULL : at + plain;
    behind = read_whole(at + 1, &conversion, &takes);
    if (!behind)
        return run_print(warp, at, strlen(at)) ? NULL : at + strlen(at);
    if (behind == at + 2 && conversion.letter == '%')
        return run_print(warp, "%", 1) ? NULL : behind;
    if (!takes)
        return run_print(warp, at, (size_t)(behind - at)) ? NULL : behind;
    return print_argument(warp, op, lane, &conversion, arguments) ? NULL : behind;
}

enum run_next output_print(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           uint64_t format, uint64_t values, int *n) {
    char text[1024];
    const char *at = text;
    struct arguments arguments = {.at = values, .format = text};
    *n = -1;
    if (!format)
        return RUN_ON;
    *n = 0;
    if (!library_text(warp, op, lane, format, text, sizeof text))
        return RUN_STOP;
    *n = arguments.kept = count_kept(text);
    while (*at) {
        at = print_next(warp, op, lane, at, &arguments);
        if (!at)
            return RUN_STOP;
    }
    return RUN_ON;
}
