/* Manual pages; see manual.h. */
#include "manual.h"
#include "../common/help.h"
#include "../common/tool.h"
#include "../version.h"
#include "roff.h"

#include <ctype.h>
#include <string.h>

/* The page of "wsim banks" is called wsim-banks. */
static void put_title(const char *name) {
    printf(".TH WSIM");
    if (name) {
        printf("\\-");
        for (; *name; name++)
            putchar(toupper((unsigned char)*name));
    }
    printf(" 1 %s \"wsim %s\" \"User Commands\"\n", version_date(), wsim_version());
}

static void put_name(const char *name, const char *about) {
    puts(".SH NAME");
    printf("wsim%s%s \\-\n", name ? "\\-" : "", name ? name : "");
    roff_fill(about, strlen(about));
}

/* Puts a paragraph, or "  word    meaning". */
static void put_paragraph(void *context, const char *text, int is_meaning) {
    int *is_first = context;
    if (!*text)
        return; /* the next macro begins a paragraph */
    if (is_meaning) {
        const char *word = text + strspn(text, " "), *meaning = strstr(word, "  ");
        puts(".TP 14");
        roff_fill(word, meaning ? (size_t)(meaning - word) : strlen(word));
        text = meaning ? meaning : "";
        if (!*text)
            puts("\\&");
    } else if (!*is_first) {
        puts(".PP");
    }
    *is_first = 0;
    text += strspn(text, " ");
    if (*text)
        roff_fill(text, strlen(text));
}

static void put_section(const char *title, const char *text) {
    int is_first = 1;
    printf(".SH %s\n", title);
    help_paragraphs(text, put_paragraph, &is_first);
}

static void put_option(const struct tool_option *option) {
    puts(".TP");
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    printf("\\fB\\-\\-");
    roff_literal(option->name);
    printf("\\fR");
    if (option->value) {
        printf("=\\fI");
        roff_literal(option->value);
        printf("\\fR");
    }
    putchar('\n');
    roff_fill(option->help, strlen(option->help));
}

static void put_examples(const char *text) {
    puts(".SH EXAMPLES\n.EX");
    while (*text) {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        roff_line(text + blanks, length - blanks);
        text += length + (text[length] != '\0');
    }
    puts(".EE");
}

static void put_command(const struct command *command) {
    const struct tool_command *is = command->is;
    struct tool_rows rows;
    char full[COMMAND_NAME];
    tool_rows(is, &rows);
    command_name(command, full);
    put_title(command->name);
    put_name(command->name, command->summary);
    printf(".SH SYNOPSIS\n\\fBwsim ");
    roff_literal(command->of && !*command->word ? command->of : full);
    printf("\\fR [\\fIOPTION\\fR]...");
    fputs(*is->arguments ? " " : "", stdout);
    roff_literal(is->arguments);
    putchar('\n');
    put_section("DESCRIPTION", is->about);
    puts(".SH OPTIONS");
    for (unsigned i = 0; i < rows.count; i++) {
        if (rows.group[i] && (!i || !rows.group[i - 1] || strcmp(rows.group[i], rows.group[i - 1])))
            printf(".SS %s\n", rows.group[i]);
        put_option(&rows.row[i]);
    }
    put_examples(is->examples);
    put_section("EXIT STATUS", MANUAL_STATUS);
    puts(".SH SEE ALSO\n.BR wsim (1)");
}

static void put_program(const struct commands *commands) {
    static const char environment[] =
        "  COLUMNS      width of lines; by default that of the terminal, or 80\n"
        "  NO_COLOR     if set, no color unless --color=always\n";
    put_title(NULL);
    put_name(NULL, "warp-level matrix instructions of NVIDIA GPUs, bit for bit, on any machine");
    puts(".SH SYNOPSIS\n\\fBwsim\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... "
         "[\\fIARGUMENT\\fR]...\n.br\n"
         "\\fBwsim\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR | \\fBhelp\\fR \\fICOMMAND\\fR\n"
         ".SH DESCRIPTION\n"
         "Each command has a page of its own, and the same with \\fB\\-\\-help\\fR.");
    for (size_t i = 0; i < commands->count; i++) {
        printf(".TP\n.BR wsim\\-%s (1)\n", commands->list[i].name);
        roff_fill(commands->list[i].summary, strlen(commands->list[i].summary));
    }
    put_section("EXIT STATUS", MANUAL_STATUS);
    put_section("ENVIRONMENT", environment);
}

int manual_page(const struct commands *commands, const struct command *command) {
    if (command)
        put_command(command);
    else
        put_program(commands);
    return TOOL_FINE;
}
