/* main.c - wsim-hw: the GPU and the model on the same cases. Selects the command, and checks that
 * the whole output was written: a lost report is an error. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const struct hw_command *const commands[] = {
    &hw_diff_command,   &hw_record_command,   &hw_replay_command, &hw_minimize_command,
    &hw_list_command,   &hw_patterns_command, &hw_access_command, &hw_scalar_command,
#ifdef HW_LAUNCH /* where there is jansson, which reads launch files */
    &hw_launch_command,
#endif
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(void) {
    printf("usage: wsim-hw COMMAND [options]\n\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s%s\n", commands[i]->name, commands[i]->purpose);
    printf("\nwsim-hw COMMAND --help tells more. Exit status: 0 equal, 1 different, 2 error,\n"
           "3 not run, 77 no GPU.\n");
    return 0;
}

#ifdef HW_LAUNCH
/* A comparison of launch files: what this GPU leaves against what the model left. */
static int is_launches(int argc, char **argv) {
    const char *end = strcmp(argv[1], "diff") == 0 ? strrchr(argv[argc - 1], '.') : NULL;
    return end && strcmp(end, ".json") == 0;
}
#endif

static int dispatch(int argc, char **argv) {
    if (argc < 2)
        return hw_fail("no command", "try wsim-hw --help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return help();
#ifdef HW_LAUNCH
    if (is_launches(argc, argv))
        return hw_launch_command.run(argc - 1, argv + 1);
#endif
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(argc - 1, argv + 1);
    return hw_fail(argv[1], "no such command; try wsim-hw --help");
}

/* A standard stream that is closed would be the first file that is opened. In its place stands one
 * that cannot be written (of standard input: read), so that what is printed there is missed. */
static void hold_streams(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
            return; /* without /dev/null there is nothing better to do */
}

int main(int argc, char **argv) {
    int status;
    hold_streams();
    status = dispatch(argc, argv);
    if (fflush(stdout) || ferror(stdout))
        return hw_fail("standard output", errno ? strerror(errno) : "cannot be written");
    return status;
}
