// s.h - sections of a program, each in a process of its own: a crash ends only one.
#pragma once
#include "p.h"
#include <sys/wait.h>
#include <unistd.h>
#ifndef SECTION_SECONDS
#define SECTION_SECONDS 20
#endif
struct section {
    const char *name;
    void (*run)();
};
static section sections_[64];
static int sections_n_;
static int section_add(const char *n, void (*f)()) {
    sections_[sections_n_].name = n;
    sections_[sections_n_].run = f;
    return sections_n_++;
}
#define SECTION(n)                                                                                 \
    static void n();                                                                               \
    static const int n##_ = section_add(#n, n);                                                    \
    static void n()
static int sections_run() {
    for (int i = 0; i < sections_n_; i++) {
        printf("== %s\n", sections_[i].name);
        pid_t c = fork();
        if (!c) {
            alarm(SECTION_SECONDS);
            sections_[i].run();
            exit(0);
        }
        int st;
        waitpid(c, &st, 0);
        printf("== %s: status %d signal %d\n", sections_[i].name,
               WIFEXITED(st) ? WEXITSTATUS(st) : -1, WIFSIGNALED(st) ? WTERMSIG(st) : 0);
    }
    return 0;
}
